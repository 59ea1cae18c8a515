#include "xwalk/python/rows.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>
#include <thread>

#include <fmt/format.h>

#include "xwalk/arrow/module.h"
#include "xwalk/base/error.h"
#include "xwalk/base/visible.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/convert/facade.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/file_ranges.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/skiff_tables.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/rows/file_range.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/io/rows/wrapped_reader.h"
#include "xwalk/python/capsules.h"
#include "xwalk/python/interrupt.h"
#include "xwalk/python/options.h"
#include "xwalk/python/report.h"
#include "xwalk/python/schema.h"
#include "xwalk/python/streams.h"
#include "xwalk/python/text.h"
#include "xwalk/yt/module.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

using Dict = nb::typed<nb::dict, nb::str, nb::any>;

using crosswalk::System;

/// Makes a dataset of paths, of bytes, of an object with `read`, or of an Arrow stream.
io::Dataset dataset_of(const nb::object& source, io::InputOptions options) {
  if (nb::isinstance<nb::list>(source)) {
    return {nb::cast<std::vector<std::string>>(source), std::move(options)};
  }
  if (nb::hasattr(source, "__arrow_c_stream__")) {
    return {take_stream(source), std::move(options)};
  }
  const auto open = [source] {
    const nb::gil_scoped_acquire held;
    return open_object(source);
  };
  return {open, is_buffer(source), std::move(options)};
}

/// Warns, as Python does, of what reading rows has met that no schema tells. `about` names the file
/// if the notes are not on columns.
void warn_of(const hub::Findings& notes, const std::string& about = {}) {
  const nb::gil_scoped_acquire held;
  const nb::object warn = nb::module_::import_("xwalk._errors").attr("warn_note");
  for (const hub::Finding& note : notes) {
    const std::string of = about.empty() ? note.path.text() : about;
    const std::string text =
        visible(fmt::format("{}{}{} ({})", of, of.empty() ? "" : ": ",
                            hub::spelled(note.lost, hub::Interface::Python), note.rule));
    try {
      warn(text);
    } catch (nb::python_error&) {
      throw Error(ErrorCode::Input, text);  // where warnings are errors
    }
  }
}

}  // namespace

void warn_of_inferred(const io::FileNotes& notes, const std::string& name) {
  if (notes.inferred) warn_of({io::finding_of(*notes.inferred)}, name);
}

namespace {

/// A reader that warns, once, after the last row.
class WarningReader final : public io::WrappedReader {
 public:
  WarningReader(std::unique_ptr<io::SplitReader> reader, Notes pending)
      : WrappedReader(std::move(reader)), pending_(std::move(pending)) {}
  std::unique_ptr<io::Piece> take() override { return inner_->take(); }
  Notes notes() const override { return pending_; }
  std::optional<hub::Batch> next() override {
    std::optional<hub::Batch> batch = inner_->next();
    if (!batch && !std::exchange(warned_, true)) warn_of(pending_());
    return batch;
  }

 private:
  Notes pending_;
  bool warned_ = false;
};

/// Rows of files, of bytes or of an object with `read`; each reading opens them again.
class Rows {
 public:
  Rows(const nb::object& source, const Dict& given)
      : options_(read_options(given)), data_(dataset_of(source, options_.input)) {
    interruptible([&](const Interrupts&) {
      data_.open();
      return true;
    });
    warn_of_inferred(data_.notes(), data_.files().front());
  }

  io::Dataset& data() { return data_; }
  const io::ConvertOptions& options() const { return options_; }
  std::string format() const { return std::string(data_.format()->name); }
  std::vector<std::string> files() const { return {data_.files().begin(), data_.files().end()}; }
  const std::vector<std::string>& partitions() const { return data_.partitions(); }
  bool can_read_again() const { return data_.can_read_again(); }
  int64_t rejected() const { return data_.rejected(); }
  std::optional<int64_t> total_rows() const { return data_.total_rows(); }
  /// Returns the table schema that was inferred, as text; nothing for rows that have one.
  std::optional<std::string> inferred() const {
    if (data_.notes().inferred == nullptr) return std::nullopt;
    return crosswalk::print_schema({yt::kModule, data_.notes().inferred->table});
  }

  Schema schema() const { return io::schema_of(data_); }

  /// Returns what opening the rows and the last reading of them met, in JSON.
  std::string notes() const { return data_.notes_json(hub::Interface::Python); }

  nb::object stream(nb::handle) {
    failure_->keep(nullptr);
    std::unique_ptr<io::SplitReader> rows =
        interruptible([&](const Interrupts&) { return data_.read(); });
    if (io::SplitReader::Notes met = rows->notes()) {
      rows = std::make_unique<WarningReader>(std::move(rows), std::move(met));
    }
    return stream_capsule(hub::export_stream(interruptible_reader(std::move(rows), failure_)));
  }

  /// Throws what ended the last reading, if an error did.
  void raise_failure() const { failure_->rethrow(); }

 private:
  io::ConvertOptions options_;
  io::Dataset data_;
  std::shared_ptr<Failure> failure_ = std::make_shared<Failure>();
};

/// The rows of Rows, or of any object that speaks the protocol of Arrow streams. `take` takes them
/// from Rows; other rows are opened with the options.
io::Input input_of(nb::handle source, io::Input (io::Dataset::*take)(),
                   const io::InputOptions& options = {}) {
  if (!nb::isinstance<Rows>(source)) return (io::Dataset(take_stream(source), options).*take)();
  return interruptible([&](const Interrupts&) { return (nb::cast<Rows&>(source).data().*take)(); });
}

/// Rows being cast to another Arrow schema: a stream, once, and its report.
class CastRows {
 public:
  CastRows(io::Input input, const Schema& target, io::ConvertOptions options) {
    io::set_output_schema(target.schema, &options);
    auto plan =
        std::make_shared<const crosswalk::Plan>(io::plan_rows(input, arrow::kModule, options));
    auto reader = io::cast_pieces(std::move(input.reader), plan->cast);
    if (options.input.skip_bad_rows) {
      reader_ = io::leave_out_bad_rows(std::move(reader), rejected_);
    } else {
      reader_ = io::refuse_bad_rows(std::move(reader));
    }
    report_ = io::report_on(std::move(plan),
                            input.files.empty() ? std::string("arrow") : input.files.front().name(),
                            hub::Interface::Python);
  }

  const Report& report() const { return *report_; }
  int64_t rejected() const { return *rejected_; }
  nb::object stream(nb::handle) {
    if (reader_ == nullptr) throw Error(ErrorCode::Usage, "these rows were read already");
    return stream_capsule(hub::export_stream(interruptible_reader(std::move(reader_), failure_)));
  }

  /// Throws the error that ended the stream, if there is one.
  void raise_failure() const { failure_->rethrow(); }

 private:
  std::unique_ptr<hub::BatchReader> reader_;
  std::shared_ptr<Failure> failure_ = std::make_shared<Failure>();
  std::optional<Report> report_;
  std::shared_ptr<std::atomic<int64_t>> rejected_ = std::make_shared<std::atomic<int64_t>>(0);
};

CastRows cast(nb::handle source, const Schema& target, const Dict& given, bool host_types) {
  io::ConvertOptions options = read_options(given);
  if (nb::isinstance<Rows>(source)) {
    const io::ConvertOptions& opened = nb::cast<Rows&>(source).options();
    io::check_open_options(nb::cast<Rows&>(source).data().format(), opened.given, io::kArrowStreams,
                           &options);
    if (given.empty()) options = opened;
    options.input = opened.input;
  } else {
    const io::Format streams = io::kArrowStreams;
    io::check_output_options({&streams, 1}, &options);
  }
  options.plan.host_types = host_types;
  io::Input input = input_of(source, &io::Dataset::take, options.input);
  return {std::move(input), target, std::move(options)};
}

nb::typed<nb::list, Dict> parts(const std::string& path, const std::string& format, uint64_t bytes,
                                const io::StorageOptions& storage) {
  const std::vector<io::Part> cut = interruptible([&](const Interrupts&) {
    return io::parts_of(path, io::parse_format(format), bytes, storage);
  });
  nb::list out;
  for (const io::Part& part : cut) {
    nb::dict entry;
    entry["first"] = part.first;
    entry["count"] = part.count;
    entry["first_row"] = part.first_row;
    entry["rows"] = part.rows;
    entry["line"] = part.line;
    entry["column"] = part.column;
    entry["binary"] = part.binary;
    out.append(entry);
  }
  return out;
}

/// Where rows go: a path, or an object with `write`.
io::Output output_of(nb::handle out) {
  if (nb::isinstance<nb::str>(out)) return nb::cast<std::string>(out);
  if (!nb::hasattr(out, "write")) {
    throw Error(ErrorCode::Usage, fmt::format("expected a path or an object with write, found {}",
                                              nb::type_name(out.type()).c_str()));
  }
  return sink_of_object(nb::borrow(out));
}

/// Says how far a conversion is.
nb::dict progress_dict(const io::Progress& now) {
  nb::dict out;
  out["rows"] = now.rows;
  out["rejected"] = now.bad_rows;
  out["bytes_read"] = now.bytes_read;
  out["bytes_written"] = now.bytes_written;
  out["total_rows"] = now.total_rows;
  out["total_bytes"] = now.total_bytes;
  return out;
}

void warn_of_opened(const io::Location& name, const io::FileNotes& notes) {
  warn_of_inferred(notes, name);
}

/// Has a conversion call Python with its progress, unless that is None, and end with its signals.
void watch(Interrupts& interrupts, nb::handle progress, io::PipelineOptions* options) {
  options->cancelled = &interrupts.stop();
  options->on_progress = [&interrupts, progress](const io::Progress& now) {
    interrupts.ask();
    if (!progress.is_none()) interrupts.tell([&] { progress(progress_dict(now)); });
  };
}

/// Moves rows to an output. Ends early, with nothing written, when Python has a signal to handle.
/// `source` is Rows or what they are made of, or an object that speaks the protocol of Arrow
/// streams.
/// `progress` is called with how far it is, unless it is None. `again` returns the source once
/// more, to verify an output of rows without a name; None for rows that can be read once.
Dict convert(nb::handle source, nb::handle out, const Dict& given,
             const std::optional<Schema>& target_schema, nb::handle progress, nb::handle again) {
  io::ConvertOptions options = read_options(given);
  if (target_schema) io::set_output_schema(target_schema->schema, &options);
  io::Output output = output_of(out);
  std::optional<io::Dataset> own;
  if (!nb::isinstance<Rows>(source)) own.emplace(dataset_of(nb::borrow(source), options.input));
  io::Dataset& rows = own ? *own : nb::cast<Rows&>(source).data();
  const auto* path = std::get_if<io::Location>(&output);
  const bool several =
      path != nullptr && (path->name().ends_with('/') || io::is_table_pattern(*path));
  // Rows have warned when they were opened.
  if (own || several) options.on_open = warn_of_opened;
  nb::list rejected;
  options.pipeline.on_bad_row = [&](const hub::BadRow& bad) {
    nb::gil_scoped_acquire held;
    nb::dict row;
    row["row"] = bad.error.place().row;
    row["path"] = bad.error.place().path.text();
    row["reason"] = bad.error.message();
    row["source"] = nb::bytes(bad.source_bytes.data(), bad.source_bytes.size());
    rejected.append(row);
  };
  std::vector<io::Converted> all = interruptible([&](Interrupts& interrupts) {
    watch(interrupts, progress, &options.pipeline);
    if (!options.verify || path == nullptr || again.is_none()) {
      return io::convert(rows, std::move(output), std::move(options));
    }
    return io::convert_verified(rows, *path, std::move(options),
                                [&](const io::InputOptions& input) {
                                  const nb::gil_scoped_acquire held;
                                  return dataset_of(again(), input);
                                });
  });
  nb::dict result;
  nb::dict outputs;
  const io::Progress sum = io::sum_of(all);
  const size_t worst = io::worst_of(all);
  result["rows"] = sum.rows;
  result["rejects"] = rejected;
  result["bytes_read"] = sum.bytes_read;
  result["bytes_written"] = sum.bytes_written;
  result["schema"] = nb::cast(io::schema_of(all[worst].plan.target));
  for (size_t i = 0; i < all.size(); ++i) {
    io::Converted& converted = all[i];
    const std::string name(converted.plan.source_system->name);
    const std::string output = converted.output;
    const nb::object report =
        nb::cast(io::report_on(std::move(converted), name, hub::Interface::Python));
    if (i == worst) result["report"] = report;
    if (several && !rows.names().empty()) outputs[nb::cast(output)] = report;
  }
  result["outputs"] = outputs;
  return result;
}

/// Compares an output with its inputs as a conversion with these options writes them. `source` is
/// what Rows are made of, or an object that speaks the protocol of Arrow streams.
Report verify(const nb::object& source, const std::string& output, const Dict& given,
              const std::optional<Schema>& target_schema, nb::handle progress) {
  io::ConvertOptions options = read_options(given);
  if (target_schema) io::set_output_schema(target_schema->schema, &options);
  options.on_open = warn_of_opened;
  std::optional<io::Locations> paths;
  if (nb::isinstance<nb::list>(source)) {
    const auto names = nb::cast<std::vector<std::string>>(source);
    paths.emplace(names.begin(), names.end());
  }
  return interruptible([&](Interrupts& interrupts) -> Report {
    watch(interrupts, progress, &options.pipeline);
    const io::VerifyOptions how;
    if (paths) return {io::verify(*paths, output, std::move(options), how), {}};
    const auto open = [&](const io::InputOptions& input) {
      const nb::gil_scoped_acquire held;
      return dataset_of(source, input);
    };
    return {io::verify(open, output, std::move(options), how), {}};
  });
}

/// How rows are compared, as Python says it.
io::RowDiffOptions row_diff_options(std::vector<std::string> key, std::optional<double> tolerance,
                                    uint64_t limit) {
  io::RowDiffOptions options;
  options.key = std::move(key);
  options.tolerance = tolerance;
  options.limit = limit;
  options.threads = static_cast<int>(std::max(2U, std::thread::hardware_concurrency()));
  return options;
}

/// Compares the rows of two sources, each Rows or an Arrow stream.
Report diff_rows(nb::handle left, nb::handle right,
                 const std::pair<std::string, std::string>& names, std::vector<std::string> key,
                 std::optional<double> tolerance, uint64_t limit) {
  io::RowDiffOptions options = row_diff_options(std::move(key), tolerance, limit);
  io::Input first = input_of(left, &io::Dataset::take_to_compare);
  io::Input second = input_of(right, &io::Dataset::take_to_compare);
  return interruptible([&](const Interrupts& interrupts) -> Report {
    options.cancelled = &interrupts.stop();
    return io::diff_rows(std::move(first), std::move(second), names, options);
  });
}

/// Compares the rows of the tables that paths stand for.
Report diff_row_inputs(const Side& left, const Side& right,
                       const std::optional<std::string>& format, std::vector<std::string> key,
                       std::optional<double> tolerance, uint64_t limit) {
  io::RowDiffOptions options = row_diff_options(std::move(key), tolerance, limit);
  const std::shared_ptr<io::PairedTables> tables = read_pairs(left, right, format);
  const io::InputOptions first = read_options(left.second).input;
  const io::InputOptions second = read_options(right.second).input;
  return interruptible([&](const Interrupts& interrupts) {
    options.cancelled = &interrupts.stop();
    return io::diff_rows(tables, first, second, options, hub::Interface::Python);
  });
}

}  // namespace

void bind_rows(nb::module_& module) {
  nb::class_<Rows>(module, "Rows")
      .def(nb::init<nb::object, const Dict&>(), nb::arg("source"), nb::arg("options"))
      .def_prop_ro("format", &Rows::format)
      .def_prop_ro("files", &Rows::files)
      .def_prop_ro("partitions", &Rows::partitions)
      .def_prop_ro("can_read_again", &Rows::can_read_again)
      .def_prop_ro("rejected", &Rows::rejected)
      .def_prop_ro("total_rows", &Rows::total_rows)
      .def_prop_ro("inferred", &Rows::inferred)
      .def_prop_ro("notes", &Rows::notes)
      .def_prop_ro("schema", &Rows::schema)
      .def("raise_failure", &Rows::raise_failure)
      .def("__arrow_c_stream__", &Rows::stream, nb::arg("requested_schema") = nb::none())
      .def("__arrow_c_schema__",
           [](const Rows& self) { return schema_capsule(hub::export_schema(self.schema().hub)); });
  nb::class_<CastRows>(module, "CastRows")
      .def_prop_ro("report", &CastRows::report)
      .def_prop_ro("rejected", &CastRows::rejected)
      .def("raise_failure", &CastRows::raise_failure)
      .def("__arrow_c_stream__", &CastRows::stream, nb::arg("requested_schema") = nb::none());
  module.def("cast", cast, nb::arg("source"), nb::arg("target"), nb::arg("options"),
             nb::arg("host_types") = false);
  module.def(
      "format_of_name",
      [](const std::string& name) {
        const std::optional<io::Format> format = io::format_of_name(name);
        return format ? std::string((*format)->word) : std::string();
      },
      nb::arg("name"));
  module.def(
      "side_schema_path",
      [](const std::string& path) -> std::string { return io::side_schema_path(path); },
      nb::arg("path"));
  module.def("parts", parts, nb::arg("path"), nb::arg("format"), nb::arg("bytes"),
             nb::arg("storage_options"));
  module.def("diff_rows", diff_rows, nb::arg("left"), nb::arg("right"), nb::arg("names"),
             nb::arg("key"), nb::arg("tolerance").none(), nb::arg("limit"));
  module.def(
      "may_be_several",
      [](const std::vector<std::string>& paths, const io::StorageOptions& storage) {
        return io::may_be_several(paths, storage);
      },
      nb::arg("paths"), nb::arg("storage_options"));
  module.def("diff_row_inputs", diff_row_inputs, nb::arg("left"), nb::arg("right"),
             nb::arg("format").none(), nb::arg("key"), nb::arg("tolerance").none(),
             nb::arg("limit"));
  module.def("verify", verify, nb::arg("source"), nb::arg("output"), nb::arg("options"),
             nb::arg("target_schema") = nb::none(), nb::arg("progress") = nb::none());
  module.def("convert", convert, nb::arg("source"), nb::arg("out"), nb::arg("options"),
             nb::arg("target_schema") = nb::none(), nb::arg("progress") = nb::none(),
             nb::arg("again") = nb::none());
}

}  // namespace xwalk::python
