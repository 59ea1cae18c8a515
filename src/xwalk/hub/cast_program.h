#pragma once

#include <mutex>
#include <span>

#include "xwalk/hub/cast.h"
#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub {

/// One end of a cast: rows as a struct. The schema is built on demand: a caller that only plans a
/// cast already has one, and schemas of wide tables take megabytes.
class CastEnd {
 public:
  explicit CastEnd(const Schema& schema)
      : root_("", struct_(schema.fields), schema.nullable_rows),
        metadata_(schema.metadata),
        bare_rows_(schema.bare_rows) {}

  const Field& root() const { return root_; }
  const Schema& schema() const {
    std::call_once(once_, [&] {
      const std::span<const Field> fields = root_.type.children();
      schema_ = {{fields.begin(), fields.end()}, metadata_, root_.nullable, bare_rows_};
    });
    return schema_;
  }

 private:
  Field root_;
  Metadata metadata_;
  bool bare_rows_;
  mutable std::once_flag once_;
  mutable Schema schema_;
};

/// What a cast is made of.
struct CompiledCast::Program {
  Program(const Schema& source, const Schema& target) : from(source), to(target) {}

  CastEnd from;
  CastEnd to;
  Findings findings;
  CastOptions options;
  cast::KernelPtr kernel;
};

/// Compiles the kernel of a program whose ends and options are set.
cast::KernelPtr kernel_of(const CompiledCast::Program& program, Findings* findings);

}  // namespace xwalk::hub
