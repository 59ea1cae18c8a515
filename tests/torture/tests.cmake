# Kills, full disks, failing calls, engines, load: a short campaign. A long one: `make torture`.
if(TARGET xwalk AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_CXX_FLAGS MATCHES "sanitize")
  add_library(xwalk_torture MODULE "${CMAKE_CURRENT_LIST_DIR}/failing_calls.c")
  # Its functions are those that checked calls would be.
  target_compile_options(xwalk_torture PRIVATE -Wall -Wextra -U_FORTIFY_SOURCE)
  target_link_libraries(xwalk_torture PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(xwalk_torture PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
  xwalk_add_python_test(torture "${CMAKE_CURRENT_LIST_DIR}/torture_test.py")
  set_tests_properties(torture PROPERTIES TIMEOUT 600)
endif()
