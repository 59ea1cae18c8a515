target_sources(xwalk_io_tests PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/yt/stored_form.cc")
# A plugin that the loader refuses.
add_library(xwalk_other_version_plugin MODULE io/other_version_plugin.cc)
target_include_directories(xwalk_other_version_plugin PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(xwalk_other_version_plugin PRIVATE xwalk_project_options)
set_target_properties(xwalk_other_version_plugin PROPERTIES
  OUTPUT_NAME xwalk_other_version PREFIX lib LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
add_dependencies(xwalk_io_tests xwalk_other_version_plugin)
target_compile_definitions(xwalk_io_tests PRIVATE XWALK_TEST_PLUGINS="${CMAKE_CURRENT_BINARY_DIR}")
# The plugin, read and written by others: each test is one Python program.
add_executable(xwalk_copy_rows io/copy_rows.cc)
target_link_libraries(xwalk_copy_rows PRIVATE xwalk::core xwalk_project_options)
if(XWALK_BUILD_PARQUET)
  add_dependencies(xwalk_io_tests xwalk_parquet_plugin)
  add_dependencies(xwalk_copy_rows xwalk_parquet_plugin)
  find_program(XWALK_TEST_PYTHON NAMES python python3 PATHS "${XWALK_DEPS}/venv/bin" NO_DEFAULT_PATH)
  if(XWALK_TEST_PYTHON)
    foreach(test IN ITEMS parquet arrow yson damaged)
      add_test(NAME io.python.${test}
        COMMAND "${XWALK_TEST_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/io/${test}_oracle.py" $<TARGET_FILE:xwalk_copy_rows>)
      set_tests_properties(io.python.${test} PROPERTIES SKIP_RETURN_CODE 77)
    endforeach()
    if(TARGET xwalk)
      foreach(test IN ITEMS arrow_streams folders json_lines memory odd_files opens table_arrow)
        add_test(NAME io.${test}
          COMMAND "${XWALK_TEST_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/io/${test}.py" $<TARGET_FILE:xwalk>)
        set_tests_properties(io.${test} PROPERTIES SKIP_RETURN_CODE 77)
      endforeach()
    endif()
  endif()
endif()
if(TARGET xwalk)
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
  add_test(NAME io.survive
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/io/survive.py" $<TARGET_FILE:xwalk>)
endif()
# Object stores: real servers on loopback.
if(TARGET xwalk AND XWALK_BUILD_PARQUET AND EXISTS "${XWALK_DEPS}/venv/bin/python")
  add_test(NAME io.stores
    COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_SOURCE_DIR}/io/stores.py" $<TARGET_FILE:xwalk>)
  add_test(NAME io.store_folders
    COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_SOURCE_DIR}/io/store_folders.py" $<TARGET_FILE:xwalk>)
  set_tests_properties(io.stores io.store_folders PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
  add_dependencies(xwalk_io_tests xwalk_stores_plugin)
endif()
# Tables on a cluster: the real client, against a double of the HTTP API.
if(TARGET xwalk AND XWALK_BUILD_PARQUET AND EXISTS "${XWALK_DEPS}/venv/bin/python")
  add_test(NAME io.cluster
    COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_SOURCE_DIR}/io/cluster.py" $<TARGET_FILE:xwalk>)
  set_tests_properties(io.cluster PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
endif()
# Rows through the engine programs.
if(EXISTS "${XWALK_DEPS}/venv/bin/python")
  add_test(NAME io.python.engine
    COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_SOURCE_DIR}/io/engine_oracle.py"
    $<TARGET_FILE:xwalk_copy_rows> "${CMAKE_CURRENT_SOURCE_DIR}/samples")
  set_tests_properties(io.python.engine PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
  if(TARGET xwalk)
    add_test(NAME io.python.engine_copy
      COMMAND "${XWALK_DEPS}/venv/bin/python" "${CMAKE_CURRENT_SOURCE_DIR}/io/engine_copy.py"
      $<TARGET_FILE:xwalk> "${CMAKE_CURRENT_SOURCE_DIR}/samples")
    set_tests_properties(io.python.engine_copy PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
  endif()
  if(TARGET xwalk AND XWALK_BUILD_PARQUET)
    add_test(NAME io.python.lance COMMAND "${XWALK_DEPS}/venv/bin/python"
      "${CMAKE_CURRENT_SOURCE_DIR}/io/lance_oracle.py" $<TARGET_FILE:xwalk>)
    set_tests_properties(io.python.lance PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
    foreach(asked append lance_signals lance_versions resume verify)
      add_test(NAME io.python.${asked} COMMAND "${XWALK_DEPS}/venv/bin/python"
        "${CMAKE_CURRENT_SOURCE_DIR}/io/${asked}_test.py" $<TARGET_FILE:xwalk>)
      set_tests_properties(io.python.${asked} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
    endforeach()
  endif()
endif()
