# Programs of others, as readers and writers of the same files.
if(NOT TARGET xwalk OR CMAKE_CXX_FLAGS MATCHES fsanitize)
  return()
endif()
find_package(Python3 COMPONENTS Interpreter REQUIRED)
add_test(NAME interop.go COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/go_test.py"
  "$<TARGET_FILE:xwalk>" "${CMAKE_CURRENT_BINARY_DIR}")
set_tests_properties(interop.go PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
if(EXISTS "${XWALK_DEPS}/venv/bin/python" AND XWALK_BUILD_PARQUET)
  add_test(NAME interop.old_pages COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_LIST_DIR}/old_pages_test.py"
    "$<TARGET_FILE:xwalk>" "${XWALK_DEPS}")
  set_tests_properties(interop.old_pages PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()
