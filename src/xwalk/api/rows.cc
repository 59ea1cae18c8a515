#include "xwalk/api/rows.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "xwalk/api/guard.h"
#include "xwalk/api/options.h"
#include "xwalk/api/report.h"
#include "xwalk/api/schema.h"
#include "xwalk/base/error.h"
#include "xwalk/convert/facade.h"
#include "xwalk/hub/concat.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/plugins/engine_folder.h"

namespace xwalk {

/// A reading, and the batch that it is at; nothing after the last one.
struct Rows::Iterator::State {
  std::unique_ptr<io::SplitReader> reader;
  std::optional<Batch> batch;
};

namespace {

/// Passes rows on to a foreign consumer, with errors as functions of the interface throw them.
class GuardedReader final : public hub::BatchReader {
 public:
  explicit GuardedReader(std::unique_ptr<io::SplitReader> reader) : reader_(std::move(reader)) {}

  const hub::Schema& schema() const override { return reader_->schema(); }
  std::optional<hub::Batch> next() override {
    return api::guard([&] { return reader_->next(); });
  }

 private:
  std::unique_ptr<io::SplitReader> reader_;
};

}  // namespace

Rows::Iterator::Iterator(std::shared_ptr<State> state) : state_(std::move(state)) {}

Batch& Rows::Iterator::operator*() const { return *state_->batch; }

bool Rows::Iterator::is_at_end() const { return !state_->batch; }

Rows::Iterator& Rows::Iterator::operator++() {
  api::guard([&] {
    std::optional<hub::Batch> next = state_->reader->next();
    state_->batch.reset();
    if (next)
      state_->batch.emplace(
          hub::export_rows(state_->reader->schema(), std::move(next->array)).take());
  });
  return *this;
}

Rows Rows::from_stream(ArrowArrayStream* stream) {
  return api::guard([&] {
    if (stream == nullptr || stream->release == nullptr) {
      throw Error(ErrorCode::Usage, "expected rows, found a stream that was taken or released");
    }
    auto state = std::make_shared<State>(
        State{io::Dataset(hub::StreamHandle::adopt(stream), io::InputOptions{})});
    state->data.open();
    return Rows(std::move(state));
  });
}

Schema Rows::schema() const {
  return api::guard([&] { return api::make_schema(io::schema_of(state_->data)); });
}

std::string Rows::format() const { return std::string(state_->data.format()->name); }
std::vector<std::string> Rows::files() const {
  const io::Locations& files = state_->data.files();
  return {files.begin(), files.end()};
}
std::optional<int64_t> Rows::total_rows() const { return state_->data.total_rows(); }
int64_t Rows::rejected() const { return state_->data.rejected(); }

std::string Rows::notes() const {
  return api::guard([&] { return state_->data.notes_json(hub::Interface::Json); });
}

Rows::Iterator Rows::begin() const {
  return api::guard([&] {
    Iterator first(std::make_shared<Iterator::State>(Iterator::State{state_->data.read(), {}}));
    ++first;
    return first;
  });
}

ArrowArrayStream Rows::stream() const {
  return api::guard([&] {
    return hub::export_stream(std::make_unique<GuardedReader>(state_->data.read())).take();
  });
}

Rows open(const Names& names, const Options& options) {
  return api::guard([&] {
    auto state = std::make_shared<Rows::State>(
        Rows::State{io::Dataset(names.all(), api::read_options(options).input)});
    state->data.open();
    return Rows(std::move(state));
  });
}

Report diff(const Rows& left, const Rows& right, const RowPairing& pairing) {
  return api::guard([&] {
    io::RowDiffOptions options;
    options.key = pairing.key;
    options.tolerance = pairing.tolerance;
    options.limit = pairing.limit;
    options.threads = static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
    const auto name = [](const Rows& rows, const char* otherwise) {
      const io::Locations& files = rows.state().data.files();
      return files.empty() ? std::string(otherwise) : files.front().name();
    };
    io::Input first = left.state().data.take_to_compare();
    io::Input second = right.state().data.take_to_compare();
    return api::make_report(io::diff_rows(std::move(first), std::move(second),
                                          {name(left, "left"), name(right, "right")}, options));
  });
}

void set_engine_folder(const std::string& folder) {
  api::guard([&] { io::set_engine_folder(folder); });
}

}  // namespace xwalk
