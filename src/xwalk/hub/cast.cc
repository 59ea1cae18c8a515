#include "xwalk/hub/cast.h"

#include "xwalk/hub/cast/checks.h"
#include "xwalk/hub/cast/nulls.h"
#include "xwalk/hub/cast_program.h"
#include "xwalk/hub/children.h"

namespace xwalk::hub {

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

cast::KernelPtr kernel_of(const CompiledCast::Program& program, Findings* findings) {
  cast::Compiler compiler(program.options);
  const Field& root = program.from.root();
  cast::KernelPtr kernel = compiler.field(root, program.to.root(), Path());
  *findings = std::move(compiler.findings);
  if (!program.options.check_required) return kernel;
  return chain(cast::required_kernel(root, Path()), std::move(kernel));
}

CompiledCast compile_cast(const Schema& from, const Schema& to, const CastOptions& options) {
  auto program = std::make_shared<CompiledCast::Program>(from, to);
  program->options = options;
  program->kernel = kernel_of(*program, &program->findings);
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
