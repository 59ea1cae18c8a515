# What a release consists of, tried: the Debian and conda packages, the container's file, and one version in all places. The source archive is built by
# consumer.source, the wheels are tried by python.wheel.
if(NOT TARGET xwalk OR CMAKE_CXX_FLAGS MATCHES fsanitize)
  return()
endif()
foreach(part version debian recipes libraries hardening)
  xwalk_add_python_test(dist.${part} "${CMAKE_CURRENT_SOURCE_DIR}/dist/${part}_test.py")
endforeach()
