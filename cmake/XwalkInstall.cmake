# Installation, and the package that find_package(xwalk) finds.
include(CMakePackageConfigHelpers)
set(XWALK_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/xwalk")

install(TARGETS xwalk_core EXPORT xwalk-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT xwalk-targets NAMESPACE xwalk:: DESTINATION "${XWALK_CMAKE_DIR}")
set(XWALK_ENGINE_FOLDER "${CMAKE_INSTALL_LIBDIR}/xwalk")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/xwalk-config.cmake.in"
  "${PROJECT_BINARY_DIR}/xwalk-config.cmake" INSTALL_DESTINATION "${XWALK_CMAKE_DIR}"
  PATH_VARS XWALK_ENGINE_FOLDER)
# Found by pkg-config from their own place, so that an installation can be moved.
file(RELATIVE_PATH XWALK_PKG_CONFIG_UP "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
set(_pkg_config xwalk-static.pc)
if(XWALK_BUILD_SHARED)
  list(APPEND _pkg_config xwalk.pc)
endif()
foreach(_file IN LISTS _pkg_config)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${_file}.in" "${PROJECT_BINARY_DIR}/${_file}" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${_file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
# Before 1.0 a minor version may change interfaces.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/xwalk-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/xwalk-config.cmake" "${PROJECT_BINARY_DIR}/xwalk-config-version.cmake"
  DESTINATION "${XWALK_CMAKE_DIR}")

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR})
# What `--output json` of check, diff and compat promises.
install(FILES "${PROJECT_SOURCE_DIR}/docs/report.schema.json" DESTINATION ${CMAKE_INSTALL_DATADIR}/xwalk)
