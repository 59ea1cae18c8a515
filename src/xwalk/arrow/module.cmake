# Compiles the format's own IDL. The generated code stays inside the library.
set(_generated "${CMAKE_CURRENT_BINARY_DIR}/generated/xwalk/arrow")
file(MAKE_DIRECTORY "${_generated}")
add_custom_command(
  OUTPUT "${_generated}/schema_generated.h"
  COMMAND "${XWALK_FLATC}" --cpp --scoped-enums -o "${_generated}" "${dir}/schema.fbs"
  DEPENDS "${dir}/schema.fbs" VERBATIM)
xwalk_generated_sources(arrow "${_generated}/schema_generated.h")
target_include_directories(xwalk_core SYSTEM PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/generated")
