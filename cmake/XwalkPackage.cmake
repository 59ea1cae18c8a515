# Debian packages, by `cpack -G DEB`: xwalk, and xwalk-parquet with the plugin and Arrow libraries of its own. What is
# particular to Debian is in packaging/debian.
set(CPACK_PACKAGE_NAME xwalk)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "walks tables between YTsaurus, Skiff, Parquet, Lance, Vortex and Arrow")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/debian/finish.cmake")
set(CPACK_XWALK_SOURCE "${PROJECT_SOURCE_DIR}")
set(CPACK_XWALK_LIBDIR "${CMAKE_INSTALL_LIBDIR}")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL xwalk)
if(XWALK_BUILD_PARQUET)
  list(APPEND CPACK_COMPONENTS_ALL xwalk-parquet arrow-libraries)
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The maintainers of xwalk <maintainers@xwalk.invalid>")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

configure_file("${PROJECT_SOURCE_DIR}/packaging/debian/shlibs.in" "${PROJECT_BINARY_DIR}/debian/shlibs" @ONLY)
set(CPACK_DEBIAN_XWALK_PACKAGE_NAME xwalk)
set(CPACK_DEBIAN_XWALK_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_XWALK_PACKAGE_CONTROL_EXTRA
  "${PROJECT_BINARY_DIR}/debian/shlibs" "${PROJECT_SOURCE_DIR}/packaging/debian/triggers")
set(CPACK_DEBIAN_XWALK_DESCRIPTION "Walks table schemas and rows between YTsaurus (types, YSON), Skiff, Parquet,
Lance, Vortex and Arrow, and says for every column what is kept, narrowed or
lost. The program, the C library, and the C++ library with its headers.
Parquet and Arrow rows need the package xwalk-parquet, those of Lance and
Vortex the Python packages pylance and vortex-data.")
# The engine programs are Python; a program that links the static C++ library needs what it is made of.
set(CPACK_DEBIAN_XWALK_PACKAGE_RECOMMENDS "xwalk-parquet, python3")
set(CPACK_DEBIAN_XWALK_PACKAGE_SUGGESTS
  "libfmt-dev, nlohmann-json3-dev, libsimdjson-dev, libprotobuf-dev, zlib1g-dev, libzstd-dev, libflatbuffers-dev, libutf8proc-dev")

set(CPACK_DEBIAN_XWALK-PARQUET_PACKAGE_NAME xwalk-parquet)
set(CPACK_DEBIAN_XWALK-PARQUET_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_XWALK-PARQUET_PACKAGE_DEPENDS "xwalk (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_XWALK-PARQUET_PACKAGE_RECOMMENDS "libcurl4 | libcurl3-gnutls")
set(CPACK_DEBIAN_XWALK-PARQUET_DESCRIPTION "The plugin with which xwalk reads and writes the rows of Parquet files and of
Arrow files and streams. It brings Arrow libraries of its own, which nothing
else sees.")
if(XWALK_BUILD_PARQUET)
  get_target_property(_arrow_library xwalk_arrow IMPORTED_LOCATION)
  if(_arrow_library)
    cmake_path(GET _arrow_library PARENT_PATH CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS)
  endif()
endif()

include(CPack)
cpack_add_component_group(xwalk)
cpack_add_component(xwalk GROUP xwalk)
cpack_add_component_group(xwalk-parquet)
cpack_add_component(xwalk-parquet GROUP xwalk-parquet)
cpack_add_component(arrow-libraries GROUP xwalk-parquet)
