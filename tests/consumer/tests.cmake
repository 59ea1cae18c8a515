# The package as others see it. Every installed header compiles alone with the public dependencies only, and so does every
# header of a module without a source of its name. A source includes its own header first, which `make lint` checks. A
# project can use the library installed and as a subdirectory.
set(own_headers)
foreach(module IN LISTS XWALK_MODULES)
  file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/xwalk/${module}/*.h")
  foreach(header IN LISTS headers)
    cmake_path(REPLACE_EXTENSION header LAST_ONLY cc OUTPUT_VARIABLE source)
    if(NOT EXISTS "${source}")
      list(APPEND own_headers "${header}")
    endif()
  endforeach()
endforeach()
list(FILTER own_headers EXCLUDE REGEX "_internal\\.h$")
list(REMOVE_ITEM own_headers ${XWALK_INSTALLED_HEADERS})
add_library(xwalk_own_headers INTERFACE)
target_sources(xwalk_own_headers INTERFACE
  FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/src" FILES ${own_headers})
target_link_libraries(xwalk_own_headers INTERFACE xwalk_core)
set_target_properties(xwalk_core xwalk_own_headers PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
add_test(NAME headers COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}"
  --target all_verify_interface_header_sets)
set_tests_properties(headers PROPERTIES RUN_SERIAL ON)

# A sanitized library asks its consumers for the sanitizers, which is not what is tested here.
if(NOT CMAKE_CXX_FLAGS MATCHES fsanitize)
  foreach(mode install source fetch)
    add_test(NAME consumer.${mode} COMMAND "${CMAKE_COMMAND}"
      -DMODE=${mode} "-DWORK=${PROJECT_BINARY_DIR}/consumer" "-DXWALK_SOURCE=${PROJECT_SOURCE_DIR}"
      "-DXWALK_BINARY=${PROJECT_BINARY_DIR}" "-DVERSION=${PROJECT_VERSION}" "-DXWALK_DEPS=${XWALK_DEPS}" "-DGENERATOR=${CMAKE_GENERATOR}"
      "-DCXX=${CMAKE_CXX_COMPILER}" "-DCC=${CMAKE_C_COMPILER}" -P "${CMAKE_CURRENT_LIST_DIR}/run.cmake")
  endforeach()
  set_tests_properties(consumer.source consumer.fetch PROPERTIES RESOURCE_LOCK consumer_sources)
  set_tests_properties(consumer.fetch PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
  if(TARGET xwalk)
    xwalk_add_python_test(consumer.symbols "${CMAKE_CURRENT_LIST_DIR}/symbols_test.py")
  endif()
endif()
