# Rows of tables, read by Iceberg's own library and by pyiceberg.
if(TARGET xwalk)
  xwalk_add_python_test(iceberg.rows "${CMAKE_CURRENT_SOURCE_DIR}/iceberg/rows_test.py")
  set_tests_properties(iceberg.rows PROPERTIES TIMEOUT 600)
endif()
