# Finds Arrow C++ and Parquet C++: an installed package, else the headers and libraries inside a pyarrow wheel.
# Defines the targets xwalk_arrow, xwalk_arrow_s3 and xwalk_parquet_cpp. XWALK_PYARROW names the folder of pyarrow, XWALK_PYTHON
# the interpreter that has it.
find_package(Arrow QUIET CONFIG)
find_package(Parquet QUIET CONFIG)
if(Arrow_FOUND AND Parquet_FOUND)
  add_library(xwalk_arrow INTERFACE)
  target_link_libraries(xwalk_arrow INTERFACE Arrow::arrow_shared)
  add_library(xwalk_parquet_cpp INTERFACE)
  target_link_libraries(xwalk_parquet_cpp INTERFACE Parquet::parquet_shared xwalk_arrow)
  # A library of its own since Arrow 26.
  add_library(xwalk_arrow_s3 INTERFACE)
  find_package(ArrowS3 QUIET CONFIG)
  target_link_libraries(xwalk_arrow_s3 INTERFACE xwalk_arrow $<TARGET_NAME_IF_EXISTS:ArrowS3::arrow_s3_shared>)
  set(ArrowSdk_FOUND TRUE)
  return()
endif()

set(_pyarrow "${XWALK_PYARROW}")
if(NOT _pyarrow AND NOT XWALK_PYTHON)
  if(EXISTS "${XWALK_DEPS}/venv/bin/python")
    set(XWALK_PYTHON "${XWALK_DEPS}/venv/bin/python")
  else()
    find_package(Python3 COMPONENTS Interpreter REQUIRED)
    set(XWALK_PYTHON "${Python3_EXECUTABLE}")
  endif()
endif()
if(NOT _pyarrow)
  # find_spec does not import pyarrow, which would cost half a second.
  execute_process(
    COMMAND "${XWALK_PYTHON}" -c "import importlib.util as u, os; print(os.path.dirname(u.find_spec('pyarrow').origin))"
    OUTPUT_VARIABLE _pyarrow OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE _failed ERROR_QUIET)
  if(_failed)
    message(FATAL_ERROR "No Arrow C++ package, and ${XWALK_PYTHON} has no pyarrow: run tools/setup.sh")
  endif()
endif()
file(GLOB _libarrow "${_pyarrow}/libarrow.so.[0-9]*")
string(REGEX MATCH "[0-9]+$" _soversion "${_libarrow}")
function(_xwalk_import target base)
  add_library(${target} SHARED IMPORTED GLOBAL)
  # The full versioned name needs no symlink, so the wheel stays untouched.
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION "${_pyarrow}/lib${base}.so.${_soversion}"
    IMPORTED_SONAME "lib${base}.so.${_soversion}"
    INTERFACE_INCLUDE_DIRECTORIES "${_pyarrow}/include"
    INTERFACE_LINK_LIBRARIES "${ARGN}")
endfunction()
_xwalk_import(xwalk_arrow arrow)
_xwalk_import(xwalk_arrow_s3 arrow_s3 xwalk_arrow)
_xwalk_import(xwalk_parquet_cpp parquet xwalk_arrow)
set(ArrowSdk_FOUND TRUE)
