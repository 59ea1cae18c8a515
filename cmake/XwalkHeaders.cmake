# The headers that are installed: the two of the C++ interface and what they include, which lint checks this list against.
# Every other header is the library's own.
set(XWALK_INSTALLED_HEADERS
  xwalk/base/error.h
  xwalk/base/path.h
  xwalk/hub/arrow_abi.h
  xwalk/skiff/row.h
  xwalk/skiff_job.hpp
  xwalk/xwalk.hpp
  xwalk/yson/node.h)
list(TRANSFORM XWALK_INSTALLED_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/src/")
