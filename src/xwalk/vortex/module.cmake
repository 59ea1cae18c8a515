# Compiles the format's own IDLs. The generated code stays inside the library.
set(_generated "${CMAKE_CURRENT_BINARY_DIR}/generated/xwalk/vortex")
file(MAKE_DIRECTORY "${_generated}")
set(_outputs)
foreach(_idl dtype file message)
  add_custom_command(
    OUTPUT "${_generated}/${_idl}_generated.h"
    COMMAND "${XWALK_FLATC}" --cpp --scoped-enums -o "${_generated}" "${dir}/${_idl}.fbs"
    DEPENDS "${dir}/${_idl}.fbs" VERBATIM)
  list(APPEND _outputs "${_generated}/${_idl}_generated.h")
endforeach()
add_custom_command(
  OUTPUT "${_generated}/dtype.pb.cc" "${_generated}/dtype.pb.h"
  COMMAND protobuf::protoc "--cpp_out=${_generated}" "--proto_path=${dir}" "${dir}/dtype.proto"
  DEPENDS "${dir}/dtype.proto" VERBATIM)
list(APPEND _outputs "${_generated}/dtype.pb.cc" "${_generated}/dtype.pb.h")
xwalk_generated_sources(vortex ${_outputs})
target_include_directories(xwalk_core SYSTEM PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/generated")
# The generators' code is not held to our warnings.
set_source_files_properties("${_generated}/dtype.pb.cc" PROPERTIES COMPILE_OPTIONS "-w")
