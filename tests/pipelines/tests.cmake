# The hook and the action that others put into their pipelines, and weeks of tables that go to a lake.
if(TARGET xwalk)
  xwalk_add_python_test(pipelines "${CMAKE_CURRENT_SOURCE_DIR}/pipelines/pipelines_test.py")
  xwalk_add_python_test(pipelines.lake_weeks "${CMAKE_CURRENT_SOURCE_DIR}/pipelines/lake_weeks_test.py")
endif()
