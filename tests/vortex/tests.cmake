# The module against the living package.
add_executable(xwalk_vortex_probe "${CMAKE_CURRENT_SOURCE_DIR}/vortex/probe.cc")
target_link_libraries(xwalk_vortex_probe PRIVATE xwalk::core xwalk_project_options)
if(EXISTS "${XWALK_DEPS}/venv/bin/python")
  add_test(NAME vortex.living COMMAND "${XWALK_DEPS}/venv/bin/python"
    "${CMAKE_CURRENT_SOURCE_DIR}/vortex/living_test.py" $<TARGET_FILE:xwalk_vortex_probe>
    "${CMAKE_CURRENT_SOURCE_DIR}/samples")
  set_tests_properties(vortex.living PROPERTIES SKIP_RETURN_CODE 77)
endif()
