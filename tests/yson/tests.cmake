# YTsaurus's own bindings as a second opinion.
add_executable(xwalk_yson_oracle_tool "${CMAKE_CURRENT_SOURCE_DIR}/yson/oracle_tool.cc")
target_link_libraries(xwalk_yson_oracle_tool PRIVATE xwalk::core xwalk_project_options)
if(TARGET xwalk)
  xwalk_add_python_test(yson.bindings_oracle "${CMAKE_CURRENT_SOURCE_DIR}/yson/yson_bindings_test.py")
endif()
