# The program without shared libraries: it is one, says the same as the other, and says what it cannot do.
if(NOT TARGET xwalk_static)
  return()
endif()
set_target_properties(xwalk_static PROPERTIES EXCLUDE_FROM_ALL FALSE)
find_package(Python3 COMPONENTS Interpreter REQUIRED)
xwalk_add_python_test(static.program "${CMAKE_CURRENT_SOURCE_DIR}/static/program_test.py")
foreach(golden type schema schemas skiff diff evolve validate head verbs)
  add_test(NAME static.${golden} COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/cli/run.py"
    "$<TARGET_FILE:xwalk_static>" "${CMAKE_CURRENT_SOURCE_DIR}/cli/${golden}.clitest")
  set_tests_properties(static.${golden} PROPERTIES ENVIRONMENT "XWALK_DATA=${XWALK_DEPS}/data")
endforeach()
