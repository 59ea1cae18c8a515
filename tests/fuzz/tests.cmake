# The corpora of the fuzzers, by the compiler and with the libraries of this build.
add_test(NAME fuzz.corpora COMMAND "${XWALK_DEPS}/venv/bin/python" "${PROJECT_SOURCE_DIR}/tools/fuzz.py" replay
  "$<TARGET_FILE:xwalk_fuzz_replay>")
set_tests_properties(fuzz.corpora PROPERTIES TIMEOUT 600)
if(TARGET xwalk_parquet_plugin)
  add_dependencies(xwalk_fuzz_replay xwalk_parquet_plugin)
endif()
