# Kills, full disks, failing calls, engines, load: a short campaign. A long one: `make torture`.
if(TARGET xwalk AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_CXX_FLAGS MATCHES "sanitize")
  add_library(xwalk_torture MODULE "${CMAKE_CURRENT_LIST_DIR}/failing_calls.c")
  target_compile_options(xwalk_torture PRIVATE -Wall -Wextra)
  target_link_libraries(xwalk_torture PRIVATE ${CMAKE_DL_LIBS})
  set_target_properties(xwalk_torture PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
  find_program(XWALK_TORTURE_PYTHON NAMES python python3 PATHS "${XWALK_DEPS}/venv/bin" NO_DEFAULT_PATH)
  find_program(XWALK_TORTURE_PYTHON NAMES python3)
  add_test(NAME torture COMMAND "${XWALK_TORTURE_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/torture.py"
    "$<TARGET_FILE:xwalk>" "$<TARGET_FILE:xwalk_torture>" --short --rounds 30 --jobs 2)
  set_tests_properties(torture PROPERTIES TIMEOUT 600)
endif()
