#pragma once

#include <functional>
#include <memory>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/cast_options.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// A program that turns batches of one schema into batches of another. Immutable; `run` may be
/// called from several threads.
class CompiledCast {
 public:
  struct Program;
  explicit CompiledCast(std::shared_ptr<const Program> program);

  const Schema& from() const;
  const Schema& to() const;
  /// Returns true if every batch passes as it is.
  bool is_identity() const;
  /// What the cast does to the values of each path, worst first within a path. The values of paths
  /// without a finding are kept. Paths are the source's.
  const Findings& findings() const&;
  /// The same of a temporary, by value.
  Findings findings() &&;
  const CastOptions& options() const;

  /// Converts one batch. Buffers that do not change are moved, not copied. A value that does not
  /// fit marks its row bad; nothing is wrapped or truncated. Bad rows of the argument stay bad.
  Batch run(Batch batch) const;

 private:
  std::shared_ptr<const Program> program_;
};

/// Compiles the conversion from one schema to another. Columns, struct members and alternatives are
/// paired by name, never by position; `CastOptions::renames` has the new names. A column of `to`
/// that `from` lacks is filled with nulls if it is nullable; one of `from` that `to` lacks is
/// dropped with a finding. Throws Error (Unsupported) with the path if there is no conversion.
CompiledCast compile_cast(const Schema& from, const Schema& to, const CastOptions& options = {});

/// Returns a cast of rows whose columns are cast as those of `like`. It is compiled when it first
/// runs.
CompiledCast compile_later(const CompiledCast& like, const Schema& from, const Schema& to,
                           Renames renames, Findings findings);

/// Returns a cast for batches of another layout: columns of `from` may be dictionaries of the
/// values that columns of `cast.from()` have. If `takes` returns true for a column's index in
/// `cast.to()`, a dictionary stays a dictionary with 32-bit indices. All others are decoded.
CompiledCast keep_dictionaries(const CompiledCast& cast, const Schema& from,
                               const std::function<bool(size_t)>& takes);

/// Compiles checks for batches that other software made: rejects rows whose values are invalid for
/// their type, such as text that is not UTF-8 and times beyond a day.
CompiledCast compile_checks(const Schema& schema);

/// Compiles checks for what the system and the annotations of a schema promise beyond the Arrow
/// types: that bytes are YSON, text is JSON, a date is within YTsaurus's range. `kept` is a schema
/// whose promises the producer has already checked, or null.
CompiledCast compile_promises(const Schema& schema, const Refine& refine,
                              const Schema* kept = nullptr);

/// Wraps a reader so that its batches come out cast.
std::unique_ptr<BatchReader> cast_stream(std::unique_ptr<BatchReader> reader, CompiledCast cast);

}  // namespace xwalk::hub
