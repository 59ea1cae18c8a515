# The same question from outside; more trips: `make truth`.
if(TARGET xwalk AND EXISTS "${XWALK_DEPS}/venv/bin/python")
  add_test(NAME truth COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_LIST_DIR}/truth.py" "$<TARGET_FILE:xwalk>")
  set_tests_properties(truth PROPERTIES SKIP_RETURN_CODE 77)
  # Several inputs, compared with one. Random combinations: options with pairs, folders of partitions, additions, files of other
  # writers, several inputs, hosts, rejected rows. Every line of the table of types.
  foreach(test several every_option hive appends foreign fed_back hosts unequal kinds)
    add_test(NAME truth.${test} COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_LIST_DIR}/${test}.py" "$<TARGET_FILE:xwalk>")
    set_tests_properties(truth.${test} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
  # Every rule of the catalogue, met and not met.
  xwalk_add_python_test(truth.rules "${CMAKE_CURRENT_LIST_DIR}/rules_test.py")
  # Values of any type in every pair of encodings.
  xwalk_add_python_test(truth.any_pairs "${CMAKE_CURRENT_LIST_DIR}/any_pairs_test.py")
endif()
