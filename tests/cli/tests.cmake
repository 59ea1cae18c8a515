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
  foreach(shell bash zsh fish man)
    add_test(NAME cli.completion.${shell} COMMAND "${Python3_EXECUTABLE}"
      "${CMAKE_CURRENT_LIST_DIR}/completion_test.py" ${shell} "$<TARGET_FILE:xwalk>")
    set_tests_properties(cli.completion.${shell} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endif()
