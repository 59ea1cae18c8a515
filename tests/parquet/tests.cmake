# What others read of the files we write: each test is one Python program.
if(XWALK_BUILD_PARQUET)
  add_dependencies(xwalk_parquet_tests xwalk_parquet_plugin)
  find_program(XWALK_TEST_PYTHON NAMES python python3 PATHS "${XWALK_DEPS}/venv/bin" NO_DEFAULT_PATH)
  if(XWALK_TEST_PYTHON)
    foreach(test IN ITEMS rules write)
      add_test(NAME parquet.python.${test}
        COMMAND "${XWALK_TEST_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/parquet/${test}_oracle.py" $<TARGET_FILE:xwalk_copy_rows>)
      set_tests_properties(parquet.python.${test} PROPERTIES SKIP_RETURN_CODE 77)
    endforeach()
    if(TARGET xwalk)
      add_test(NAME parquet.python.java
        COMMAND "${XWALK_TEST_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/parquet/java_oracle.py" $<TARGET_FILE:xwalk>)
      set_tests_properties(parquet.python.java PROPERTIES SKIP_RETURN_CODE 77)
      foreach(test IN ITEMS variant shred)
        add_test(NAME parquet.python.${test}
          COMMAND "${XWALK_TEST_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/parquet/${test}_oracle.py" $<TARGET_FILE:xwalk>)
        set_tests_properties(parquet.python.${test} PROPERTIES SKIP_RETURN_CODE 77)
      endforeach()
      foreach(test IN ITEMS own_bytes large_pages)
        add_test(NAME parquet.${test}
          COMMAND "${XWALK_TEST_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/parquet/${test}.py" $<TARGET_FILE:xwalk>)
      endforeach()
    endif()
  endif()
endif()
