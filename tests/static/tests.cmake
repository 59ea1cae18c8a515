# The program without shared libraries: it is one, says the same as the other, and says what it cannot do.
if(NOT TARGET xwalk_static)
  return()
endif()
set_target_properties(xwalk_static PROPERTIES EXCLUDE_FROM_ALL FALSE)
xwalk_add_python_test(static.program "${CMAKE_CURRENT_SOURCE_DIR}/static/program_test.py")
foreach(golden type schema schemas skiff diff evolve validate head verbs)
  xwalk_add_python_test(static.${golden} "${CMAKE_CURRENT_SOURCE_DIR}/cli/${golden}.clitest" PROGRAM xwalk_static)
endforeach()
