#include "xwalk/yt/row_decoder.h"

#include <limits>
#include <utility>

#include "xwalk/yson/parse.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yt/row_boundary_internal.h"
#include "xwalk/yt/row_run_internal.h"

namespace xwalk::yt {

std::vector<std::string_view> rows_in(std::string_view complete_rows,
                                      std::optional<uint32_t> wanted, uint32_t* table) {
  std::vector<std::string_view> out;
  const char* p = complete_rows.data();
  const char* const end = p + complete_rows.size();
  while (true) {
    yson::skip_space(p, end);
    if (p == end) return out;
    const char* const begin = p;
    if (find_row_end(p, end) != Boundary::Found) return out;
    const std::string_view item(begin, p);
    yson::skip_space(p, end);
    if (p != end && *p == ';') ++p;
    if (item.front() != '<') {
      if (!wanted || *wanted == *table) out.push_back(item);
      continue;
    }
    const yson::Node node = yson::parse(item);
    if (!node.is(yson::Node::Kind::Entity)) {
      // A row with attributes is rejected in every table.
      out.push_back(item);
    } else if (const yson::Node* const named = node.find_attribute("table_index")) {
      *table = static_cast<uint32_t>(named->as_int64());
    }
  }
}

class RowDecoder::Impl {
 public:
  Impl(std::shared_ptr<const RowProgram> compiled, const ReadOptions& read_options)
      : program(std::move(compiled)), options(read_options), run(program, options) {}

  std::shared_ptr<const RowProgram> program;
  ReadOptions options;
  RowRun run;
};

RowDecoder::RowDecoder(const TableSchema& schema, const ReadOptions& options)
    : impl_(std::make_unique<Impl>(std::make_shared<const RowProgram>(compile_row(
                                       schema, options.values, options.columns, options.variants)),
                                   options)) {}

RowDecoder::RowDecoder(const RowDecoder& other)
    : impl_(std::make_unique<Impl>(other.impl_->program, other.impl_->options)) {}

RowDecoder::~RowDecoder() = default;
RowDecoder::RowDecoder(RowDecoder&&) noexcept = default;

const hub::Schema& RowDecoder::schema() const { return impl_->run.schema(); }
int64_t RowDecoder::batch_rows() const { return yt::batch_rows(*impl_->program, impl_->options); }
const RowsPlace& RowDecoder::end() const { return impl_->run.place(); }
ControlsMet RowDecoder::met() const { return impl_->run.met(); }

hub::Batch RowDecoder::decode(std::string_view complete_rows, int64_t first_row,
                              const RowsPlace& place) {
  RowRun& run = impl_->run;
  run.restart(first_row, place);
  size_t consumed = 0;
  RowRun::Stop stop = run.run(complete_rows, &consumed, true, std::numeric_limits<int64_t>::max(),
                              std::numeric_limits<size_t>::max());
  if (stop == RowRun::Stop::Error) {
    Error error = run.error();
    run.finish();
    throw error;
  }
  return run.finish();
}

std::unique_ptr<hub::BatchReader> read_rows(std::unique_ptr<ByteSource> source,
                                            const RowDecoder& compiled) {
  return read_rows(std::move(source), compiled.impl_->program, compiled.impl_->options);
}

}  // namespace xwalk::yt
