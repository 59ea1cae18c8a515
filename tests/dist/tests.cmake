# What a release consists of, tried: the Debian and conda packages, the container's file, and one version in all places. The source archive is built by
# consumer.source, the wheels are tried by python.wheel.
if(NOT TARGET xwalk OR CMAKE_CXX_FLAGS MATCHES fsanitize)
  return()
endif()
find_package(Python3 COMPONENTS Interpreter REQUIRED)
foreach(part version debian recipes libraries)
  add_test(NAME dist.${part} COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/dist/${part}_test.py"
    "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")
  set_tests_properties(dist.${part} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
