# The header lies alone in a folder of its own, so that <xwalk.h> is the same in a build tree and installed.
configure_file("${dir}/xwalk.h" "${PROJECT_BINARY_DIR}/include/xwalk.h" COPYONLY)
target_sources(xwalk_core PUBLIC FILE_SET HEADERS FILES "${PROJECT_BINARY_DIR}/include/xwalk.h")
