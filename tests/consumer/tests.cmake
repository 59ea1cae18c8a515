# The package as others see it: every public header compiles alone with the public dependencies
# only, and a project can use the library installed and as a subdirectory.
set_target_properties(xwalk_core PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
add_test(NAME headers COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}"
  --target all_verify_interface_header_sets)
set_tests_properties(headers PROPERTIES RUN_SERIAL ON)

# A sanitized library asks its consumers for the sanitizers, which is not what is tested here.
if(NOT CMAKE_CXX_FLAGS MATCHES fsanitize)
  foreach(mode install source)
    add_test(NAME consumer.${mode} COMMAND "${CMAKE_COMMAND}"
      -DMODE=${mode} "-DWORK=${PROJECT_BINARY_DIR}/consumer" "-DXWALK_SOURCE=${PROJECT_SOURCE_DIR}"
      "-DXWALK_BINARY=${PROJECT_BINARY_DIR}" "-DXWALK_DEPS=${XWALK_DEPS}" "-DGENERATOR=${CMAKE_GENERATOR}"
      "-DCXX=${CMAKE_CXX_COMPILER}" "-DCC=${CMAKE_C_COMPILER}" -P "${CMAKE_CURRENT_LIST_DIR}/run.cmake")
  endforeach()
endif()
