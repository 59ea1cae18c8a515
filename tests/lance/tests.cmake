# Evolutions of real datasets, compared with pylance.
add_executable(xwalk_lance_evolve "${CMAKE_CURRENT_SOURCE_DIR}/lance/evolve_probe.cc")
target_link_libraries(xwalk_lance_evolve PRIVATE xwalk::core xwalk_project_options)
if(TARGET xwalk)
  xwalk_add_python_test(lance.evolution "${CMAKE_CURRENT_SOURCE_DIR}/lance/lance_evolution_test.py")
  xwalk_add_python_test(lance.appends "${CMAKE_CURRENT_SOURCE_DIR}/lance/lance_appends_test.py")
  set_tests_properties(lance.evolution lance.appends PROPERTIES TIMEOUT 300)
endif()
