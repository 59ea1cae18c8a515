#include "xwalk/python/rows.h"

#include <atomic>
#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/io/output_place.h"
#include "xwalk/io/part.h"
#include "xwalk/io/row_stream.h"
#include "xwalk/python/capsules.h"
#include "xwalk/python/options.h"
#include "xwalk/python/report.h"
#include "xwalk/python/schema.h"
#include "xwalk/python/streams.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

using Words = nb::typed<nb::dict, nb::str, nb::any>;

using crosswalk::System;

/// Rows of files, of bytes or of an object with `read`; each reading opens them afresh.
class Rows {
 public:
  Rows(nb::object source, const Words& given)
      : source_(std::move(source)), options_(read_options(given)), input_(open()) {
    hub_ = input_.reader->schema();
    total_rows_ = input_.reader->total_rows();
  }

  std::string format() const { return std::string(io::to_string(input_.format)); }
  std::vector<std::string> files() const { return input_.files; }
  int64_t rejected() const { return *rejected_; }
  std::optional<int64_t> total_rows() const { return total_rows_; }

  Schema schema() const {
    const System system = io::system_of(input_.format);
    Schema out = make_schema(crosswalk::from_arrow(system, hub_).schema);
    out.hub = hub_;
    return out;
  }

  nb::object stream(nb::handle) {
    std::unique_ptr<io::SplitReader> rows = take_input().reader;
    if (options_.input.skip_bad_rows) {
      *rejected_ = 0;
      rows = io::leave_out_bad_rows(std::move(rows), rejected_);
    }
    return stream_capsule(hub::export_stream(std::move(rows)));
  }

  const io::NamedOptions& options() const { return options_; }

  io::Input take_input() {
    if (input_.reader == nullptr) {
      if (!can_read_again()) {
        throw Error(ErrorCode::Usage,
                    "these rows were read already, and their source cannot be "
                    "read again");
      }
      input_ = open();
    }
    io::Input taken = std::move(input_);
    input_.reader = nullptr;
    input_.format = taken.format;
    input_.files = taken.files;
    return taken;
  }

 private:
  bool of_paths() const { return nb::isinstance<nb::list>(source_); }
  bool can_read_again() const {
    return of_paths() ? input_.files.front() != "-" : is_buffer(source_);
  }

  /// Opens the source while other threads of Python run: a first pass over rows may take its time.
  io::Input open() const {
    if (of_paths()) {
      const auto paths = nb::cast<std::vector<std::string>>(source_);
      const nb::gil_scoped_release free;
      return io::open_input(paths, options_.input);
    }
    std::unique_ptr<io::Source> source = open_object(source_);
    const nb::gil_scoped_release free;
    return io::open_input(std::move(source), options_.input);
  }

  nb::object source_;
  io::NamedOptions options_;
  io::Input input_;
  hub::Schema hub_;
  std::optional<int64_t> total_rows_;
  std::shared_ptr<std::atomic<int64_t>> rejected_ = std::make_shared<std::atomic<int64_t>>(0);
};

/// Rows of any object that speaks the protocol of Arrow streams.
std::unique_ptr<io::SplitReader> rows_of(nb::handle object) {
  return io::split(hub::import_stream(take_stream(object)));
}

constexpr std::string_view kAgree = "Agree with allow=\"lossy\".";

/// Rows on their way to another schema of Arrow: a stream, once, and the report on that.
class CastRows {
 public:
  CastRows(std::unique_ptr<io::SplitReader> reader, System source, const std::string& name,
           const Schema& target, const io::NamedOptions& options) {
    crosswalk::Plan plan =
        crosswalk::plan_with_consent(source, reader->schema(), System::Arrow, &target.value,
                                     options.plan, options.allow_lossy, kAgree);
    reader = io::cast_pieces(std::move(reader), plan.cast);
    if (options.input.skip_bad_rows) {
      reader_ = io::leave_out_bad_rows(std::move(reader), rejected_);
    } else {
      reader_ = io::refuse_bad_rows(std::move(reader));
    }
    report_ = {Checked{std::move(plan), name}, {}};
  }

  const Report& report() const { return *report_; }
  int64_t rejected() const { return *rejected_; }
  nb::object stream(nb::handle) {
    if (reader_ == nullptr) throw Error(ErrorCode::Usage, "these rows were read already");
    return stream_capsule(hub::export_stream(std::move(reader_)));
  }

 private:
  std::unique_ptr<hub::BatchReader> reader_;
  std::optional<Report> report_;
  std::shared_ptr<std::atomic<int64_t>> rejected_ = std::make_shared<std::atomic<int64_t>>(0);
};

CastRows cast(nb::handle source, const Schema& target, const Words& given) {
  if (nb::isinstance<Rows>(source)) {
    auto& rows = nb::cast<Rows&>(source);
    io::Input input = rows.take_input();
    const System system = io::system_of(input.format);
    return {std::move(input.reader), system, input.files.front(), target, rows.options()};
  }
  return {rows_of(source), System::Arrow, "arrow", target, read_options(given)};
}

nb::typed<nb::list, Words> parts(const std::string& path, const std::string& format,
                                 uint64_t bytes) {
  std::vector<io::Part> cut;
  {
    const nb::gil_scoped_release free;
    cut = io::parts_of(path, io::parse_format(format), bytes);
  }
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
io::Format format_of(nb::handle out, const io::OutputOptions& options) {
  if (nb::isinstance<nb::str>(out)) {
    return io::output_format(nb::cast<std::string>(out), options);
  }
  if (!nb::hasattr(out, "write")) {
    throw Error(ErrorCode::Usage, fmt::format("expected a path or an object with write, found {}",
                                              nb::type_name(out.type()).c_str()));
  }
  if (options.format) return *options.format;
  throw Error(ErrorCode::Usage, "expected the format of an output without a name", {},
              "Name it with to=.");
}

std::unique_ptr<hub::BatchWriter> open_out(nb::handle out, const io::OutputSchema& schema,
                                           const io::OutputOptions& options) {
  if (nb::isinstance<nb::str>(out)) {
    return io::open_output(nb::cast<std::string>(out), schema, options);
  }
  return io::open_output(sink_of_object(nb::borrow(out)), schema, options);
}

/// Moves rows to an output. Ends early, with nothing written, when Python has a signal to handle.
Words move(io::SplitReader& reader, System source, nb::handle out, io::NamedOptions options,
           const std::optional<Schema>& target_schema) {
  const io::Format format = format_of(out, options.output);
  std::optional<crosswalk::AnySchema> wanted;
  if (target_schema) wanted = target_schema->value;
  if (nb::isinstance<nb::str>(out)) {
    auto there = io::schema_to_add_to(nb::cast<std::string>(out), options.output, reader.schema(),
                                      wanted.has_value());
    if (there) wanted = std::move(there);
  }
  options.output.format = format;
  crosswalk::Plan plan = crosswalk::plan_with_consent(
      source, reader.schema(), io::system_of(format), wanted ? &*wanted : nullptr, options.plan,
      options.allow_lossy, kAgree);
  auto writer = open_out(out, io::output_schema(plan), options.output);
  std::atomic<bool> stop = false;
  options.pipeline.cancelled = &stop;
  options.pipeline.on_progress = [&](const io::Progress&) {
    nb::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) stop = true;
  };
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
  io::Progress done;
  try {
    nb::gil_scoped_release free;
    done = io::run_pipeline(reader, &plan.cast, writer.get(), options.pipeline);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Interrupted && PyErr_Occurred() != nullptr)
      throw nb::python_error();
    throw;
  }
  nb::dict result;
  result["rows"] = done.rows;
  result["rejected"] = rejected;
  result["bytes_read"] = done.bytes_read;
  result["bytes_written"] = done.bytes_written;
  result["schema"] = nb::cast(make_schema(plan.target));
  result["report"] =
      nb::cast(Report{Checked{std::move(plan), std::string(crosswalk::to_string(source))}, {}});
  return result;
}

/// `source` is Rows, or an object that speaks the protocol of Arrow streams.
Words convert(nb::handle source, nb::handle out, const Words& given,
              const std::optional<Schema>& target_schema) {
  io::NamedOptions options = read_options(given);
  if (nb::isinstance<Rows>(source)) {
    io::Input input = nb::cast<Rows&>(source).take_input();
    const System system = io::system_of(input.format);
    options.output.inputs = io::files_read(input);
    return move(*input.reader, system, out, std::move(options), target_schema);
  }
  std::unique_ptr<io::SplitReader> reader = rows_of(source);
  return move(*reader, System::Arrow, out, std::move(options), target_schema);
}

}  // namespace

void bind_rows(nb::module_& module) {
  nb::class_<Rows>(module, "Rows")
      .def(nb::init<nb::object, const Words&>(), nb::arg("source"), nb::arg("options"))
      .def_prop_ro("format", &Rows::format)
      .def_prop_ro("files", &Rows::files)
      .def_prop_ro("rejected", &Rows::rejected)
      .def_prop_ro("total_rows", &Rows::total_rows)
      .def_prop_ro("schema", &Rows::schema)
      .def("__arrow_c_stream__", &Rows::stream, nb::arg("requested_schema") = nb::none())
      .def("__arrow_c_schema__",
           [](const Rows& self) { return schema_capsule(hub::export_schema(self.schema().hub)); });
  nb::class_<CastRows>(module, "CastRows")
      .def_prop_ro("report", &CastRows::report)
      .def_prop_ro("rejected", &CastRows::rejected)
      .def("__arrow_c_stream__", &CastRows::stream, nb::arg("requested_schema") = nb::none());
  module.def("cast", cast, nb::arg("source"), nb::arg("target"), nb::arg("options"));
  module.def(
      "side_schema_path", [](const std::string& path) { return io::side_schema_path(path); },
      nb::arg("path"));
  module.def("parts", parts, nb::arg("path"), nb::arg("format"), nb::arg("bytes"));
  module.def("convert", convert, nb::arg("source"), nb::arg("out"), nb::arg("options"),
             nb::arg("target_schema") = nb::none());
}

}  // namespace xwalk::python
