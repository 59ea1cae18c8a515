# Compiles the format's own IDL. The generated code stays inside the library.
set(_generated "${CMAKE_CURRENT_BINARY_DIR}/generated/xwalk/lance")
file(MAKE_DIRECTORY "${_generated}")
add_custom_command(
  OUTPUT "${_generated}/schema.pb.cc" "${_generated}/schema.pb.h"
  COMMAND protobuf::protoc "--cpp_out=${_generated}" "--proto_path=${dir}" "${dir}/schema.proto"
  DEPENDS "${dir}/schema.proto" VERBATIM)
xwalk_generated_sources(lance "${_generated}/schema.pb.cc" "${_generated}/schema.pb.h")
target_include_directories(xwalk_core SYSTEM PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/generated")
# The generator's code is not held to our warnings.
set_source_files_properties("${_generated}/schema.pb.cc" PROPERTIES COMPILE_OPTIONS "-w")
