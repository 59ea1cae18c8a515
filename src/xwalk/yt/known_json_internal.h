#pragma once

#include <cstddef>
#include <string_view>

#include "xwalk/yt/back_off_internal.h"
#include "xwalk/yt/infer_internal.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {

/// Recognizes lines of plain JSON that are rows and add nothing to what was seen. After the first
/// rows of a table these are nearly all, and need no YSON.
class KnownJson {
 public:
  /// `row` outlives this object.
  explicit KnownJson(const Seen& row) : row_(row) {}

  /// Returns true if values of this form mean what plain JSON says.
  static bool suits(const JsonForm& form);

  /// Returns true only if the line is a row that is valid in every respect and in which nothing is
  /// new. JsonTranscoder::kPadding bytes after the line must be readable.
  bool row(std::string_view line);

 private:
  // Each returns the byte after what it reads, or null if it is invalid, rare or new.
  const char* fields(const char* p, const Fields& fields, size_t depth) const;
  const char* items(const char* p, const Seen& items, size_t depth) const;
  const char* value(const char* p, const Seen& seen, size_t depth) const;
  const char* string(const char* p) const;
  const char* number(const char* p, const Seen& seen) const;
  const Fields::Field* key(const char*& p, const Fields& fields, size_t* expected) const;

  const Seen& row_;
  const char* end_ = nullptr;
  BackOff back_off_;
};

}  // namespace xwalk::yt
