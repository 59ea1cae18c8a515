# Programs that are built with the package have its engines by this definition.
if(TARGET xwalk_parquet_plugin)
  add_dependencies(xwalk_api_tests xwalk_parquet_plugin)
  target_compile_definitions(xwalk_api_tests PRIVATE XWALK_ENGINE_FOLDER="${PROJECT_BINARY_DIR}")
endif()
