# Dragonbox, the shortest digits of doubles: headers alone, of which no other source and no header of ours knows.
get_target_property(_dragonbox dragonbox::dragonbox INTERFACE_INCLUDE_DIRECTORIES)
set_source_files_properties("${dir}/writer.cc" PROPERTIES COMPILE_OPTIONS "-isystem;${_dragonbox}")
