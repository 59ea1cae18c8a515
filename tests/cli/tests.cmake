# Golden tests of the program.
if(TARGET xwalk)
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
  file(GLOB goldens CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.clitest")
  foreach(golden IN LISTS goldens)
    cmake_path(GET golden STEM name)
    add_test(NAME cli.${name} COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/run.py"
      "$<TARGET_FILE:xwalk>" "${golden}")
    set_tests_properties(cli.${name} PROPERTIES ENVIRONMENT "XWALK_DATA=${XWALK_DEPS}/data")
  endforeach()
  # Pages made by the program are as it is now, and the rules' examples print what they say.
  add_test(NAME cli.pages COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/pages.py"
    "$<TARGET_FILE:xwalk>")
  xwalk_add_python_test(cli.completion "${CMAKE_CURRENT_LIST_DIR}/completion_test.py")
  xwalk_add_python_test(cli.progress "${CMAKE_CURRENT_LIST_DIR}/progress_test.py")
  # The program once more, with one more row in the table of options.
  add_library(xwalk_more_option_rows OBJECT "${PROJECT_SOURCE_DIR}/src/xwalk/hub/option.cc"
    "${PROJECT_SOURCE_DIR}/src/xwalk/convert/named_options.cc")
  target_compile_definitions(xwalk_more_option_rows PRIVATE
    "XWALK_MORE_OPTIONS=\"${CMAKE_CURRENT_LIST_DIR}/more_options.inc\"")
  target_link_libraries(xwalk_more_option_rows PRIVATE
    xwalk::core xwalk_project_options nlohmann_json::nlohmann_json ${XWALK_PRIVATE_LIBRARIES})
  add_executable(xwalk_more_options $<TARGET_OBJECTS:xwalk> $<TARGET_OBJECTS:xwalk_more_option_rows>)
  target_link_libraries(xwalk_more_options PRIVATE xwalk::core fmt::fmt)
  add_executable(xwalk_more_options_tests "${CMAKE_CURRENT_LIST_DIR}/more_options_keywords.cc"
    $<TARGET_OBJECTS:xwalk_more_option_rows>)
  target_link_libraries(xwalk_more_options_tests PRIVATE
    xwalk::core xwalk_project_options nlohmann_json::nlohmann_json GTest::gtest GTest::gmock GTest::gtest_main)
  gtest_discover_tests(xwalk_more_options_tests DISCOVERY_MODE PRE_TEST TEST_PREFIX cli.)
  xwalk_add_python_test(cli.more_options "${CMAKE_CURRENT_LIST_DIR}/more_options_test.py")
endif()
