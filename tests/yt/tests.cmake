# An independent conversion of values, which other programs of the tests use too.
target_sources(xwalk_yt_tests PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/yt/stored_form.cc")
# The living system's Python as a second opinion, where the environment has it.
add_executable(xwalk_yt_oracle_tool "${CMAKE_CURRENT_SOURCE_DIR}/yt/oracle_tool.cc")
target_link_libraries(xwalk_yt_oracle_tool PRIVATE xwalk::core xwalk_project_options)
target_include_directories(xwalk_yt_oracle_tool PRIVATE "${PROJECT_SOURCE_DIR}")
set(_python "${XWALK_DEPS}/venv/bin/python")
if(EXISTS "${_python}")
  add_test(NAME yt.type_info_oracle COMMAND "${_python}"
    "${CMAKE_CURRENT_SOURCE_DIR}/yt/type_info_oracle.py" $<TARGET_FILE:xwalk_yt_oracle_tool>)
  set_tests_properties(yt.type_info_oracle PROPERTIES SKIP_RETURN_CODE 77)
else()
  message(STATUS "yt.type_info_oracle is left out: no Python in ${XWALK_DEPS}")
endif()
