# Installation and the package that find_package(xwalk) finds, from the install tree and from the build tree.
include(CMakePackageConfigHelpers)
install(TARGETS xwalk_core EXPORT xwalk-targets FILE_SET HEADERS)
install(EXPORT xwalk-targets NAMESPACE xwalk:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/xwalk)
