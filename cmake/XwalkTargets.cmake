# Compile options every target of the project shares, and the shape of a module.

add_library(xwalk_project_options INTERFACE)
target_compile_options(xwalk_project_options INTERFACE
  -Wall -Wextra -Wpedantic -Wno-missing-field-initializers -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast> -Wswitch
  # GCC 12 sees overlaps and overflows in strings and vectors of the standard library that are not there (its bugs 105651
  # and 105329); precompiled headers make it say so.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>
  $<$<BOOL:${XWALK_WARNINGS_AS_ERRORS}>:-Werror>)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# The installed headers name what a library shows.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

# Precompiles what most sources of a target include, and the headers named besides. Each source still includes all it
# uses: lint reads the sources one by one, and the consumer test builds the library without precompiled headers.
function(xwalk_precompile target)
  if(XWALK_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE <algorithm> <functional> <map> <memory> <optional> <span> <string>
      <variant> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()

# Compiles the named sources of a target, of one folder, eight at a time: headers are read once for all, and functions of
# headers are compiled once. Names in the unnamed namespaces of a folder's sources must therefore differ, but in the
# sources of XWALK_COMPILED_ALONE.
function(xwalk_unite target)
  if(NOT XWALK_UNITY)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/src/xwalk" OUTPUT_VARIABLE name)
    if(name IN_LIST XWALK_COMPILED_ALONE)
      continue()
    endif()
    cmake_path(GET name PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    if(NOT DEFINED count_${folder})
      set(count_${folder} 0)
    endif()
    math(EXPR batch "${count_${folder}} / 8")
    math(EXPR count_${folder} "${count_${folder}} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${batch}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC takes a source for a header there.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

set(XWALK_COMPILED_ALONE
  # Other targets have an object of the same source, which takes the place of the library's.
  base/json.cc base/text.cc convert/named_options.cc crosswalk/modules.cc hub/option.cc io/plugins/engine_load.cc
  yt/json_plain.cc yt/json_transcoder.cc
  # Its names for meanings are those of kinds.
  hub/meaning.cc
  # The largest template of a dependency.
  base/nlohmann_json.cc
  # It is compiled with definitions of its own.
  cli/built_with.cc
  # It defines a macro before it includes the header of DuckDB.
  duckdb/extension.cc
  # Their names for parts of a format are those of others like them.
  arrow/batches.cc crosswalk/column_key_forms.cc crosswalk/column_keys.cc crosswalk/reader_table.cc crosswalk/readers.cc
  crosswalk/reader_values.cc crosswalk/value_condition.cc
  duckdb/answer.cc duckdb/options.cc
  io/formats/arrow_rows.cc io/formats/csv_rows.cc io/formats/group_order.cc io/formats/json_rows.cc io/formats/julian_times.cc
  io/formats/delta_rows.cc io/formats/iceberg_rows.cc io/formats/lance_rows.cc io/formats/parquet_rows.cc io/formats/skiff_rows.cc io/formats/vortex_rows.cc
  io/formats/yson_rows.cc io/places/other_tables.cc lance/data_version.cc lance/json.cc parquet/arrow_schema.cc parquet/decode.cc parquet/elements.cc
  parquet/pages.cc parquet/row_groups.cc parquet/shred.cc parquet/unshred.cc vortex/scalar_json.cc yson/json.cc)

# Names the sources that a module's IDLs are compiled to. The target xwalk_generated makes those of all modules, for tools
# that read the sources without building them.
function(xwalk_generated_sources module)
  target_sources(xwalk_core PRIVATE ${ARGN})
  if(NOT TARGET xwalk_generated)
    add_custom_target(xwalk_generated)
  endif()
  add_custom_target(xwalk_generated_${module} DEPENDS ${ARGN})
  add_dependencies(xwalk_generated xwalk_generated_${module})
endfunction()

# Adds every source of src/xwalk/<module> and its folders to the core library. A module that compiles an IDL or carries data says so in
# its own module.cmake.
function(xwalk_add_module module)
  set(dir "${PROJECT_SOURCE_DIR}/src/xwalk/${module}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${dir}/*.cc")
  target_sources(xwalk_core PRIVATE ${sources})
  xwalk_unite(xwalk_core ${sources})
  if(EXISTS "${dir}/module.cmake")
    include("${dir}/module.cmake")
  endif()
endfunction()
