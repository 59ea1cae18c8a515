#include "xwalk/convert/info.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/crosswalk/meanings.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/children.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/io/engines/ipc_stream.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/input_files.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/io/rows/selection.h"
#include "xwalk/io/rows/watched_reader.h"
#include "xwalk/report/report.h"

namespace xwalk::io {
namespace {

/// Adds a field and what is below it, as the system stores it.
void add_columns(crosswalk::System system, const hub::Field& field, const Path& path,
                 std::vector<ColumnInfo>* out) {
  ColumnInfo& column = out->emplace_back();
  column.path = path;
  column.type = crosswalk::type_text(system, field);
  column.layer = crosswalk::layer_text(system, field, column.type);
  column.nullable = field.nullable;
  // Without unions, alternatives are members of which all but one are null.
  const bool optional = hub::is_union(field.type.kind()) && !system->capabilities.unions;
  for (const hub::Child& child : hub::children_of(field.type, path)) {
    hub::Field below = *child.field;
    below.nullable = below.nullable || optional;
    add_columns(system, below, child.path, out);
  }
}

std::vector<ColumnInfo> columns_of(crosswalk::System system, const hub::Schema& schema) {
  std::vector<ColumnInfo> out;
  for (const hub::Field& field : schema.fields) {
    add_columns(system, field, Path::column(field.name), &out);
  }
  return out;
}

/// Adds the files' facts to the columns.
void add_facts(const std::vector<hub::ColumnFacts>& facts, std::vector<ColumnInfo>* columns) {
  std::map<std::string, ColumnInfo*> by_path;
  for (ColumnInfo& column : *columns) by_path.emplace(column.path.text(), &column);
  for (const hub::ColumnFacts& fact : facts) {
    // What is stored for a path is stored for all that hold it.
    for (Path path = fact.path; fact.bytes && !path.empty(); path = path.parent()) {
      const auto holder = by_path.find(path.text());
      if (holder == by_path.end()) continue;
      holder->second->bytes = holder->second->bytes.value_or(0) + *fact.bytes;
    }
    const auto found = by_path.find(fact.path.text());
    if (found == by_path.end()) continue;
    ColumnInfo& column = *found->second;
    column.nulls = fact.nulls;
    column.nans = fact.nans;
    column.geospatial = fact.geospatial;
    column.distinct = fact.distinct;
    if (!fact.values) continue;
    for (hub::SeenRange& range : fact.values->ranges(crosswalk::holds_yson)) {
      column.smallest = std::move(range.smallest);
      column.largest = std::move(range.largest);
      column.shortened = fact.shortened;
    }
  }
}

/// Returns the bytes of a file; null for a folder, which only an engine opens. A folder of files is
/// among `input_files` only by its files.
std::unique_ptr<Source> source_of(const Location& path, const InputOptions& options, bool listed) {
  if (path.is_catalog()) return nullptr;
  const std::optional<Format> named = options.format ? options.format : format_of_name(path);
  const bool may_be_folder = named ? (*named)->is_dataset != nullptr : !path.is_remote();
  if (!path.is_standard() && may_be_folder && look_at(path, options.storage) == NameKind::Folder) {
    return nullptr;
  }
  return (listed ? open_listed : open_source)(path, options.storage, first_fetch(path));
}

/// Returns the facts that one file states. Continue with the source in `source`.
hub::FileFacts file_facts(const Location& path, std::unique_ptr<Source>* source, Format format,
                          const InputOptions& options) {
  hub::FileFacts facts;
  // As stored: the current source may be decompressed.
  const std::optional<uint64_t> bytes = *source ? (*source)->size() : std::nullopt;
  if (format->facts != nullptr) {
    if (*source) *source = with_window(std::move(*source), options.max_memory);
    facts = while_unchanged(*source ? (*source)->original() : nullptr,
                            [&] { return format->facts(path, source->get(), options); });
  }
  if (*source) facts.bytes = bytes;
  const Compression whole = compression_of_name(path);
  if (whole != Compression::None) {
    facts.compression.erase("none");
    facts.compression.insert(whole == Compression::Gzip ? "gzip" : "zstd");
  }
  return facts;
}

/// Collects the facts of all files. Returns true if there are several and their facts show that
/// each has the schema of the first, so that no file must be opened to compare it. Puts the bytes
/// of the first file in `kept`.
bool add_files(const InputFiles& found, const InputOptions& options, KeptInput* kept, Info* out) {
  out->files = found.files.size();
  bool first = true;
  std::optional<hub::Schema> schema;
  // Options may read columns differently that have one type without them.
  bool alike = found.files.size() > 1 && !options.unify && !options.parquet.int96_micros &&
               !options.plan.stored_values;
  for (const InputFile& file : found.files) {
    std::unique_ptr<Source> source = source_of(file.path, options, found.listed);
    const Format format = input_format(file.path, source.get(), options);
    alike = alike && (first || out->format == format->name);
    out->format = format->name;
    hub::FileFacts facts = file_facts(file.path, &source, format, options);
    if (first) {
      schema = facts.schema;
      if (source) kept->first.emplace(std::move(source));
    }
    alike = alike && facts.schema && facts.schema == schema;
    if (std::exchange(first, false)) {
      out->facts = std::move(facts);
    } else {
      hub::add_facts(std::move(facts), &out->facts);
    }
  }
  return alike;
}

/// Reads all rows and looks at their values.
void scan_rows(Input input, const InfoOptions& options, Info* out) {
  hub::CompiledCast plain =
      hub::compile_cast(input.reader->schema(), plain_layout(input.reader->schema()));
  if (!plain.is_identity()) input.reader = cast_pieces(std::move(input.reader), std::move(plain));
  hub::SeenValues seen(input.reader->schema(), hub::Looking::Everything, crosswalk::holds_yson);
  WatchedReader reader(input.reader.get(), &seen);
  PipelineOptions pipeline = options.pipeline;
  pipeline.skip_bad_rows = true;
  const Progress done = run_pipeline(reader, nullptr, nullptr, pipeline);
  out->scanned = true;
  out->bad_rows = done.bad_rows;
  out->facts.rows = done.rows + done.bad_rows;
  std::map<std::string, hub::SeenPath> by_path;
  for (hub::SeenPath& path : seen.paths(crosswalk::holds_yson))
    by_path.emplace(path.path.text(), std::move(path));
  for (ColumnInfo& column : out->columns) {
    const auto found = by_path.find(column.path.text());
    if (found == by_path.end()) continue;
    const hub::SeenPath& path = found->second;
    column.nulls = path.nulls;
    column.nans = path.nans;
    column.distinct = path.distinct;
    column.histogram = path.histogram;
    column.shortened = false;
    column.smallest = path.range ? std::optional(path.range->smallest) : std::nullopt;
    column.largest = path.range ? std::optional(path.range->largest) : std::nullopt;
    column.kinds = path.kinds;
    column.value_bytes = path.value_bytes;
  }
}

/// Returns the options that open rows.
InputOptions opening_of(const InfoOptions& options) {
  InputOptions opening = options.input;
  opening.skip_bad_rows = true;
  return opening;
}

void add_input(Input input, const InfoOptions& options, Info* out) {
  out->format = input.format->name;
  out->columns = columns_of(input.format->system->types(), input.reader->schema());
  out->files = input.files.size();
  out->file_notes = input.file_notes;
  if (const std::optional<int64_t> rows = input.reader->total_rows(); rows && !out->facts.rows) {
    out->facts.rows = static_cast<uint64_t>(*rows);
  }
  if (options.scan) scan_rows(std::move(input), options, out);
}

/// Adds the facts and the rows of standard input.
void add_stream(std::unique_ptr<Source> source, const InfoOptions& options, Info* out) {
  const Format format = input_format("-", source.get(), options.input);
  check_readable(format);
  if (!format->by_path) out->facts = file_facts("-", &source, format, options.input);
  add_input(open_input(std::move(source), opening_of(options)), options, out);
  if (!options.scan) add_facts(out->facts.columns, &out->columns);
}

Info find(const Locations& paths, const InfoOptions& options) {
  Info out;
  out.name = paths.front().is_standard() ? "<stdin>" : shown_name(paths.front());
  if (paths.size() > 1) out.name += fmt::format(" and {} more", paths.size() - 1);
  const bool lone = paths.size() == 1;
  if (lone && paths.front().is_standard()) {
    add_stream(open_source("-"), options, &out);
    return out;
  }
  if (std::ranges::any_of(
          paths, [](const Location& path) { return path.is_cluster() || path.is_standard(); })) {
    // A table on a cluster or a pipe says what it is when it is open.
    add_input(open_input(paths, opening_of(options)), options, &out);
    return out;
  }
  KeptInput kept;
  const InputFiles& found = kept.files.emplace(input_files(paths, options.input));
  const bool alike = add_files(found, options.input, &kept, &out);
  if (options.scan) {
    add_input(open_input(found, opening_of(options), &kept), options, &out);
  } else {
    const bool is_file = lone && !found.listed;
    SchemaInput schema =
        is_file ? read_schema(paths, options.system, options.input, Meaning::Needed, nullptr, &kept)
                : read_schema(found, options.input, alike, &kept);
    const std::vector<Path> selected =
        find_selected(options.input.select, [&] { return schema.hub; });
    if (!selected.empty()) schema.hub = select(schema.hub, selected);
    out.columns = columns_of(schema.system->types(), schema.hub);
    out.file_notes = std::move(schema.file_notes);
    add_facts(out.facts.columns, &out.columns);
    return out;
  }
  // What rows do not say.
  std::vector<ColumnInfo> stored = out.columns;
  for (ColumnInfo& column : stored) column.bytes.reset();
  add_facts(out.facts.columns, &stored);
  for (size_t i = 0; i < stored.size(); ++i) {
    out.columns[i].bytes = stored[i].bytes;
    out.columns[i].geospatial = std::move(stored[i].geospatial);
  }
  return out;
}

}  // namespace

Info info(const Locations& paths, const InfoOptions& options) {
  const SchemaMemoryScope scope(options.input.max_memory);
  const StorageOptions& storage = options.input.storage;
  if (options.input.given.contains(hub::Option::Storage)) check_storage(storage, paths);
  return open_names(paths, storage, [&](const Locations& names) { return find(names, options); });
}

std::optional<uint64_t> rows_recorded(const Locations& paths, const InputOptions& options) {
  Info found;
  KeptInput first;
  add_files(input_files(paths, options), options, &first, &found);
  return found.facts.rows;
}

std::string origin_of(const Info& info, std::string_view scan) {
  if (info.scanned) {
    const bool estimated = std::ranges::any_of(info.columns, [](const ColumnInfo& column) {
      return column.distinct && column.distinct->estimated;
    });
    const bool has_pictures = std::ranges::any_of(
        info.columns, [](const ColumnInfo& column) { return !column.histogram.counts.empty(); });
    std::string out = "All rows were read.";
    if (estimated) {
      out += " Counts of different values with ~ are estimates, within about 2 %.";
    }
    if (has_pictures) {
      out +=
          " Histograms go from the smallest to the largest value; of text and bytes, they "
          "count lengths.";
      const bool has_infinite = std::ranges::any_of(info.columns, [](const ColumnInfo& column) {
        return column.smallest == "-inf" || column.largest == "inf";
      });
      if (has_infinite) out += " Infinite values have no bar.";
    }
    return out;
  }
  // Facts known for every column, for some columns, for no column.
  const auto& columns = info.columns;
  std::vector<std::string> recorded;
  std::vector<std::string> lacking;
  if (!info.facts.rows) lacking.emplace_back("rows");
  const auto ask = [&](std::string_view word, auto is_known) {
    const auto known = std::ranges::count_if(columns, is_known);
    if (known > 0) recorded.emplace_back(word);
    if (known == 0 && !columns.empty()) lacking.emplace_back(word);
  };
  ask("nulls", [](const ColumnInfo& column) { return column.nulls.has_value(); });
  ask("min and max", [](const ColumnInfo& column) { return column.smallest.has_value(); });
  ask("distinct", [](const ColumnInfo& column) { return column.distinct.has_value(); });
  // Few files record these.
  if (std::ranges::any_of(columns,
                          [](const ColumnInfo& column) { return column.nans.has_value(); })) {
    recorded.emplace_back("NaNs");
  }
  if (std::ranges::any_of(columns,
                          [](const ColumnInfo& column) { return column.geospatial.has_value(); })) {
    recorded.emplace_back("boxes and types of geometries");
  }
  std::string out;
  if (!recorded.empty()) {
    out = fmt::format("{} come from the file's metadata. ", join(recorded, ", "));
  }
  if (std::ranges::any_of(columns, &ColumnInfo::shortened)) {
    out += "Values that end with … are bounds, which the writer may have shortened. ";
  }
  if (!lacking.empty()) {
    out += fmt::format("Not recorded: {}. {} computes {}. ", join(lacking, ", "), scan,
                       lacking.size() == 1 ? "it" : "them");
  }
  if (!out.empty()) out.pop_back();
  return out;
}

namespace {

constexpr std::array<std::string_view, 4> kAxes = {"x", "y", "z", "m"};

}  // namespace

std::optional<std::string> box_text(const ColumnInfo& column) {
  if (!column.geospatial) return std::nullopt;
  std::string text;
  for (size_t axis = 0; axis < kAxes.size(); ++axis) {
    if (const auto& range = column.geospatial->box.at(axis)) {
      text += fmt::format("{}{} {}…{}", text.empty() ? "" : ", ", kAxes.at(axis), range->least,
                          range->greatest);
    }
  }
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::optional<std::string> kinds_text(const ColumnInfo& column) {
  std::vector<std::string> counts;
  for (const auto& [kind, count] : column.kinds) {
    counts.push_back(fmt::format("{} {}", kind, grouped(count)));
  }
  return counts.empty() ? std::nullopt : std::optional(join(counts, ", "));
}

std::optional<std::string> geometry_types_text(const ColumnInfo& column) {
  if (!column.geospatial || column.geospatial->types.empty()) return std::nullopt;
  const std::set<std::string>& types = column.geospatial->types;
  return join(std::vector<std::string>(types.begin(), types.end()), ", ");
}

namespace {

/// Returns the box of a column, `{"x": [least, greatest], …}`; null if none is recorded.
nlohmann::ordered_json json_box(const ColumnInfo& column) {
  nlohmann::ordered_json box;
  for (size_t axis = 0; column.geospatial && axis < kAxes.size(); ++axis) {
    if (const auto& range = column.geospatial->box.at(axis)) {
      box[std::string(kAxes.at(axis))] = {range->least, range->greatest};
    }
  }
  return box;
}

/// Returns where the ranges begin, how wide they are and how many values each has; null if they
/// were not counted.
nlohmann::ordered_json json_histogram(const hub::Histogram::Bars& bars) {
  if (bars.counts.empty()) return nullptr;
  return {{"least", bars.least}, {"width", bars.width}, {"counts", bars.counts}};
}

/// Returns how many values there are of each kind; null if they were not counted.
nlohmann::ordered_json json_kinds(const ColumnInfo& column) {
  nlohmann::ordered_json kinds;
  for (const auto& [kind, count] : column.kinds) kinds[std::string(kind)] = count;
  return kinds;
}

}  // namespace

std::optional<std::string> histogram_text(const ColumnInfo& column) {
  constexpr std::array<std::string_view, 8> kHeights = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::vector<uint64_t>& counts = column.histogram.counts;
  if (counts.empty()) return std::nullopt;
  const uint64_t most = std::ranges::max(counts);
  std::string out;
  for (const uint64_t count : counts) {
    // A range with a value is never as low as one without.
    const double share = static_cast<double>(count) / static_cast<double>(most);
    out += count == 0 ? " " : kHeights.at(std::min<size_t>(7, static_cast<size_t>(share * 8)));
  }
  return out;
}

std::string print_json(const Info& info) {
  using Json = nlohmann::ordered_json;
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  Json columns = Json::array();
  for (const ColumnInfo& column : info.columns) {
    columns.push_back({{"path", column.path.text()},
                       {"type", column.type},
                       {"nullable", column.nullable},
                       {"nulls", or_null(column.nulls)},
                       {"min", or_null(column.smallest)},
                       {"max", or_null(column.largest)},
                       {"shortened", column.shortened},
                       {"distinct", column.distinct ? Json(column.distinct->values) : Json()},
                       {"estimated", column.distinct && column.distinct->estimated},
                       {"histogram", json_histogram(column.histogram)},
                       {"bytes", or_null(column.bytes)},
                       {"nans", or_null(column.nans)},
                       {"kinds", json_kinds(column)},
                       {"value_bytes", or_null(column.value_bytes)},
                       {"box", json_box(column)},
                       {"geometry_types", column.geospatial && !column.geospatial->types.empty()
                                              ? Json(column.geospatial->types)
                                              : Json()}});
  }
  Json out = {{"name", info.name},
              {"format", info.format},
              {"files", info.files},
              {"rows", or_null(info.facts.rows)},
              {"bytes", or_null(info.facts.bytes)},
              {"pieces", info.facts.pieces_are.empty() ? Json() : Json(info.facts.pieces)},
              {"pieces_are", info.facts.pieces_are.empty() ? Json() : Json(info.facts.pieces_are)},
              {"compression", info.facts.compression},
              {"writers", info.facts.writers},
              {"versions", info.facts.versions},
              {"scanned", info.scanned},
              {"bad_rows", info.bad_rows},
              {"columns", std::move(columns)}};
  return visible_json(out.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace xwalk::io
