#pragma once

#include <cstddef>
#include <string_view>

#include "xwalk/variant/fault.h"
#include "xwalk/yson/walk.h"

namespace xwalk::variant {

/// Reads one value in YSON and reports it to a sink of yson::Walker. An error is placed at the byte
/// where the reader stopped.
template <typename Sink>
Outcome walk_yson(std::string_view yson, Sink* sink) {
  const char* const begin = yson.data();
  const char* p = begin;
  const char* const end = begin + yson.size();
  const yson::Status status = yson::walk_value(p, end, kMaxDepth, sink);
  if (status == yson::Status::Ok) yson::skip_space(p, end);
  if (status == yson::Status::Ok && p == end) return {};
  const Fault fault = status == yson::Status::TooDeep ? Fault::TooDeep : Fault::Yson;
  return {fault, static_cast<size_t>(p - begin)};
}

}  // namespace xwalk::variant
