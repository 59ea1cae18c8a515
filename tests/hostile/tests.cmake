# The hostile-input suite: one test for each group of cases, by the point of the list of attacks.
if(NOT TARGET xwalk)
  return()
endif()
set(groups 1 2 3 4 5 6 7 8 8a 8b 8d 9 10 11 12 13 14 14a 14b 15)
if(CMAKE_CXX_FLAGS MATCHES "fsanitize=thread")
  # threads.module is the same.
  list(REMOVE_ITEM groups 14a)
endif()
foreach(group IN LISTS groups)
  xwalk_add_python_test(hostile.${group} "${CMAKE_CURRENT_LIST_DIR}/hostile_test.py" MARK group_${group})
  set_tests_properties(hostile.${group} PROPERTIES TIMEOUT 1800)
endforeach()
