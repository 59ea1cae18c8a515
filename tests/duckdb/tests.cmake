# The DuckDB extension, one file in every DuckDB that there is: the tests' own and the oldest in Python, and the program.
if(NOT TARGET xwalk_duckdb)
  return()
endif()
foreach(test access copy extension types)
  # hostile.8 runs access_test.py in the tests' own DuckDB.
  if(NOT test STREQUAL access)
    add_test(NAME duckdb.${test} COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_LIST_DIR}/${test}_test.py"
      "$<TARGET_FILE:xwalk_duckdb>" "${XWALK_DEPS}")
    set_tests_properties(duckdb.${test} PROPERTIES SKIP_RETURN_CODE 77)
  endif()
  add_test(NAME duckdb.${test}_oldest COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_LIST_DIR}/${test}_test.py"
    "$<TARGET_FILE:xwalk_duckdb>" "${XWALK_DEPS}")
  set_tests_properties(duckdb.${test}_oldest PROPERTIES ENVIRONMENT "PYTHONPATH=${XWALK_DEPS}/duckdb-python-1.5.6")
  set_tests_properties(duckdb.${test}_oldest PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
