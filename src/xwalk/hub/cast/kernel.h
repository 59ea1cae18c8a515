#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/base/path.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/cast_options.h"
#include "xwalk/hub/find_cast.h"
#include "xwalk/hub/finding.h"

namespace xwalk::hub::cast {

/// Collects the rows that a run rejects: the first reason of each, or every reason.
class Refusals {
 public:
  Refusals(int64_t first_row, int64_t rows, bool every_reason = false)
      : first_row_(first_row), every_(every_reason), seen_(static_cast<size_t>(rows), false) {}
  /// Returns the number of the batch's first row in the whole input.
  int64_t first_row() const { return first_row_; }
  void add(int64_t row, const Path& path, std::string message, std::string hint);
  bool empty() const { return bad_.empty(); }
  /// Returns the rows in ascending order, together with those that were bad before.
  std::vector<BadRow> take(std::vector<BadRow> before);

 private:
  int64_t first_row_;
  bool every_;
  std::vector<bool> seen_;
  std::vector<BadRow> bad_;
};

/// Finds the row that holds an element of a nested column; asked only when a value is rejected.
class RowMap {
 public:
  virtual ~RowMap() = default;
  /// Returns the element one level up that holds `index`, or nothing if none shows it (it is below
  /// a null or outside every list).
  virtual std::optional<int64_t> holder(int64_t index) const = 0;
};

/// Where a kernel runs: how its elements map to rows.
struct Scope {
  Refusals* refusals;
  const Scope* outer = nullptr;
  const RowMap* map = nullptr;

  /// Returns the row of the batch that shows element `index`, or nothing if none does.
  std::optional<int64_t> row_of(int64_t index) const;
  /// Rejects the row of element `index`, unless no row shows the element.
  void refuse(int64_t index, const Path& path, const std::string& message,
              const std::string& hint = {}) const;
  Scope inside(const RowMap& inner) const { return {refusals, this, &inner}; }
};

/// One level of a cast. Made once, run on every batch. The result is as long as the argument.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual Array run(const Array& in, const Scope& scope) const = 0;
};

/// A kernel, or null if the array is passed through unchanged.
using KernelPtr = std::shared_ptr<const Kernel>;

inline Array run(const KernelPtr& kernel, const Array& in, const Scope& scope) {
  return kernel ? kernel->run(in, scope) : in;
}

/// A kernel from a function object.
template <typename Function>
KernelPtr make_kernel(Function function) {
  class FunctionKernel final : public Kernel {
   public:
    explicit FunctionKernel(Function body) : body_(std::move(body)) {}
    Array run(const Array& in, const Scope& scope) const override { return body_(in, scope); }

   private:
    Function body_;
  };
  return std::make_shared<FunctionKernel>(std::move(function));
}

/// Returns a kernel that runs both, one after the other.
KernelPtr chain(KernelPtr first, KernelPtr second);

/// Compiles a cast: carries the options and collects findings.
class Compiler {
 public:
  explicit Compiler(const CastOptions& cast_options) : options(cast_options) {}

  const CastOptions& options;
  Findings findings;
  /// Why there is no way. The kernels are of no use then.
  NoCast none;
  /// The column that is compiled, by its place in a list of `none`; null for the rows.
  std::pair<std::map<size_t, Error>*, size_t> column;

  /// Compiles a field with its nullability. Called for every level.
  KernelPtr field(const Field& from, const Field& to, const Path& path);

  /// Records what happens to a path.
  Finding& note(std::string_view rule, const Path& path, Effect effect = Effect::None,
                std::string lost = {});
  /// Records that nulls are rejected, since the target has none.
  void refuse_null(const Path& path);
  /// Records that a member has another name in the target, if it has.
  void renamed(const Field& from, const Field& to, const std::string& why, const Path& path);
  /// Records a narrowing: values are rejected, or altered if the option that alters is on.
  void narrow(const Narrowing& narrowing, const Path& path, bool altered = false);
  /// Records why there is no way, the first reason of each column, and returns no kernel.
  KernelPtr refuse(const Error& why);
  KernelPtr no_way(const Path& path, const Field& from, const Field& to);

  Refinement source(const Field& field) const {
    return options.source ? options.source(field) : Refinement{};
  }
  Refinement target(const Field& field) const {
    return options.target ? options.target(field) : Refinement{};
  }

 private:
  KernelPtr values(const Field& from, const Field& to, const Path& path);
  KernelPtr by_meaning(const Field& from, const std::vector<Meanings::Step>& steps, const Field& to,
                       const Path& path);

  /// The options to and from the types of `options.meanings`; made when the first of them is met.
  std::optional<CastOptions> to_meaning_;
  std::optional<CastOptions> from_meaning_;
};

/// A family's answer: it knows no way from one type to the other (nothing), or this kernel.
using Compiled = std::optional<KernelPtr>;

// One function per family, in the order they are asked. Each records its findings.
Compiled compile_nulls(Compiler& compiler, const Field& from, const Field& to, const Path& path);
Compiled compile_layouts(Compiler& compiler, const Field& from, const Field& to, const Path& path);
Compiled compile_bools(Compiler& compiler, const Field& from, const Field& to, const Path& path);
Compiled compile_ticks(Compiler& compiler, const Field& from, const Field& to, const Path& path);
Compiled compile_floats(Compiler& compiler, const Field& from, const Field& to, const Path& path);
Compiled compile_decimals(Compiler& compiler, const Field& from, const Field& to, const Path& path);
Compiled compile_intervals(Compiler& compiler, const Field& from, const Field& to,
                           const Path& path);
Compiled compile_number_texts(Compiler& compiler, const Field& from, const Field& to,
                              const Path& path);
Compiled compile_texts(Compiler& compiler, const Field& from, const Field& to, const Path& path);
Compiled compile_lists(Compiler& compiler, const Field& from, const Field& to, const Path& path);
Compiled compile_maps(Compiler& compiler, const Field& from, const Field& to, const Path& path);
Compiled compile_unions(Compiler& compiler, const Field& from, const Field& to, const Path& path);
Compiled compile_structs(Compiler& compiler, const Field& from, const Field& to, const Path& path);

/// Returns true if values pass as they are: same layout and parameters at every level, children in
/// the same order, nothing nullable that becomes not nullable. Names of children, metadata and
/// zones aside.
bool same_layout(const Type& from, const Type& to);

}  // namespace xwalk::hub::cast
