# The documentation site is built and looked at, and what its pages show is run. By the interpreter that tools/setup.sh
# fills; skipped with a printed reason and exit code 77 where something is missing.
set(XWALK_SITE_PYTHON "${XWALK_DEPS}/venv/bin/python")
if(TARGET xwalk AND EXISTS "${XWALK_SITE_PYTHON}")
  add_test(NAME site.commands COMMAND "${XWALK_SITE_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/commands_test.py"
    "$<TARGET_FILE:xwalk>")
  xwalk_add_python_test(site.pages "${CMAKE_CURRENT_LIST_DIR}/site_test.py")
  set_tests_properties(site.commands site.pages PROPERTIES SKIP_RETURN_CODE 77
    ENVIRONMENT "XWALK_DEPS=${XWALK_DEPS};XWALK_SCREENSHOTS=${PROJECT_BINARY_DIR}/screenshots")
endif()
