# Where an installation keeps its plugins, seen from the folder of its programs.
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/xwalk/io/engine.cc" PROPERTIES
  COMPILE_DEFINITIONS "XWALK_LIBRARY_FOLDER=\"${CMAKE_INSTALL_LIBDIR}\"")
