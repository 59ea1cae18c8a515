# The engine programs: Python, beside the plugin in a build tree and in an installation. In a build they run with the
# interpreter that has their packages; installed ones with the python3 of PATH.
function(_xwalk_engines folder interpreter)
  set(XWALK_ENGINE_INTERPRETER "${interpreter}")
  foreach(name IN ITEMS lance vortex)
    configure_file("${PROJECT_SOURCE_DIR}/src/xwalk/engines/xwalk-engine-${name}.in" "${folder}/xwalk-engine-${name}"
      @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/src/xwalk/engines/xwalk_engine.py" "${folder}/xwalk_engine.py" @ONLY)
endfunction()

if(EXISTS "${XWALK_DEPS}/venv/bin/python")
  _xwalk_engines("${PROJECT_BINARY_DIR}" "${XWALK_DEPS}/venv/bin/python")
else()
  _xwalk_engines("${PROJECT_BINARY_DIR}" "/usr/bin/env python3")
endif()
_xwalk_engines("${PROJECT_BINARY_DIR}/engines-to-install" "/usr/bin/env python3")
install(PROGRAMS "${PROJECT_BINARY_DIR}/engines-to-install/xwalk-engine-lance"
  "${PROJECT_BINARY_DIR}/engines-to-install/xwalk-engine-vortex" DESTINATION "${CMAKE_INSTALL_LIBDIR}/xwalk")
install(FILES "${PROJECT_BINARY_DIR}/engines-to-install/xwalk_engine.py" DESTINATION "${CMAKE_INSTALL_LIBDIR}/xwalk")
