# The module against the living package.
add_executable(xwalk_vortex_probe "${CMAKE_CURRENT_SOURCE_DIR}/vortex/probe.cc")
target_link_libraries(xwalk_vortex_probe PRIVATE xwalk::core xwalk_project_options)
if(TARGET xwalk)
  xwalk_add_python_test(vortex.living "${CMAKE_CURRENT_SOURCE_DIR}/vortex/living_test.py")
endif()
