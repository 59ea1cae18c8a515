# The living system's own bindings as a second opinion, where the Python environment has them.
add_executable(xwalk_yson_oracle_tool "${CMAKE_CURRENT_SOURCE_DIR}/yson/oracle_tool.cc")
target_link_libraries(xwalk_yson_oracle_tool PRIVATE xwalk::core xwalk_project_options)
set(_python "${XWALK_DEPS}/venv/bin/python")
if(EXISTS "${_python}")
  add_test(NAME yson.bindings_oracle COMMAND "${_python}" "${CMAKE_CURRENT_SOURCE_DIR}/yson/bindings_oracle.py"
    $<TARGET_FILE:xwalk_yson_oracle_tool>)
  set_tests_properties(yson.bindings_oracle PROPERTIES SKIP_RETURN_CODE 77)
else()
  message(STATUS "yson.bindings_oracle is left out: no Python in ${XWALK_DEPS}")
endif()
