#include "xwalk/hub/cast.h"

#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "xwalk/hub/cast/checks.h"
#include "xwalk/hub/cast/kernel.h"
#include "xwalk/hub/cast/nulls.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/find_cast.h"

namespace xwalk::hub {

/// What a cast is made of.
struct CompiledCast::Program {
  /// One end of a cast: rows as a struct. The schema is built on demand: a caller that only plans a
  /// cast already has one, and schemas of wide tables take megabytes.
  class End {
   public:
    explicit End(const Schema& schema)
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

  Program(const Schema& source, const Schema& target) : from(source), to(target) {}

  End from;
  End to;
  Findings findings;
  CastOptions options;
  cast::KernelPtr kernel;
};

CompiledCast::CompiledCast(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

const Schema& CompiledCast::from() const { return program_->from.schema(); }
const Schema& CompiledCast::to() const { return program_->to.schema(); }
bool CompiledCast::is_identity() const { return program_->kernel == nullptr; }
const Findings& CompiledCast::findings() const& { return program_->findings; }
Findings CompiledCast::findings() && { return program_->findings; }
const CastOptions& CompiledCast::options() const { return program_->options; }

Batch CompiledCast::run(Batch batch) const {
  if (is_identity()) return batch;
  Batch out;
  out.first_row = batch.first_row;
  cast::Refusals refusals(batch.first_row, batch.rows());
  out.array = program_->kernel->run(batch.array, {&refusals});
  out.bad = refusals.take(std::move(batch.bad));
  out.controls = std::move(batch.controls);
  return out;
}

namespace {

/// Compiles the kernel of a program whose ends and options are set. `why` gets the reasons against
/// it; throws the first if `why` is null.
cast::KernelPtr kernel_of(const CompiledCast::Program& program, Findings* findings, NoCast* why) {
  cast::Compiler compiler(program.options);
  const Field& root = program.from.root();
  cast::KernelPtr kernel = compiler.field(root, program.to.root(), Path());
  if (why != nullptr) {
    *why = std::move(compiler.none);
  } else if (compiler.none.first) {
    throw Error(*std::move(compiler.none.first));
  }
  *findings = std::move(compiler.findings);
  if (!program.options.check_required) return kernel;
  return chain(cast::required_kernel(root, Path()), std::move(kernel));
}

/// The kernel of a program, which must live as long as this, compiled when it first runs.
class LaterKernel final : public cast::Kernel {
 public:
  explicit LaterKernel(const CompiledCast::Program& program) : program_(program) {}

  Array run(const Array& in, const cast::Scope& scope) const override {
    std::call_once(once_, [&] {
      Findings known;
      kernel_ = kernel_of(program_, &known, nullptr);
    });
    return cast::run(kernel_, in, scope);
  }

 private:
  const CompiledCast::Program& program_;
  mutable std::once_flag once_;
  mutable cast::KernelPtr kernel_;
};

}  // namespace

std::optional<CompiledCast> find_cast(const Schema& from, const Schema& to,
                                      const CastOptions& options, NoCast* why) {
  auto program = std::make_shared<CompiledCast::Program>(from, to);
  program->options = options;
  program->kernel = kernel_of(*program, &program->findings, why);
  if (why != nullptr && why->first) return std::nullopt;
  return CompiledCast(std::move(program));
}

CompiledCast compile_cast(const Schema& from, const Schema& to, const CastOptions& options) {
  return *find_cast(from, to, options, nullptr);
}

CompiledCast compile_later(const CompiledCast& like, const Schema& from, const Schema& to,
                           Renames renames, Findings findings) {
  auto program = std::make_shared<CompiledCast::Program>(from, to);
  program->options = like.options();
  program->options.renames = std::move(renames);
  program->findings = std::move(findings);
  if (!like.is_identity()) program->kernel = std::make_shared<LaterKernel>(*program);
  return CompiledCast(std::move(program));
}

CompiledCast keep_dictionaries(const CompiledCast& cast, const Schema& from,
                               const std::function<bool(size_t)>& takes) {
  Schema to = cast.to();
  const auto pairs =
      pair_members(struct_(from.fields), struct_(to.fields), Path(), cast.options().renames);
  bool changed = from != cast.from();
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i] || from.fields[i].type.kind() != Kind::Dictionary) continue;
    Field& column = to.fields[*pairs[i]];
    // Only nulls of rows are rejected here: an entry of a dictionary may be null as well.
    const bool nulls = from.fields[i].nullable && !column.nullable;
    if (is_encoded(column.type) || nulls || !takes(*pairs[i])) continue;
    column.type = dictionary(Kind::Int32, column.type);
    changed = true;
  }
  return changed ? compile_cast(from, to, cast.options()) : cast;
}

CompiledCast compile_checks(const Schema& schema) {
  auto program = std::make_shared<CompiledCast::Program>(schema, schema);
  program->kernel = cast::checks_kernel(Field("", struct_(schema.fields), false), Path());
  return CompiledCast(std::move(program));
}

CompiledCast compile_promises(const Schema& schema, const Refine& refine, const Schema* kept) {
  auto program = std::make_shared<CompiledCast::Program>(schema, schema);
  std::vector<Path> paths;
  if (kept != nullptr)
    paths = cast::promised_paths(Field("", struct_(kept->fields), false), refine);
  program->kernel =
      cast::promises_kernel(Field("", struct_(schema.fields), schema.nullable_rows), refine, paths);
  return CompiledCast(std::move(program));
}

namespace {

class CastReader final : public BatchReader {
 public:
  CastReader(std::unique_ptr<BatchReader> reader, CompiledCast cast)
      : reader_(std::move(reader)), cast_(std::move(cast)) {}
  const Schema& schema() const override { return cast_.to(); }
  std::optional<Batch> next() override {
    std::optional<Batch> batch = reader_->next();
    if (batch) batch = cast_.run(std::move(*batch));
    return batch;
  }
  std::optional<int64_t> total_rows() const override { return reader_->total_rows(); }
  uint64_t bytes_read() const override { return reader_->bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return reader_->total_bytes(); }

 private:
  std::unique_ptr<BatchReader> reader_;
  CompiledCast cast_;
};

}  // namespace

std::unique_ptr<BatchReader> cast_stream(std::unique_ptr<BatchReader> reader, CompiledCast cast) {
  return std::make_unique<CastReader>(std::move(reader), std::move(cast));
}

}  // namespace xwalk::hub
