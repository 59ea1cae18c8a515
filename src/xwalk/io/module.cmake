# Where an installation keeps its plugins and engine programs, seen from the folder of its programs.
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/xwalk/io/plugins/engine_file.cc" PROPERTIES
  COMPILE_DEFINITIONS "XWALK_LIBRARY_FOLDER=\"${CMAKE_INSTALL_LIBDIR}\"")
include("${PROJECT_SOURCE_DIR}/src/xwalk/engines/engines.cmake")
