# Third-party libraries. XWALK_DEPS is where tools/setup.sh puts what Debian does not carry, which hears the variable of
# the environment, too.
set(_deps .deps)
if(DEFINED ENV{XWALK_DEPS} AND NOT "$ENV{XWALK_DEPS}" STREQUAL "")
  set(_deps "$ENV{XWALK_DEPS}")
endif()
cmake_path(ABSOLUTE_PATH _deps BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
set(XWALK_DEPS "${_deps}" CACHE PATH "Folder filled by tools/setup.sh")
# The two headers of DuckDB that its extensions are made with (MIT), of the oldest release that loads ours.
set(XWALK_DUCKDB_HEADERS "${XWALK_DEPS}/duckdb-1.5.6" CACHE PATH "Folder of duckdb.h and duckdb_extension.h")

find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(simdjson 3 REQUIRED)
find_package(Protobuf REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
find_package(zstd REQUIRED CONFIG)
find_package(FlatBuffers REQUIRED CONFIG)
# utf8proc comes without a CMake package; it is linked by its name, so that the installed package names no path.
find_library(XWALK_UTF8PROC utf8proc REQUIRED)
find_program(XWALK_FLATC flatc REQUIRED)
set(XWALK_PRIVATE_LIBRARIES fmt::fmt nlohmann_json::nlohmann_json simdjson::simdjson
  protobuf::libprotobuf-lite ZLIB::ZLIB zstd::libzstd_shared flatbuffers::flatbuffers_shared utf8proc Threads::Threads
  ${CMAKE_DL_LIBS})

# nanoarrow: an installed package, else the sources of its PyPI source distribution.
find_package(nanoarrow QUIET)
if(nanoarrow_FOUND)
  add_library(nanoarrow INTERFACE)
  target_link_libraries(nanoarrow INTERFACE nanoarrow::nanoarrow nanoarrow::nanoarrow_ipc)
else()
  set(_root "${XWALK_DEPS}/nanoarrow-0.9.0")
  set(_src "${_root}/subprojects/arrow-nanoarrow/src")
  file(GLOB _flatcc "${_root}/subprojects/flatcc-*")
  if(NOT EXISTS "${_src}/nanoarrow/nanoarrow.h")
    message(FATAL_ERROR "nanoarrow not found in ${XWALK_DEPS}: run tools/setup.sh")
  endif()
  set(NANOARROW_VERSION 0.9.0)
  set(NANOARROW_VERSION_MAJOR 0)
  set(NANOARROW_VERSION_MINOR 9)
  set(NANOARROW_VERSION_PATCH 0)
  # A namespace of our own: another copy can live in the same process.
  set(NANOARROW_NAMESPACE_DEFINE "#define NANOARROW_NAMESPACE XwalkPrivate")
  set(_generated "${CMAKE_CURRENT_BINARY_DIR}/nanoarrow-generated")
  configure_file("${_src}/nanoarrow/nanoarrow_config.h.in" "${_generated}/nanoarrow/nanoarrow_config.h" @ONLY)
  add_library(nanoarrow OBJECT
    ${_src}/nanoarrow/common/array.c ${_src}/nanoarrow/common/array_stream.c
    ${_src}/nanoarrow/common/schema.c ${_src}/nanoarrow/common/utils.c
    ${_src}/nanoarrow/ipc/codecs.c ${_src}/nanoarrow/ipc/decoder.c ${_src}/nanoarrow/ipc/encoder.c
    ${_src}/nanoarrow/ipc/reader.c ${_src}/nanoarrow/ipc/writer.c
    ${_flatcc}/src/runtime/builder.c ${_flatcc}/src/runtime/emitter.c
    ${_flatcc}/src/runtime/refmap.c ${_flatcc}/src/runtime/verifier.c)
  target_include_directories(nanoarrow SYSTEM PUBLIC
    "${_src}" "${_generated}" "${_generated}/nanoarrow" "${_flatcc}/include")
endif()
