# Several threads at once, of the program and of the Python module. `make tsan` runs them under the thread sanitizer.
if(TARGET xwalk)
  xwalk_add_python_test(threads.program "${CMAKE_CURRENT_LIST_DIR}/program_threads_test.py")
  set_tests_properties(threads.program PROPERTIES TIMEOUT 1800)
  if(CMAKE_CXX_FLAGS MATCHES "fsanitize=thread")
    # Without the sanitizer hostile.14a runs it.
    xwalk_add_python_test(threads.module "${CMAKE_CURRENT_LIST_DIR}/module_threads_test.py")
    set_tests_properties(threads.program threads.module PROPERTIES TIMEOUT 1800 ENVIRONMENT
      "TSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/tsan.supp")
  endif()
endif()
