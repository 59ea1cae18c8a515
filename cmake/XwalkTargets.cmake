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
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
endif()

# Precompiles what most sources of a target include, and the headers named besides. Each source still includes all it
# uses: lint reads the sources one by one, and the consumer test builds the library without precompiled headers.
function(xwalk_precompile target)
  if(XWALK_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE <algorithm> <functional> <map> <memory> <optional> <span> <string>
      <variant> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()

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
  if(EXISTS "${dir}/module.cmake")
    include("${dir}/module.cmake")
  endif()
endfunction()
