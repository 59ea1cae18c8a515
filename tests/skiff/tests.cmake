target_link_libraries(xwalk_skiff_tests PRIVATE xwalk_skiff_oracle)
# The living system's own bindings as a second opinion, and as the job proxy of the example jobs.
add_executable(xwalk_skiff_oracle_tool "${CMAKE_CURRENT_SOURCE_DIR}/skiff/oracle_tool.cc")
add_executable(skiff_word_mapper "${PROJECT_SOURCE_DIR}/examples/cpp/skiff_word_mapper.cc")
add_executable(skiff_word_reducer "${PROJECT_SOURCE_DIR}/examples/cpp/skiff_word_reducer.cc")
foreach(_program xwalk_skiff_oracle_tool skiff_word_mapper skiff_word_reducer)
  target_link_libraries(${_program} PRIVATE xwalk::core xwalk_project_options)
endforeach()
target_link_libraries(xwalk_skiff_oracle_tool PRIVATE xwalk_skiff_oracle)
set(_python "${XWALK_DEPS}/venv/bin/python")
if(EXISTS "${_python}")
  add_test(NAME skiff.bindings_oracle COMMAND "${_python}" "${CMAKE_CURRENT_SOURCE_DIR}/skiff/bindings_oracle.py"
    $<TARGET_FILE:xwalk_skiff_oracle_tool>)
  add_test(NAME skiff.job_streams COMMAND "${_python}" "${CMAKE_CURRENT_SOURCE_DIR}/skiff/job_proxy.py"
    $<TARGET_FILE:skiff_word_mapper> $<TARGET_FILE:skiff_word_reducer>)
  set_tests_properties(skiff.bindings_oracle skiff.job_streams PROPERTIES SKIP_RETURN_CODE 77)
  if(XWALK_BUILD_CLI)
    add_test(NAME skiff.structured_oracle COMMAND "${_python}" "${CMAKE_CURRENT_SOURCE_DIR}/skiff/structured_oracle.py"
      $<TARGET_FILE:xwalk>)
    set_tests_properties(skiff.structured_oracle PROPERTIES SKIP_RETURN_CODE 77)
  endif()
else()
  message(STATUS "skiff.bindings_oracle is left out: no Python in ${XWALK_DEPS}")
endif()
