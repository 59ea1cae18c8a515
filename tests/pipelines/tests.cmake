# The hook and the action that others put into their pipelines.
if(TARGET xwalk AND EXISTS "${XWALK_DEPS}/venv/bin/python")
  add_test(NAME pipelines COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_SOURCE_DIR}/pipelines/pipelines_test.py"
    "$<TARGET_FILE:xwalk>" "${PROJECT_SOURCE_DIR}")
  set_tests_properties(pipelines PROPERTIES SKIP_RETURN_CODE 77)
endif()
