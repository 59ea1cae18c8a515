# The bindings for Rust and Go, where their tools are.
if(TARGET xwalk_shared AND TARGET xwalk)
  xwalk_add_python_test(bindings "${CMAKE_CURRENT_SOURCE_DIR}/bindings")
endif()
