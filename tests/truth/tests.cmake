# The same question from outside; more trips: `make truth`.
if(TARGET xwalk AND EXISTS "${XWALK_DEPS}/venv/bin/python")
  add_test(NAME truth COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_LIST_DIR}/truth.py" "$<TARGET_FILE:xwalk>")
  set_tests_properties(truth PROPERTIES SKIP_RETURN_CODE 77)
  # Several inputs, compared with one.
  add_test(NAME truth.several COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_LIST_DIR}/several.py" "$<TARGET_FILE:xwalk>")
  set_tests_properties(truth.several PROPERTIES SKIP_RETURN_CODE 77)
  # Random combinations: options with pairs, folders of partitions, additions, files of other writers, several inputs, hosts,
  # rejected rows.
  foreach(test every_option hive appends foreign fed_back hosts unequal)
    add_test(NAME truth.${test} COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_LIST_DIR}/${test}.py" "$<TARGET_FILE:xwalk>")
    set_tests_properties(truth.${test} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
  # Every line of the table of types.
  add_test(NAME truth.kinds COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_LIST_DIR}/kinds.py" "$<TARGET_FILE:xwalk>")
  set_tests_properties(truth.kinds PROPERTIES SKIP_RETURN_CODE 77)
  # Every rule of the catalogue, met and not met.
  add_test(NAME truth.rules COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_LIST_DIR}/rules.py" "$<TARGET_FILE:xwalk>")
  set_tests_properties(truth.rules PROPERTIES SKIP_RETURN_CODE 77)
endif()
