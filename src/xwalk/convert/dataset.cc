#include "xwalk/convert/dataset.h"

#include <algorithm>
#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/convert/notes.h"
#include "xwalk/io/formats/keep_layout.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/yt/module.h"

namespace xwalk::io {
namespace {

/// Returns true if rows of a format that were opened with one set of options are what another asks
/// for. Their layout can be found out later.
bool reads_alike(Format format, const InputOptions& opened, InputOptions wanted) {
  wanted.plan.layout = opened.plan.layout;
  if (format->system->types() != yt::kModule) {
    wanted.plan.special_decimals = opened.plan.special_decimals;
    wanted.values = opened.values;
  }
  return opened.select == wanted.select && opened.exclude == wanted.exclude &&
         opened.skip_bad_rows == wanted.skip_bad_rows && opened.annotations == wanted.annotations &&
         opened.skiff.range_index == wanted.skiff.range_index &&
         opened.skiff.row_index == wanted.skiff.row_index && opened.values == wanted.values &&
         opened.plan == wanted.plan;
}

bool are_paths(const Locations& names) { return !names.empty() && !names.front().is_standard(); }

}  // namespace

Dataset::Dataset(Locations names, InputOptions options)
    : names_(std::move(names)), again_(are_paths(names_)), options_(std::move(options)) {}

Dataset::Dataset(OpenBytes open, bool again, InputOptions options)
    : bytes_(std::move(open)), again_(again), options_(std::move(options)) {}

Dataset::Dataset(hub::StreamHandle stream, InputOptions options)
    : stream_(std::move(stream)), again_(false), options_(std::move(options)) {}

Dataset::Dataset(Input input, InputOptions options)
    : again_(false), options_(std::move(options)), input_(std::move(input)) {
  remember(*input_);
}

Input Dataset::open_with(const InputOptions& options, KeptInput* kept) {
  if (!names_.empty()) return open_input(names_, options, kept);
  if (bytes_ == nullptr) return open_input(std::move(stream_), options);
  if (kept == nullptr) return open_input(bytes_(), options);
  std::unique_ptr<Source> source = kept->first ? kept->first->open() : nullptr;
  if (source == nullptr) source = kept->first.emplace(bytes_()).open();
  return open_input(std::move(source), options);
}

void Dataset::remember(const Input& input) {
  format_ = input.format;
  files_ = input.files;
  schema_ = input.reader->schema();
  notes_ = input.file_notes;
  total_rows_ = input.reader->total_rows();
  for (const hub::Field& field : input.partitions) partitions_.push_back(field.name);
  // Rows that are opened again are read by the same schema.
  options_.inferred = notes_.inferred;
}

void Dataset::open() {
  if (is_open()) return;
  InputOptions opening = options_;
  opening.plan.layout = !again_;
  input_ = open_with(opening, &kept_);
  remember(*input_);
}

Input Dataset::take(const InputOptions& options) {
  InputOptions wanted = options;
  if (is_open()) wanted.inferred = notes_.inferred;
  if (!input_) {
    if (is_open() && !again_) {
      throw Error(ErrorCode::Usage,
                  "these rows were read already, and their source cannot be read again", {},
                  "Open them by a path, or keep the table of the first reading.");
    }
    Input input = open_with(wanted, nullptr);
    if (!is_open()) remember(input);
    return input;
  }
  Input taken = *std::exchange(input_, std::nullopt);
  KeptInput kept = std::exchange(kept_, {});
  const std::unique_ptr<Source> source = kept.first ? kept.first->open() : nullptr;
  std::optional<hub::Storing>& layout = taken.file_notes.storing;
  bool has_layout = !options.plan.layout || layout || (*format_)->storing == nullptr;
  if (!has_layout && source != nullptr && source->window()) {
    layout = layout_of(*format_, files_.front(), *source);
    has_layout = true;
  }
  const bool may_reopen = again_ || source != nullptr;
  if (!may_reopen || (has_layout && reads_alike(*format_, options_, options))) return taken;
  taken = Input();
  return open_with(wanted, &kept);
}

Input Dataset::take_to_compare() {
  InputOptions options = options_;
  // Both sides are read at the same time.
  options.max_memory = std::max<uint64_t>(1, options.max_memory / 2);
  options.plan.special_decimals = true;
  return take(options);
}

std::string Dataset::notes_json(hub::Interface interface) const {
  const SplitReader::Notes met = !met_ && input_ ? input_->reader->notes() : met_;
  return io::notes_json(notes_, met ? met() : hub::Findings{}, interface);
}

std::unique_ptr<SplitReader> Dataset::read() {
  std::unique_ptr<SplitReader> rows = take().reader;
  *rejected_ = 0;
  met_ = rows->notes();
  return options_.skip_bad_rows ? leave_out_bad_rows(std::move(rows), rejected_)
                                : refuse_bad_rows(std::move(rows));
}

}  // namespace xwalk::io
