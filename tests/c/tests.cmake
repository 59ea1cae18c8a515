# The C interface: called from C, compiled as C11 without extensions, by itself and under valgrind; the examples; and
# what the shared library shows of itself.
if(NOT XWALK_BUILD_C)
  return()
endif()
foreach(program "interface c/interface.c" "example_schema ../examples/c/schema.c" "example_rows ../examples/c/rows.c")
  separate_arguments(words UNIX_COMMAND "${program}")
  list(GET words 0 name)
  list(GET words 1 source)
  add_executable(xwalk_c_${name} "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
  target_link_libraries(xwalk_c_${name} PRIVATE xwalk::c)
  target_compile_options(xwalk_c_${name} PRIVATE -Wall -Wextra -Wstrict-prototypes -Werror -pedantic)
  set_target_properties(xwalk_c_${name} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
endforeach()
target_compile_definitions(xwalk_c_interface PRIVATE EXPECTED_VERSION="${PROJECT_VERSION}")

find_package(Python3 COMPONENTS Interpreter REQUIRED)
foreach(part interface memory examples symbols options page)
  add_test(NAME c.${part} COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/c/run.py" ${part}
    "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")
  set_tests_properties(c.${part} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
