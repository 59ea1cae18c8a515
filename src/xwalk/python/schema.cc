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
#include "xwalk/convert/check_inputs.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/convert/check_rows.h"
#include "xwalk/convert/notes.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/compat.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/crosswalk/diff.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/lower.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/python/capsules.h"
#include "xwalk/python/interrupt.h"
#include "xwalk/python/options.h"
#include "xwalk/python/report.h"
#include "xwalk/python/rows.h"
#include "xwalk/python/text.h"
#include "xwalk/yt/merge.h"
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
  return make_schema(crosswalk::parse_schema_of(format, bytes_of(text)));
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
  io::SchemaInput found = interruptible([&](const Interrupts&) {
    const bool is_text = paths.size() == 1 && io::is_schema_text(paths.front());
    return is_text ? io::parse_schema_input(system, paths.front())
                   : io::read_schema(paths, system, options);
  });
  if (!paths.empty()) warn_of_inferred(found.file_notes, paths.front());
  return {found.system, std::move(found.schema), std::move(found.hub), std::move(found.file_notes)};
}

Schema parse_type(const std::string& text, const std::string& format) {
  return make_schema(crosswalk::parse_type(crosswalk::system_of_word(format), text));
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
  if (given.empty()) return make_schema({arrow::kModule, std::move(schema)});
  const io::InputOptions options = opening_of(given, of_conversion);
  hub::StreamHandle rows = hub::export_stream(std::make_unique<NoRows>(std::move(schema)));
  return make_schema({arrow::kModule, io::open_input(std::move(rows), options).reader->schema()});
}

/// Returns what `restore` takes: the system, the written schema, and its Arrow form if the written
/// one does not determine it.
nb::tuple state(const Schema& schema) {
  const std::string written = crosswalk::print_schema(schema.value);
  const bool plain = make_schema(schema.value).hub == schema.hub;
  const std::string arrow = plain ? std::string() : arrow::write_ipc_schema(schema.hub);
  return nb::make_tuple(std::string(schema.system->name), nb::bytes(written.data(), written.size()),
                        nb::bytes(arrow.data(), arrow.size()));
}

Schema restore(const std::string& system, const nb::bytes& written, const nb::bytes& arrow) {
  Schema out =
      make_schema(crosswalk::parse_schema(crosswalk::system_of_word(system), bytes_of(written)));
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
  return nb::make_tuple(make_schema({arrow::kModule, std::move(lowered.schema)}), paths);
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
  const std::string text = crosswalk::print_schema(schema.value, form);
  if (crosswalk::is_binary_form(schema.system, form)) return nb::bytes(text.data(), text.size());
  return nb::cast(text);
}

/// Converts to a system, or to a given schema of one. Returns the schema and the report.
nb::typed<nb::tuple, Schema, Report> plan(const Schema& source,
                                          const std::variant<Schema, std::string>& target,
                                          const Dict& given) {
  io::ConvertOptions options = read_options(given);
  System system = source.system;
  if (const auto* schema = std::get_if<Schema>(&target)) {
    io::set_output_schema(schema->value, &options);
    system = schema->system;
  } else {
    system = io::set_target(std::get<std::string>(target), &options);
  }
  crosswalk::Plan made =
      io::plan_schema(source.value, source.hub, source.file_notes, system, std::move(options));
  crosswalk::require_all_columns(made);
  Schema schema = make_schema(made.target);
  const std::string name(source.system->name);
  return nb::make_tuple(std::move(schema), checked(std::move(made), name));
}

/// Sets the output of a question, and returns its system; nothing if only readers are meant.
std::optional<System> set_question(const std::variant<std::monostate, Schema, std::string>& target,
                                   const std::optional<std::string>& append,
                                   io::ConvertOptions* options) {
  if (const auto* schema = std::get_if<Schema>(&target)) {
    io::set_output_schema(schema->value, options);
    return schema->system;
  }
  if (const auto* word = std::get_if<std::string>(&target)) return io::set_target(*word, options);
  if (append) return io::set_addition(*append, options);
  return std::nullopt;
}

/// Names of readers, none for all of them; nothing if they are not asked.
using Readers = std::optional<std::vector<std::string>>;

void set_readers(const Readers& readers, io::InputsQuestion* question) {
  question->readers = readers.has_value();
  if (readers) question->only_readers = crosswalk::parse_readers(*readers);
}

/// Says what `convert` with these options would do with rows of a schema. With `append` the rows
/// would be added to that output. Without it and a target, only readers are asked, about the source
/// as it is.
Report check(const Schema& source, const std::variant<std::monostate, Schema, std::string>& target,
             const Dict& given, const std::string& name, const Readers& readers,
             const std::optional<std::string>& append) {
  io::ConvertOptions options = read_options(given);
  io::InputsQuestion question;
  question.append = append;
  set_readers(readers, &question);
  question.interface = hub::Interface::Python;
  question.target = set_question(target, append, &options);
  io::InputTable table;
  table.name = name;
  table.schema = {source.system, source.value, source.hub, {}, source.file_notes};
  return interruptible([&](const Interrupts&) -> Report {
    io::set_reading(question.target.value_or(source.system), &options);
    io::check_taken_by(source.system, options.input);
    io::CheckedTable found = io::check_table(table, question, std::move(options));
    return {Checked{std::move(*found.plan), std::move(found.check)}, {}};
  });
}

/// Asks the same of the tables that paths stand for.
Report check_inputs(const std::vector<std::string>& paths, const std::optional<std::string>& format,
                    const std::variant<std::monostate, Schema, std::string>& target,
                    const Dict& given, bool rows, const Readers& readers,
                    const std::optional<std::string>& append) {
  io::ConvertOptions options = read_options(given);
  io::InputsQuestion question;
  question.names = paths;
  question.rows = rows;
  set_readers(readers, &question);
  question.append = append;
  question.interface = hub::Interface::Python;
  if (format) question.source = crosswalk::system_of_word(*format);
  question.target = set_question(target, append, &options);
  std::vector<std::pair<io::FileNotes, std::string>> notes;
  question.on_table = [&](const io::InputTable& table) {
    notes.emplace_back(table.schema.file_notes, table.paths.front());
  };
  Report report = interruptible([&](const Interrupts& interrupts) -> Report {
    options.pipeline.cancelled = &interrupts.stop();
    if (question.target) io::set_reading(*question.target, &options);
    auto found = std::make_shared<io::CheckedInputs>(io::check_inputs(question, options));
    if (!found->is_one()) {
      crosswalk::ReportSet set = found->set();
      return {Tables{std::move(found), std::move(set)}, {}};
    }
    io::CheckedTable& only = found->tables.front();
    return {Checked{std::move(*only.plan), std::move(only.check)}, {}};
  });
  for (const auto& [of, name] : notes) warn_of_inferred(of, name);
  return report;
}

Schema schema_of(const io::InputTable& table) {
  const io::SchemaInput& found = table.schema;
  return {found.system, found.schema, found.hub, found.file_notes};
}

/// The names of two schemas in a report.
using Names = std::pair<std::string, std::string>;

Report diff_named(const Schema& left, const Schema& right, bool guess_renames, Names names) {
  return {Differing{crosswalk::diff(left.system, left.hub, right.system, right.hub,
                                    {.guess_renames = guess_renames}),
                    std::move(names.first), std::move(names.second)},
          {}};
}

Report diff(const Schema& left, const Schema& right, bool guess_renames) {
  return diff_named(left, right, guess_renames, {"left", "right"});
}

Report compat_named(const Schema& older, const Schema& newer, const std::string& mode,
                    bool allow_rename, bool allow_removal, Names names) {
  const crosswalk::CompatMode direction = crosswalk::parse_compat_mode(mode);
  return {Compared{crosswalk::check_compat(
                       older.value, older.hub, newer.value, newer.hub, direction,
                       {.allow_rename = allow_rename, .allow_removal = allow_removal}),
                   older, newer, std::move(names.first), std::move(names.second), direction},
          {}};
}

Report compat(const Schema& older, const Schema& newer, const std::string& mode, bool allow_rename,
              bool allow_removal) {
  return compat_named(older, newer, mode, allow_rename, allow_removal, {"old", "new"});
}

Names names_of(const io::PairedTables& tables) {
  const auto& [left, right] = tables.pairs[0];
  return {left->name, right->name};
}

/// Compares the tables that paths stand for.
Report diff_inputs(const Side& left, const Side& right, const std::optional<std::string>& format,
                   bool guess_renames) {
  const std::shared_ptr<io::PairedTables> tables = read_pairs(left, right, format);
  if (tables->is_one()) {
    return diff_named(schema_of(*tables->pairs[0].first), schema_of(*tables->pairs[0].second),
                      guess_renames, names_of(*tables));
  }
  crosswalk::ReportSet set = tables->set(hub::Interface::Python);
  std::ranges::copy(tables->diff({.guess_renames = guess_renames}),
                    std::back_inserter(set.reports));
  return {Tables{tables, std::move(set)}, {}};
}

/// Asks whether data of the one can be read as the other, of the tables that paths stand for.
Report compat_inputs(const Side& older, const Side& newer, const std::optional<std::string>& format,
                     const std::string& mode, bool allow_rename, bool allow_removal) {
  const std::shared_ptr<io::PairedTables> tables = read_pairs(older, newer, format);
  if (tables->is_one()) {
    return compat_named(schema_of(*tables->pairs[0].first), schema_of(*tables->pairs[0].second),
                        mode, allow_rename, allow_removal, names_of(*tables));
  }
  crosswalk::ReportSet set = tables->set(hub::Interface::Python);
  std::ranges::copy(tables->compat(crosswalk::parse_compat_mode(mode),
                                   {.allow_rename = allow_rename, .allow_removal = allow_removal}),
                    std::back_inserter(set.reports));
  return {Tables{tables, std::move(set)}, {}};
}

/// Returns a table schema; another system's is translated.
yt::TableSchema table_schema(const Schema& schema) {
  if (const auto* table = schema.value.get_if<yt::TableSchema>()) return *table;
  return crosswalk::from_arrow(yt::kModule, schema.hub).schema.as<yt::TableSchema>();
}

/// Returns the schema that holds the rows of both, and what it drops, in JSON.
nb::typed<nb::tuple, Schema, std::string> merge(const Schema& first, const Schema& second) {
  crosswalk::check_mergeable({first.system, first.hub}, {second.system, second.hub});
  yt::MergedSchema merged = yt::merge_table_schemas(table_schema(first), table_schema(second));
  return nb::make_tuple(make_schema({yt::kModule, std::move(merged.schema)}),
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
  hub::Evolved evolved = schema.system->evolve(schema.value, changes);
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
  return nb::make_tuple(make_schema(std::move(evolved.schema)), work);
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

Schema make_schema(crosswalk::AnySchema value) {
  Schema out;
  out.system = value.system();
  out.hub = crosswalk::with_arrow_types(out.system, crosswalk::to_arrow(value));
  out.value = std::move(value);
  return out;
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
            return crosswalk::lost_in_form(self.value, form);
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
           [](const Schema& self, const Schema& other) { return self.value == other.value; });

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
