# Programs of others, as readers and writers of the same files.
if(NOT TARGET xwalk OR CMAKE_CXX_FLAGS MATCHES fsanitize)
  return()
endif()
xwalk_add_python_test(interop.go "${CMAKE_CURRENT_LIST_DIR}/go_test.py")
set_tests_properties(interop.go PROPERTIES TIMEOUT 900)
if(XWALK_BUILD_PARQUET)
  xwalk_add_python_test(interop.old_pages "${CMAKE_CURRENT_LIST_DIR}/old_pages_test.py")
  set_tests_properties(interop.old_pages PROPERTIES TIMEOUT 600)
  xwalk_add_python_test(interop.go_variant "${CMAKE_CURRENT_LIST_DIR}/go_variant_test.py")
  # Both build the same program.
  set_tests_properties(interop.go interop.go_variant PROPERTIES RESOURCE_LOCK interop-go TIMEOUT 900)
endif()
