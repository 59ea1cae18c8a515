# An independent conversion of values, which other programs of the tests use too.
target_sources(xwalk_yt_tests PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/yt/stored_form.cc")
# The living system's Python as a second opinion, where the environment has it.
add_executable(xwalk_yt_oracle_tool "${CMAKE_CURRENT_SOURCE_DIR}/yt/oracle_tool.cc")
target_link_libraries(xwalk_yt_oracle_tool PRIVATE xwalk::core xwalk_project_options)
target_include_directories(xwalk_yt_oracle_tool PRIVATE "${PROJECT_SOURCE_DIR}")
if(TARGET xwalk)
  xwalk_add_python_test(yt.type_info_oracle "${CMAKE_CURRENT_SOURCE_DIR}/yt/type_info_test.py")
endif()
