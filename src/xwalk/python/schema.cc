#include "xwalk/python/schema.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/arrow/module.h"
#include "xwalk/arrow/schema.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/facade.h"
#include "xwalk/convert/notes.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/lower.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/python/capsules.h"
#include "xwalk/python/interrupt.h"
#include "xwalk/python/options.h"
#include "xwalk/python/report.h"
#include "xwalk/python/rows.h"
#include "xwalk/python/text.h"
#include "xwalk/yt/module.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

using Dict = nb::typed<nb::dict, nb::str, nb::any>;

using crosswalk::System;

std::string bytes_of(nb::handle text) {
  if (nb::isinstance<nb::str>(text)) return nb::cast<std::string>(text);
  if (nb::isinstance<nb::bytes>(text)) {
    auto bytes = nb::borrow<nb::bytes>(text);
    return {bytes.c_str(), bytes.size()};
  }
  throw Error(ErrorCode::Usage,
              fmt::format("expected str or bytes, found {}", nb::type_name(text.type()).c_str()));
}

Schema parse(nb::handle text, const std::optional<std::string>& format) {
  return io::parse_schema(bytes_of(text), format);
}

/// Returns the options by which rows are opened for their schema, which has all columns. Options of
/// a conversion are checked against its two formats later.
io::InputOptions opening_of(const Dict& given, bool of_conversion) {
  io::InputOptions options = read_options(given).input;
  options.select.clear();
  options.exclude.clear();
  if (of_conversion) {
    std::erase_if(options.given, [](hub::Option option) { return option != hub::Option::Storage; });
  }
  return options;
}

/// Reads the schema of a data file or of a schema file, or text that is not a path, as the
/// program's commands do.
Schema read(const std::vector<std::string>& paths, const std::optional<std::string>& format,
            const Dict& given, bool of_conversion) {
  const io::InputOptions options = opening_of(given, of_conversion);
  std::optional<System> system;
  if (format) system = crosswalk::system_of_word(*format);
  Schema found = interruptible(
      [&](const Interrupts&) { return io::read_schema_or_text(paths, system, options); });
  if (!paths.empty()) warn_of_inferred(found.file_notes, paths.front());
  return found;
}

Schema parse_type(const std::string& text, const std::string& format) {
  return io::schema_of(crosswalk::parse_type(crosswalk::system_of_word(format), text));
}

/// Rows of a schema, of which there are none.
class NoRows final : public hub::BatchReader {
 public:
  explicit NoRows(hub::Schema schema) : schema_(std::move(schema)) {}
  const hub::Schema& schema() const override { return schema_; }
  std::optional<hub::Batch> next() override { return std::nullopt; }

 private:
  hub::Schema schema_;
};

hub::Schema arrow_schema_of(nb::handle object) {
  if (!nb::hasattr(object, "__arrow_c_schema__") && nb::hasattr(object, "__arrow_c_stream__")) {
    return hub::import_stream(take_stream(object))->schema();
  }
  const hub::SchemaHandle taken = take_schema(object);
  return hub::import_schema(*taken.get());
}

/// Takes the schema of an object that has one, or rows with one, which stay with it. With options,
/// it is the one by which they are read.
Schema from_arrow(nb::handle object, const Dict& given, bool of_conversion) {
  hub::Schema schema = arrow_schema_of(object);
  crosswalk::check_schema({arrow::kModule, schema});
  if (given.empty()) return io::schema_of({arrow::kModule, std::move(schema)});
  const io::InputOptions options = opening_of(given, of_conversion);
  hub::StreamHandle rows = hub::export_stream(std::make_unique<NoRows>(std::move(schema)));
  return io::schema_of({arrow::kModule, io::open_input(std::move(rows), options).reader->schema()});
}

/// Returns what `restore` takes: the system, the written schema, and its Arrow form if the written
/// one does not determine it.
nb::tuple state(const Schema& schema) {
  const std::string written = crosswalk::print_schema(schema.schema);
  const bool plain = io::schema_of(schema.schema).hub == schema.hub;
  const std::string arrow = plain ? std::string() : arrow::write_ipc_schema(schema.hub);
  return nb::make_tuple(std::string(schema.system->name), nb::bytes(written.data(), written.size()),
                        nb::bytes(arrow.data(), arrow.size()));
}

Schema restore(const std::string& system, const nb::bytes& written, const nb::bytes& arrow) {
  Schema out =
      io::schema_of(crosswalk::parse_schema(crosswalk::system_of_word(system), bytes_of(written)));
  if (arrow.size() > 0) out.hub = arrow::read_ipc_schema(bytes_of(arrow));
  return out;
}

/// Returns true for a text that is a schema, or the name of something that has one, and not a
/// system or a format.
bool names_schema(const std::string& word) {
  const bool has_attributes = word.starts_with('<');
  if (crosswalk::parse_system(word) || (!has_attributes && io::names_format(word))) return false;
  if (has_attributes && is_ascii_alnum(word.back())) return false;  // <format=binary>yson
  return io::is_schema_text(word) || io::look_at(word, {}) != io::NameKind::Nothing;
}

/// Returns the Arrow form of a schema with a struct for each union, and the paths of the unions.
nb::typed<nb::tuple, Schema, nb::typed<nb::list, nb::str>> without_unions(const Schema& schema) {
  static constexpr std::string_view kRule = "union.lowered";
  hub::Lowered lowered = hub::lower(
      schema.hub, {.system = "polars", .any_values = true, .unions = false, .zero_bytes = true});
  nb::list paths;
  for (const hub::Finding& finding : lowered.findings) {
    if (finding.rule == kRule) paths.append(finding.path.text());
  }
  return nb::make_tuple(io::schema_of({arrow::kModule, std::move(lowered.schema)}), paths);
}

/// Returns a field with only the metadata of extension types, at any depth.
hub::Field with_types_alone(const hub::Field& field) {
  std::vector<hub::Field> children;
  for (const hub::Field& child : field.type.children()) {
    children.push_back(with_types_alone(child));
  }
  hub::Field out(field.name, hub::with_children(field.type, std::move(children)), field.nullable);
  if (field.extension_name().empty()) return out;
  return hub::with_extension(std::move(out), field.extension_name(), field.extension_metadata());
}

/// Returns the path of each column, and its Arrow type as `cast` takes it, with the parameters of
/// extension types.
nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::str>> columns(const Schema& schema) {
  constexpr std::string_view kName = "c";
  nb::list out;
  for (const hub::Field& field : schema.hub.fields) {
    hub::Field alone = with_types_alone(field);
    alone.name = kName;
    alone.nullable = true;
    const std::string text = arrow::print_field(alone).substr(kName.size() + 2);
    out.append(nb::make_tuple(Path::column(field.name).text(), text));
  }
  return out;
}

nb::object dump(const Schema& schema, const std::string& form) {
  const std::string text = crosswalk::print_schema(schema.schema, form);
  if (crosswalk::is_binary_form(schema.system, form)) return nb::bytes(text.data(), text.size());
  return nb::cast(text);
}

/// What a conversion makes: a schema, a system or a format by its word, or nothing.
using Target = std::variant<std::monostate, Schema, std::string>;

io::Against against(const Target& target, const std::optional<std::string>& append = {}) {
  if (const auto* schema = std::get_if<Schema>(&target)) return schema->schema;
  if (const auto* word = std::get_if<std::string>(&target)) return *word;
  if (append) return io::Addition{*append};
  return {};
}

/// Converts to a system, or to a given schema of one. Returns the schema and the report.
nb::typed<nb::tuple, Schema, Report> plan(const Schema& source, const Target& target,
                                          const Dict& given) {
  io::SchemaConversion made = io::convert_schema(source, against(target), read_options(given));
  return nb::make_tuple(made.schema(), std::move(made.report));
}

/// Names of readers, none for all of them; nothing if they are not asked.
using Readers = std::optional<std::vector<std::string>>;

io::Ask ask_of(const Readers& readers, bool rows = false) {
  io::Ask ask{.rows = rows, .readers = readers.has_value()};
  if (readers) ask.only_readers = crosswalk::parse_readers(*readers);
  return ask;
}

/// Reports what `convert` with these options would keep of rows of a schema. With `append` the rows
/// would be added to that output. Without it and a target, only readers are asked, about the source
/// as it is.
Report check(const Schema& source, const Target& target, const Dict& given, const std::string& name,
             const Readers& readers, const std::optional<std::string>& append) {
  const io::ConvertOptions options = read_options(given);
  const io::Ask ask = ask_of(readers);
  return interruptible([&](const Interrupts&) {
    return io::check(source, name, against(target, append), ask, options);
  });
}

/// Reports the same on the tables that paths stand for.
Report check_inputs(const std::vector<std::string>& paths, const std::optional<std::string>& format,
                    const Target& target, const Dict& given, bool rows, const Readers& readers,
                    const std::optional<std::string>& append) {
  io::ConvertOptions options = read_options(given);
  const io::Ask ask = ask_of(readers, rows);
  std::optional<System> system;
  if (format) system = crosswalk::system_of_word(*format);
  std::vector<std::pair<io::FileNotes, std::string>> notes;
  options.on_open = [&](const io::Location& name, const io::FileNotes& of) {
    notes.emplace_back(of, name);
  };
  Report report = interruptible([&](const Interrupts& interrupts) {
    options.pipeline.cancelled = &interrupts.stop();
    return io::check(paths, system, against(target, append), ask, options);
  });
  for (const auto& [of, name] : notes) warn_of_inferred(of, name);
  return report;
}

Report diff(const Schema& left, const Schema& right, bool guess_renames) {
  return io::diff(left, right, {"left", "right"}, {.guess_renames = guess_renames});
}

io::CompatQuestion compat_question(const std::string& mode, bool allow_rename, bool allow_removal) {
  return {.mode = crosswalk::parse_compat_mode(mode),
          .allowed = {.allow_rename = allow_rename, .allow_removal = allow_removal}};
}

Report compat(const Schema& older, const Schema& newer, const std::string& mode, bool allow_rename,
              bool allow_removal) {
  return io::compat(older, newer, {"old", "new"},
                    compat_question(mode, allow_rename, allow_removal));
}

/// Compares the tables that paths stand for.
Report diff_inputs(const Side& left, const Side& right, const std::optional<std::string>& format,
                   bool guess_renames) {
  return io::diff(read_pairs(left, right, format), {.guess_renames = guess_renames},
                  hub::Interface::Python);
}

/// Asks whether data of the one can be read as the other, of the tables that paths stand for.
Report compat_inputs(const Side& older, const Side& newer, const std::optional<std::string>& format,
                     const std::string& mode, bool allow_rename, bool allow_removal) {
  return io::compat(read_pairs(older, newer, format),
                    compat_question(mode, allow_rename, allow_removal), hub::Interface::Python);
}

/// Returns the schema that holds the rows of both, and what it drops, in JSON.
nb::typed<nb::tuple, Schema, std::string> merge(const Schema& first, const Schema& second) {
  yt::MergedSchema merged = io::merge(first, second);
  return nb::make_tuple(io::schema_of({yt::kModule, std::move(merged.schema)}),
                        io::notes_json({}, merged.lost, hub::Interface::Python));
}

/// Applies operations given as pairs of a name and a text, like the program's `evolve`.
nb::typed<nb::tuple, Schema, nb::typed<nb::list, Dict>> evolve(
    const Schema& schema, const std::vector<std::pair<std::string, std::string>>& operations) {
  if (schema.system->evolve == nullptr) {
    std::vector<std::string> able;
    for (const System system : crosswalk::systems()) {
      if (system->evolve != nullptr) able.emplace_back(system->name);
    }
    throw Error(ErrorCode::Usage, fmt::format("expected a schema of {}, found one of {}",
                                              alternatives(able), schema.system->name));
  }
  std::vector<hub::SchemaChange> changes;
  changes.reserve(operations.size());
  for (const auto& [word, text] : operations) changes.push_back({word, text});
  hub::Evolved evolved = schema.system->evolve(schema.schema, changes);
  nb::list work;
  for (const hub::DataWork& step : evolved.work.value_or(std::vector<hub::DataWork>())) {
    nb::dict entry;
    entry["written_ids"] = step.written_ids;
    entry["checked_id"] = step.checked_id;
    nb::list findings;
    for (const hub::Finding& finding : step.findings) {
      nb::dict found;
      found["rule"] = std::string(finding.rule);
      found["path"] = finding.path.text();
      found["values"] = std::string(hub::to_string(hub::values_after(finding.effect)));
      found["lost"] = finding.lost;
      found["example"] = finding.witness;
      findings.append(found);
    }
    entry["findings"] = findings;
    work.append(entry);
  }
  return nb::make_tuple(io::schema_of(std::move(evolved.schema)), work);
}

}  // namespace

std::shared_ptr<io::PairedTables> read_pairs(const Side& left, const Side& right,
                                             const std::optional<std::string>& format) {
  std::optional<System> system;
  if (format) system = crosswalk::system_of_word(*format);
  const io::InputSide first{left.first, system, read_options(left.second).input};
  const io::InputSide second{right.first, system, read_options(right.second).input};
  auto found = interruptible([&](const Interrupts&) -> std::shared_ptr<io::PairedTables> {
    return io::read_pairs(first, second);
  });
  for (const auto& [a, b] : found->pairs) {
    for (const io::InputTable* table : {a, b}) {
      warn_of_inferred(table->schema.file_notes, table->paths.front());
    }
  }
  return found;
}

void bind_schema(nb::module_& module) {
  nb::class_<Schema>(module, "Schema")
      .def_static("parse", parse, nb::arg("text"), nb::arg("format") = nb::none(),
                  nb::sig("def parse(text: str | bytes, format: str | None = None) -> Schema"))
      .def_static("read", read, nb::arg("paths"), nb::arg("format"), nb::arg("options"),
                  nb::arg("of_conversion") = false)
      .def_static("parse_type", parse_type, nb::arg("text"), nb::arg("format"))
      .def_static("from_arrow", from_arrow, nb::arg("object"), nb::arg("options") = nb::dict(),
                  nb::arg("of_conversion") = false)
      .def_prop_ro("system", [](const Schema& self) { return std::string(self.system->name); })
      .def_prop_ro("names",
                   [](const Schema& self) {
                     std::vector<std::string> names;
                     for (const hub::Field& field : self.hub.fields) names.push_back(field.name);
                     return names;
                   })
      .def_prop_ro("forms", [](const Schema& self) { return crosswalk::form_names(self.system); })
      .def("dump", dump, nb::arg("form") = "",
           nb::sig("def dump(self, form: str = '') -> str | bytes"))
      .def(
          "lost",
          [](const Schema& self, const std::string& form) {
            return crosswalk::lost_in_form(self.schema, form);
          },
          nb::arg("form"))
      .def("without_unions", without_unions)
      .def("columns", columns)
      .def("plan", plan, nb::arg("target"), nb::arg("options"))
      .def("__arrow_c_schema__",
           [](const Schema& self) { return schema_capsule(hub::export_schema(self.hub)); })
      .def("state", state, nb::sig("def state(self) -> tuple[str, bytes, bytes]"))
      .def_static("restore", restore, nb::arg("system"), nb::arg("written"), nb::arg("arrow"))
      .def("equals",
           [](const Schema& self, const Schema& other) { return self.schema == other.schema; });

  module.def("names_schema", names_schema, nb::arg("word"));
  module.def("is_schema_text", io::is_schema_text, nb::arg("text"));
  module.def("check", check, nb::arg("source"), nb::arg("target").none(), nb::arg("options"),
             nb::arg("name"), nb::arg("readers").none(), nb::arg("append").none());
  module.def("check_inputs", check_inputs, nb::arg("paths"), nb::arg("format").none(),
             nb::arg("target").none(), nb::arg("options"), nb::arg("rows"),
             nb::arg("readers").none(), nb::arg("append").none());
  module.def("diff_inputs", diff_inputs, nb::arg("left"), nb::arg("right"),
             nb::arg("format").none(), nb::arg("guess_renames"));
  module.def("compat_inputs", compat_inputs, nb::arg("older"), nb::arg("newer"),
             nb::arg("format").none(), nb::arg("mode"), nb::arg("allow_rename"),
             nb::arg("allow_removal"));
  module.def("compat", compat, nb::arg("older"), nb::arg("newer"), nb::arg("mode"),
             nb::arg("allow_rename"), nb::arg("allow_removal"));
  module.def("diff", diff, nb::arg("left"), nb::arg("right"), nb::arg("guess_renames"));
  module.def("merge", merge, nb::arg("first"), nb::arg("second"));
  module.def("evolve", evolve, nb::arg("schema"), nb::arg("operations"));
}

}  // namespace xwalk::python
