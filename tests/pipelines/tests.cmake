# The hook and the action that others put into their pipelines.
if(TARGET xwalk)
  xwalk_add_python_test(pipelines "${CMAKE_CURRENT_SOURCE_DIR}/pipelines/pipelines_test.py")
endif()
