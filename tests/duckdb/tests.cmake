# The DuckDB extension, one file in every DuckDB that there is: the tests' own and the oldest in Python, and the program.
if(NOT TARGET xwalk_duckdb)
  return()
endif()
foreach(test access cancelled copy extension duckdb_types given_format types_out unions)
  string(REPLACE "duckdb_" "" name ${test})
  # hostile.8 runs access_test.py in the tests' own DuckDB.
  if(NOT test STREQUAL access)
    xwalk_add_python_test(duckdb.${name} "${CMAKE_CURRENT_LIST_DIR}/${test}_test.py")
  endif()
  xwalk_add_python_test(duckdb.${name}_oldest "${CMAKE_CURRENT_LIST_DIR}/${test}_test.py")
  set_tests_properties(duckdb.${name}_oldest PROPERTIES ENVIRONMENT "PYTHONPATH=${XWALK_DEPS}/duckdb-python-1.5.6")
endforeach()
