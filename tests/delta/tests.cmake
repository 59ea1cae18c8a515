# Rows of tables, read by deltalake, and by DuckDB where its extension is installed.
if(TARGET xwalk)
  xwalk_add_python_test(delta.rows "${CMAKE_CURRENT_SOURCE_DIR}/delta/rows_test.py")
  set_tests_properties(delta.rows PROPERTIES TIMEOUT 600)
endif()
