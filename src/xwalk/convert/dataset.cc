#include "xwalk/convert/dataset.h"

#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/keep_layout.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/yt/module.h"

namespace xwalk::io {
namespace {

/// Returns true if rows opened with one set of options are what another asks for.
bool reads_alike(const InputOptions& opened, const InputOptions& wanted) {
  return opened.select == wanted.select && opened.exclude == wanted.exclude &&
         opened.controls == wanted.controls && !wanted.others &&
         opened.skip_bad_rows == wanted.skip_bad_rows && opened.annotations == wanted.annotations &&
         opened.parquet.storage == wanted.parquet.storage &&
         opened.skiff.range_index == wanted.skiff.range_index &&
         opened.skiff.row_index == wanted.skiff.row_index;
}

bool are_paths(const Locations& names) { return !names.empty() && !names.front().is_standard(); }

}  // namespace

Dataset::Dataset(Locations names, InputOptions options)
    : names_(std::move(names)), again_(are_paths(names_)), options_(std::move(options)) {}

Dataset::Dataset(OpenBytes open, bool again, InputOptions options)
    : bytes_(std::move(open)), again_(again), options_(std::move(options)) {}

Dataset::Dataset(hub::StreamHandle stream, InputOptions options)
    : again_(false), options_(std::move(options)) {
  // The options were given for the output, not for opening the rows.
  options_.given.clear();
  input_ = open_input(std::move(stream), options_.annotations);
  remember(*input_);
}

Dataset::Dataset(Input input, InputOptions options)
    : again_(false), options_(std::move(options)), input_(std::move(input)) {
  remember(*input_);
}

Input Dataset::open_with(const InputOptions& options) {
  Input input = names_.empty() ? open_input(bytes_(), options) : open_input(names_, options);
  if (!is_open()) remember(input);
  return input;
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
  // The output is not known yet. Rows that can be opened again are opened for it later.
  InputOptions opening = options_;
  opening.keep_layout = opening.values.specials_as_stored = !again_;
  input_ = open_with(opening);
}

std::optional<hub::Storing> Dataset::layout() const {
  if ((*format_)->storing == nullptr) return std::nullopt;
  const Location& first = files_.front();
  const std::unique_ptr<Source> source = with_window(
      names_.empty() ? bytes_() : open_source(first, options_.storage, first_fetch(first)),
      options_.max_memory);
  return layout_of(*format_, first, *source);
}

Input Dataset::take(const InputOptions& options) {
  const bool is_yt = is_open() && (*format_)->system->types() == yt::kModule;
  const bool fits = input_ && (!again_ || (reads_alike(options_, options) &&
                                           (!is_yt || options_.values == options.values)));
  if (fits) {
    Input taken = *std::move(input_);
    input_.reset();
    if (is_yt && !again_ && !options.values.specials_as_stored) {
      taken.reader = check_values(std::move(taken.reader), "");
    }
    if (options.keep_layout && again_) taken.file_notes.storing = layout();
    return taken;
  }
  if (is_open() && !again_) {
    throw Error(ErrorCode::Usage,
                "these rows were read already, and their source cannot be read again", {},
                "Open them by a path, or keep the table of the first reading.");
  }
  InputOptions wanted = options;
  if (is_open()) wanted.inferred = notes_.inferred;
  input_.reset();
  return open_with(wanted);
}

Input Dataset::take_to_compare() {
  InputOptions options = options_;
  options.values.specials_as_stored = true;
  return take(options);
}

SplitReader::Notes Dataset::row_notes() const { return input_ ? input_->reader->notes() : nullptr; }

std::unique_ptr<SplitReader> Dataset::read() {
  std::unique_ptr<SplitReader> rows = take().reader;
  *rejected_ = 0;
  return options_.skip_bad_rows ? leave_out_bad_rows(std::move(rows), rejected_)
                                : refuse_bad_rows(std::move(rows));
}

}  // namespace xwalk::io
