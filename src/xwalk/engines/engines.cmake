# The engine programs: Python, beside the plugin in a build tree and in an installation. In a build they run with the
# interpreter that has their packages; installed ones with the python3 of PATH.
function(_xwalk_engines folder interpreter)
  set(XWALK_ENGINE_INTERPRETER "${interpreter}")
  foreach(name IN ITEMS delta iceberg lance vortex yt)
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
# Programs of the build tree, and its Python package, find the plugin and the engines where installed ones do: beside
# themselves.
foreach(folder IN ITEMS tests bench static python/xwalk_parquet)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/${folder}")
  foreach(file IN ITEMS libxwalk_parquet.so libxwalk_stores.so xwalk-engine-delta xwalk-engine-iceberg
      xwalk-engine-lance xwalk-engine-vortex xwalk-engine-yt)
    file(CREATE_LINK "${PROJECT_BINARY_DIR}/${file}" "${PROJECT_BINARY_DIR}/${folder}/${file}" SYMBOLIC)
  endforeach()
endforeach()
_xwalk_engines("${PROJECT_BINARY_DIR}/engines-to-install" "/usr/bin/env python3")
install(PROGRAMS "${PROJECT_BINARY_DIR}/engines-to-install/xwalk-engine-delta"
  "${PROJECT_BINARY_DIR}/engines-to-install/xwalk-engine-iceberg"
  "${PROJECT_BINARY_DIR}/engines-to-install/xwalk-engine-lance"
  "${PROJECT_BINARY_DIR}/engines-to-install/xwalk-engine-vortex"
  "${PROJECT_BINARY_DIR}/engines-to-install/xwalk-engine-yt" DESTINATION "${CMAKE_INSTALL_LIBDIR}/xwalk")
install(FILES "${PROJECT_BINARY_DIR}/engines-to-install/xwalk_engine.py" DESTINATION "${CMAKE_INSTALL_LIBDIR}/xwalk")
