#include "xwalk/python/compared_parts.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/convert/compared_parts.h"
#include "xwalk/convert/facade.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/python/interrupt.h"
#include "xwalk/python/options.h"
#include "xwalk/python/report.h"
#include "xwalk/python/schema.h"
#include "xwalk/python/text.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

using Dict = nb::typed<nb::dict, nb::str, nb::any>;
using Given = std::optional<Schema>;

/// Returns a schema as it is sent to tasks: Arrow's form, and whether whole rows may be null, which
/// that form does not have.
nb::tuple sent(const hub::Schema& schema) {
  const std::string bytes = arrow::write_ipc_schema(schema);
  return nb::make_tuple(nb::bytes(bytes.data(), bytes.size()), schema.nullable_rows);
}

hub::Schema received(nb::handle tuple) {
  const auto bytes = nb::cast<nb::bytes>(tuple[0]);
  hub::Schema schema = arrow::read_ipc_schema({bytes.c_str(), bytes.size()});
  schema.nullable_rows = nb::cast<bool>(tuple[1]);
  return schema;
}

nb::tuple sent(const io::ComparedSide& side) {
  return nb::make_tuple(std::string(side.format->word), sent(side.schema),
                        sent(hub::Schema{.fields = side.partitions}), side.inferred);
}

io::ComparedSide received_side(nb::handle tuple) {
  return {io::parse_format(nb::cast<std::string>(tuple[0])), received(tuple[1]),
          received(tuple[2]).fields, nb::cast<std::string>(tuple[3])};
}

io::ConvertOptions options_of(const Dict& given, const Given& target_schema) {
  io::ConvertOptions options = read_options(given);
  if (target_schema) io::set_output_schema(target_schema->schema, &options);
  return options;
}

/// Sums of one side, as Python adds them up: rows, checksum of rows, the values, nulls and checksum
/// of each column, rejected rows and the first, the same for each path, rows that do not fit and
/// the first.
using Column = std::tuple<uint64_t, uint64_t, uint64_t>;
using RejectedAt = std::map<std::string, std::pair<uint64_t, std::string>>;
using Sums = std::tuple<uint64_t, uint64_t, std::vector<Column>, uint64_t, std::string, RejectedAt,
                        uint64_t, std::string>;

Sums sums_for_python(const io::SideSums& sums) {
  std::vector<Column> columns;
  for (const hub::ColumnSum& one : sums.columns)
    columns.emplace_back(one.values, one.nulls, one.sum);
  RejectedAt rejected_at;
  for (const auto& [path, rows] : sums.rejected_at) rejected_at[path] = {rows.rejected, rows.first};
  return {sums.rows,           sums.sum,    std::move(columns), sums.rejected,
          sums.first_rejected, rejected_at, sums.unfit,         sums.first_unfit};
}

io::SideSums sums_of_python(const Sums& given) {
  io::SideSums out;
  std::vector<Column> columns;
  RejectedAt rejected_at;
  std::tie(out.rows, out.sum, columns, out.rejected, out.first_rejected, rejected_at, out.unfit,
           out.first_unfit) = given;
  for (const auto& [values, nulls, sum] : columns) out.columns.push_back({values, nulls, sum});
  for (const auto& [path, at] : rejected_at) {
    report::PathRows& rows = out.rejected_at[path];
    std::tie(rows.rejected, rows.first) = at;
  }
  return out;
}

using SumsOf = io::SideSums (*)(const io::ComparedParts&, const io::Location&, io::ConvertOptions);

/// Adds up a part of one side, in a task.
Sums add_up(SumsOf sums_of, const io::ComparedParts& parts, const std::string& file,
            const Dict& given, const Given& target_schema) {
  io::ConvertOptions options = options_of(given, target_schema);
  return interruptible([&](Interrupts& interrupts) {
    options.pipeline.cancelled = &interrupts.stop();
    return sums_for_python(sums_of(parts, file, std::move(options)));
  });
}

/// The process that makes the proof.
class OpenParts {
 public:
  OpenParts(const std::vector<std::string>& inputs, const std::string& output, const Dict& given,
            const Given& target_schema)
      : options_(options_of(given, target_schema)), open_(interruptible([&](const Interrupts&) {
          return io::open_parts(inputs_of(inputs), output, options_);
        })) {}

  const io::ComparedParts& parts() const { return open_.parts; }
  std::vector<std::string> source_files() const { return names(open_.source_files); }
  std::vector<std::string> output_files() const { return names(open_.output_files); }
  std::string source_format() const { return std::string(open_.parts.source.format->word); }
  std::string output_format() const { return std::string(open_.parts.output.format->word); }

  Report proof(const Sums& source, const Sums& output) const {
    report::Proof out = io::proof_of(
        {io::proven_by(open_, sums_of_python(source), sums_of_python(output), options_)}, {});
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    out.seconds = spent.count();
    return {std::move(out), {}};
  }

 private:
  static io::Locations inputs_of(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
  }
  static std::vector<std::string> names(const io::Locations& files) {
    return {files.begin(), files.end()};
  }

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  io::ConvertOptions options_;
  io::OpenParts open_;
};

}  // namespace

void bind_compared_parts(nb::module_& module) {
  nb::class_<io::ComparedParts>(module, "ComparedParts")
      .def(
          "sums_of_source",
          [](const io::ComparedParts& parts, const std::string& file, const Dict& given,
             const Given& target_schema) {
            return add_up(io::sums_of_source, parts, file, given, target_schema);
          },
          nb::arg("file"), nb::arg("options"), nb::arg("target_schema").none())
      .def(
          "sums_of_output",
          [](const io::ComparedParts& parts, const std::string& file, const Dict& given,
             const Given& target_schema) {
            return add_up(io::sums_of_output, parts, file, given, target_schema);
          },
          nb::arg("file"), nb::arg("options"), nb::arg("target_schema").none())
      .def(
          "__getstate__",
          [](const io::ComparedParts& parts) {
            return nb::make_tuple(sent(parts.source), sent(parts.output), sent(parts.planned));
          },
          nb::sig("def __getstate__(self) -> tuple[object, object, object]"))
      .def(
          "__setstate__",
          [](io::ComparedParts& parts, const nb::tuple& state) {
            new (&parts) io::ComparedParts{received_side(state[0]), received_side(state[1]),
                                           received(state[2])};
          },
          nb::sig("def __setstate__(self, state: tuple[object, object, object], /) -> None"));
  nb::class_<OpenParts>(module, "OpenParts")
      .def(nb::init<const std::vector<std::string>&, const std::string&, const Dict&,
                    const Given&>(),
           nb::arg("inputs"), nb::arg("output"), nb::arg("options"),
           nb::arg("target_schema").none())
      .def_prop_ro("parts", &OpenParts::parts)
      .def_prop_ro("source_files", &OpenParts::source_files)
      .def_prop_ro("output_files", &OpenParts::output_files)
      .def_prop_ro("source_format", &OpenParts::source_format)
      .def_prop_ro("output_format", &OpenParts::output_format)
      .def("proof", &OpenParts::proof, nb::arg("source"), nb::arg("output"));
}

}  // namespace xwalk::python
