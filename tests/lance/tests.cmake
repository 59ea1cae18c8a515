# Evolutions of real datasets against the living package.
add_executable(xwalk_lance_evolve "${CMAKE_CURRENT_SOURCE_DIR}/lance/evolve_probe.cc")
target_link_libraries(xwalk_lance_evolve PRIVATE xwalk::core xwalk_project_options)
if(EXISTS "${XWALK_DEPS}/venv/bin/python")
  add_test(NAME lance.evolution COMMAND "${XWALK_DEPS}/venv/bin/python"
    "${CMAKE_CURRENT_SOURCE_DIR}/lance/evolution_oracle.py" $<TARGET_FILE:xwalk_lance_evolve>)
  set_tests_properties(lance.evolution PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
