# Golden tests of the program.
if(TARGET xwalk)
  file(GLOB goldens CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.clitest")
  foreach(golden IN LISTS goldens)
    cmake_path(GET golden STEM name)
    xwalk_add_python_test(cli.${name} "${golden}")
  endforeach()
  # Pages made by the program are as it is now, and the rules' examples print what they say.
  foreach(test pages java_page completion progress version)
    xwalk_add_python_test(cli.${test} "${CMAKE_CURRENT_LIST_DIR}/${test}_test.py")
  endforeach()
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
