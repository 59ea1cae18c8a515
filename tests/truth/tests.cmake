# The same question from outside; more trips: `make truth`.
if(TARGET xwalk)
  xwalk_add_python_test(truth "${CMAKE_CURRENT_LIST_DIR}/truth_test.py::test_trips")
  # Several inputs, compared with one. Random combinations: options with pairs, folders of partitions, additions, files of other
  # writers, several inputs, hosts, rejected rows.
  foreach(test several every_option hive appends foreign fed_back hosts unequal lakes)
    xwalk_add_python_test(truth.${test} "${CMAKE_CURRENT_LIST_DIR}/truth_test.py::test_campaign[${test}]")
  endforeach()
  # Every line of the table of types.
  xwalk_add_python_test(truth.kinds "${CMAKE_CURRENT_LIST_DIR}/kinds_test.py")
  # Every rule of the catalogue, met and not met.
  xwalk_add_python_test(truth.rules "${CMAKE_CURRENT_LIST_DIR}/rules_test.py")
  # Pairs of types in every way in which two schemas meet.
  xwalk_add_python_test(truth.meaning "${CMAKE_CURRENT_LIST_DIR}/meaning_test.py")
  # Values of any type in every pair of encodings.
  xwalk_add_python_test(truth.any_pairs "${CMAKE_CURRENT_LIST_DIR}/any_pairs_test.py")
endif()
