# Tests against independent implementations, by the interpreter that tools/setup.sh fills. A test
# skips with a printed reason and exit code 77.
set(XWALK_ORACLES "${XWALK_DEPS}/venv/bin/python")
if(TARGET xwalk)
  file(GLOB programs CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*_test.py")
  # A sanitized module has no stub, and becomes no wheel.
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=(address|thread)")
    list(FILTER programs EXCLUDE REGEX "/(types|wheel)_test\\.py$")
  endif()
  foreach(program IN LISTS programs)
    cmake_path(GET program STEM name)
    string(REGEX REPLACE "_test$" "" name "${name}")
    set(python "${XWALK_ORACLES}")
    # Ray, Dask and Daft need other versions than the oracles: tools/setup.sh clusters.
    if(name MATCHES "^(ray|dask_daft)$" AND EXISTS "${XWALK_DEPS}/clusters-venv/bin/python")
      set(python "${XWALK_DEPS}/clusters-venv/bin/python")
    endif()
    xwalk_add_python_test(python.${name} "${program}" PYTHON "${python}")
  endforeach()
  # The interfaces of Ray, Dask and Daft differ between releases: a second run with older ones.
  foreach(name ray dask_daft)
    string(REPLACE "_" "-" environment "${name}-older-venv")
    if(EXISTS "${XWALK_DEPS}/${environment}/bin/python")
      xwalk_add_python_test(python.${name}_older "${CMAKE_CURRENT_LIST_DIR}/${name}_test.py"
        PYTHON "${XWALK_DEPS}/${environment}/bin/python")
    endif()
  endforeach()
  if(TEST python.report_page)
    # What the browser saw of the HTML reports, for people to look at.
    set_tests_properties(python.report_page PROPERTIES
      ENVIRONMENT "XWALK_SCREENSHOTS=${PROJECT_BINARY_DIR}/screenshots")
  endif()
endif()
