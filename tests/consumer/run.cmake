# Configures, builds and runs tests/consumer. MODE: install (found by find_package in an install
# prefix) or source (as a subdirectory).
set(binary "${WORK}/${MODE}")
set(options -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_C_COMPILER=${CC}")
if(MODE STREQUAL install)
  file(REMOVE_RECURSE "${WORK}/prefix")
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${XWALK_BINARY}" --prefix "${WORK}/prefix"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  if(EXISTS "${WORK}/prefix/bin/xwalk")
    foreach(page bash-completion/completions/xwalk zsh/site-functions/_xwalk
        fish/vendor_completions.d/xwalk.fish man/man1/xwalk.1)
      file(SIZE "${WORK}/prefix/share/${page}" size)
      if(size LESS 1000)
        message(FATAL_ERROR "share/${page} has ${size} bytes")
      endif()
    endforeach()
  endif()
  list(APPEND options "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
else()
  list(APPEND options "-DXWALK_SOURCE=${XWALK_SOURCE}" "-DXWALK_DEPS=${XWALK_DEPS}" -DCMAKE_BUILD_TYPE=Debug
    "-DCMAKE_CXX_FLAGS_DEBUG=-O0" "-DCMAKE_C_FLAGS_DEBUG=-O0")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${binary}" ${options} --log-level=WARNING
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${binary}" --target consumer COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${binary}/consumer" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
set(expected "list<item: int64 not null>\n{\"a\"=1;\"b\"=[%true;#;];}\n")
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "expected ${expected}found ${output}")
endif()
