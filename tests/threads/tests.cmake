# Several threads at once, of the program and of the Python module. `make tsan` runs them under the thread sanitizer.
if(TARGET xwalk)
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
  add_test(NAME threads.program COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/program_test.py"
    "$<TARGET_FILE:xwalk>")
  set_tests_properties(threads.program PROPERTIES TIMEOUT 1800)
  if(CMAKE_CXX_FLAGS MATCHES "fsanitize=thread")
    # Without the sanitizer hostile.14a runs it.
    set(python "${Python3_EXECUTABLE}")
    if(EXISTS "${XWALK_DEPS}/venv/bin/python")
      set(python "${XWALK_DEPS}/venv/bin/python")
    endif()
    add_test(NAME threads.module COMMAND "${python}" "${CMAKE_CURRENT_LIST_DIR}/module_test.py"
      "$<TARGET_FILE:xwalk>")
    set_tests_properties(threads.module PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1800)
    set_tests_properties(threads.program threads.module PROPERTIES ENVIRONMENT
      "TSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/tsan.supp")
  endif()
endif()
