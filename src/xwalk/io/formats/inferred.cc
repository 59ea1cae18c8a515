#include "xwalk/io/formats/inferred.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/infer.h"
#include "xwalk/yt/schema.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchema = ".schema";
constexpr std::string_view kBeyond = "integers beyond 64 bits";

yt::InferOptions infer_options(const RowFormat& format, const InputOptions& options) {
  // JSON becomes YSON, of which a number takes up to five times the bytes.
  const size_t row_bytes = limits::row_bytes(options.max_memory);
  yt::InferOptions out;
  out.table = options.table;
  out.all_tables = options.skiff.table_index;
  out.json = !format.marks_unsigned;
  out.row_bytes = format.marks_unsigned ? row_bytes : 5 * row_bytes;
  // Rows that are skipped don't count, so that rows after these may be read.
  if (options.limit && !options.skip_bad_rows) {
    out.limit = static_cast<uint64_t>(*options.limit);
  }
  return out;
}

/// Returns a file's name without the extensions of a schema, a format and a compression.
std::string bare_name(std::string name) {
  if (name.ends_with(kSchema)) name.resize(name.size() - kSchema.size());
  name = without_compression(name);
  if (format_of_name(name)) name.resize(name.size() - fs::path(name).extension().string().size());
  return name;
}

/// Returns true if the file of a schema is likely to be meant for rows: `orders.schema` for
/// `orders-1.yson`.
bool is_near(const std::string& schema_file, const std::string& rows_file) {
  const std::string schema = bare_name(schema_file);
  const std::string rows = bare_name(rows_file);
  constexpr size_t kLeast = 3;
  if (schema.size() < kLeast || rows.size() < kLeast) return schema == rows;
  return rows.starts_with(schema) || schema.starts_with(rows) ||
         !did_you_mean(rows, {schema}).empty();
}

/// Returns the schema files in the folders of files that have names close to theirs, or to the
/// folder's.
std::vector<std::string> near_schemas(const Locations& files) {
  constexpr size_t kMost = 3;
  constexpr size_t kMostEntries = 10'000;
  constexpr size_t kMostFolders = 10;
  std::set<std::string> folders;
  std::set<std::string> found;
  for (const Location& file : files) {
    if (file.is_standard() || file.is_remote()) continue;
    const fs::path path(file.name());
    if (!folders.insert(path.parent_path().string()).second) continue;
    if (folders.size() > kMostFolders) break;
    std::error_code failed;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    size_t seen = 0;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end;
         it.increment(failed)) {
      if (++seen > kMostEntries) break;
      const std::string name = it->path().filename().string();
      if (!name.ends_with(kSchema) || !is_near(name, path.filename().string())) continue;
      // That of other rows is in use.
      const std::string rows = name.substr(0, name.size() - kSchema.size());
      if (format_of_name(rows) && fs::exists(folder / rows, failed)) continue;
      found.insert(path.has_parent_path() ? it->path().string() : name);
    }
    const fs::path next_to_folder = path.parent_path().string() + std::string(kSchema);
    if (path.has_parent_path() && fs::is_regular_file(next_to_folder, failed)) {
      found.insert(next_to_folder.string());
    }
  }
  std::vector<std::string> out(found.begin(), found.end());
  if (out.size() > kMost) out.resize(kMost);
  return out;
}

/// Returns true if files named like this may have no schema, and can be read twice.
bool may_infer(const Location& file, const InputOptions& options) {
  const std::optional<Format> named = options.format ? options.format : format_of_name(file);
  if (file.is_table() || (named && (*named)->infer == nullptr)) return false;
  // For a name in a store, no unneeded requests are made.
  return file.is_remote() ? named.has_value() : look_at(file, options.storage) == NameKind::File;
}

std::shared_ptr<InferredSchema> finished(yt::SchemaInference& inference,
                                         const yt::InferOptions& options, const Locations& files) {
  auto out = std::make_shared<InferredSchema>();
  out->table = inference.finish();
  out->beyond = inference.beyond();
  if (inference.has_enough()) out->first_rows = options.limit;
  out->near_schemas = near_schemas(files);
  return out;
}

}  // namespace

void infer_first(const Locations& files, bool listed, InputOptions* options) {
  if (options->schema || options->inferred || options->part || files.front().is_standard()) return;
  if (!may_infer(files.front(), *options)) return;
  Locations without;
  for (const Location& file : files) {
    if (look_at_side_schema(file, options->storage) == NameKind::Nothing) {
      without.push_back(file);
    }
  }
  if (without.empty()) return;
  const auto opens = [&](const Location& file) {
    return (listed ? open_listed : open_source)(file, options->storage, FirstFetch::Start);
  };
  std::unique_ptr<Source> source = opens(without.front());
  const Format format = input_format(without.front(), source.get(), *options);
  if (format->infer == nullptr) return;
  if (options->require_schema) refuse_inferring(without.front(), nullptr);
  const yt::InferOptions wanted = infer_options(*format, *options);
  yt::SchemaInference inference(wanted);
  for (const Location& file : without) {
    if (inference.has_enough()) break;
    if (source == nullptr) source = opens(file);
    check_text(format, *source, *options);
    (void)while_unchanged(source->original(), [&] {
      format->infer(*source, *options, &inference);
      return true;
    });
    source = nullptr;
  }
  const std::shared_ptr<InferredSchema> inferred = finished(inference, wanted, without);
  inferred->of_all_files = !inferred->first_rows && without.size() == files.size();
  options->inferred = inferred;
}

std::string without_digits(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) {
      out += c;
    } else if (!out.ends_with('#')) {
      out += '#';
    }
  }
  return out;
}

SchemasOfParts::SchemasOfParts(const Locations& files, bool listed) : listed_(listed) {
  for (const Location& file : files) tables_[without_digits(file)].files.push_back(file);
}

void SchemasOfParts::set_schema_of(const Location& file, InputOptions* options) {
  Table& table = tables_.at(without_digits(file));
  // A single file is read when it is opened.
  if (table.files.size() == 1 || options->schema) return;
  if (look_at_side_schema(file, options->storage) != NameKind::Nothing) return;
  if (table.schema == nullptr) {
    InputOptions reading = *options;
    infer_first(table.files, listed_, &reading);
    table.schema = reading.inferred;
  }
  options->inferred = table.schema;
}

std::shared_ptr<const InferredSchema> infer_schema(const RowFormat& format, Source& source,
                                                   const InputOptions& options) {
  const yt::InferOptions wanted = infer_options(format, options);
  yt::SchemaInference inference(wanted);
  format.infer(source, options, &inference);
  return finished(inference, wanted, {});
}

void refuse_inferring(const Location& path, const Source* opened) {
  Place place;
  place.file = path.is_standard() && opened != nullptr ? opened->name() : shown_name(path);
  const std::vector<std::string> near = near_schemas({path});
  std::string hint =
      near.empty() ? fmt::format("Give one with {}.", hub::mention(hub::Option::Schema, "FILE"))
                   : fmt::format("Is it {}? Give it with {}.", near.front(),
                                 hub::mention(hub::Option::Schema, near.front()));
  throw Error(ErrorCode::Input,
              fmt::format("the rows have no schema, and {} refuses to infer one",
                          hub::mention(hub::Option::RequireSchema)),
              std::move(place), std::move(hint));
}

void save_schema(const Input& input, const InputOptions& options) {
  if (!options.save_schema) return;
  const Location& path = *options.save_schema;
  const yt::TableSchema* schema = input.table_schema ? &*input.table_schema : nullptr;
  if (input.file_notes.inferred) schema = &input.file_notes.inferred->table;
  std::optional<yt::TableSchema> given;
  if (schema == nullptr && options.schema) {
    given = input.format == kSkiffRows
                ? skiff::columns_of(skiff::parse_schema(*options.schema), options.table.value_or(0))
                : yt::parse_table_schema(*options.schema);
    schema = &*given;
  }
  if (schema == nullptr) {
    throw Error(ErrorCode::Usage, fmt::format("{}: the files have schemas of their own",
                                              hub::mention(hub::Option::SaveSchema)));
  }
  const std::string text = yt::print(*schema, yt::SchemaForm::Yson) + "\n";
  if (look_at(path, options.storage) == NameKind::File) {
    const auto source = open_source(path, options.storage);
    try {
      const std::string there = read_all(*source, limits::kSchemaBytes);
      if (yt::print(yt::parse_table_schema(there), yt::SchemaForm::Yson) + "\n" == text) return;
    } catch (const Error&) {
      // The file has other contents than this schema.
    }
    throw Error(ErrorCode::Io,
                fmt::format("{}: the file exists and has another schema",
                            hub::mention(hub::Option::SaveSchema)),
                {.file = shown_name(path)}, "Delete it, or name another file.");
  }
  write_file(path, text, {.storage = options.storage});
}

std::string note_of_beyond(const InferredSchema& inferred) {
  constexpr size_t kNamed = 3;
  const size_t count = inferred.beyond.size();
  std::vector<std::string> places;
  for (size_t i = 0; i < std::min(count, kNamed); ++i) places.push_back(inferred.beyond[i].text());
  std::string note = fmt::format("{} are rejected in {}", kBeyond, join(places, ", "));
  if (count > kNamed) note += fmt::format(" and {} more", count - kNamed);
  return note;
}

hub::Finding finding_of(const InferredSchema& inferred) {
  hub::Finding finding;
  finding.rule = "schema.inferred";
  finding.lost = "no schema: types inferred from ";
  finding.lost += !inferred.first_rows ? std::string("all rows")
                  : *inferred.first_rows == 1
                      ? std::string("the first row")
                      : fmt::format("the first {} rows", *inferred.first_rows);
  if (!inferred.beyond.empty()) {
    finding.lost += "; " + note_of_beyond(inferred);
  }
  if (!inferred.near_schemas.empty()) {
    finding.lost += fmt::format("; not used: {}", join(inferred.near_schemas, ", "));
  }
  finding.hint = fmt::format("give a schema with {}", hub::mention(hub::Option::Schema, "FILE"));
  return finding;
}

void mark_inferred(const FileNotes& notes, crosswalk::Plan* plan) {
  if (notes.inferred == nullptr) return;
  const InferredSchema& inferred = *notes.inferred;
  std::unordered_set<std::string_view> columns;
  for (const yt::ColumnSchema& column : inferred.table.columns) columns.insert(column.name);
  const auto mark = [](crosswalk::PathReport* report, std::string lost, std::string hint) {
    report->type = hub::TypeKept::Inferred;
    report->reasons.push_back(
        {"schema.inferred", hub::Values::Kept, "", std::move(lost), "", std::move(hint)});
  };
  for (crosswalk::PathReport& report : plan->paths) {
    if (report.path.empty()) {
      hub::Finding whole = finding_of(inferred);
      mark(&report, std::move(whole.lost), std::move(whole.hint));
      continue;
    }
    if (std::ranges::find(inferred.beyond, report.path) != inferred.beyond.end()) {
      report.values = std::max(report.values, hub::Values::Checked);
      report.reasons.push_back({"range.narrowed", hub::Values::Checked, "",
                                fmt::format("{} are rejected", kBeyond), "",
                                "written as a string, a column of text or of decimal holds them"});
    }
    const auto steps = report.path.steps();
    if (steps.size() == 1 && columns.contains(steps.front()->name)) {
      mark(&report, "type inferred from the values", "");
    }
  }
}

}  // namespace xwalk::io
