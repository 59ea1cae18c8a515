#include "xwalk/iceberg/table.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/json_reason.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/time_text.h"
#include "xwalk/iceberg/json.h"

namespace xwalk::iceberg {
namespace {

using Json = nlohmann::ordered_json;

/// The branch that tables are read at.
constexpr std::string_view kMain = "main";
/// The id of no snapshot, in tables of some writers.
constexpr int64_t kNone = -1;
/// The most versions that a message lists.
constexpr size_t kMostListed = 20;

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || failure != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

/// Returns the milliseconds since 1970 of a time in UTC, whose seconds or clock may be missing;
/// nothing for other text.
std::optional<int64_t> time_of(std::string_view text) {
  constexpr size_t kYear = std::string_view("2026").size();
  constexpr size_t kDate = std::string_view("2026-11-30").size();
  constexpr size_t kMinute = std::string_view("2026-11-30T12:00").size();
  if (text.size() < kDate || text[kYear] != '-') return std::nullopt;
  const bool is_date = text.size() == kDate;
  if (!is_date && text.ends_with('Z')) text.remove_suffix(1);
  std::string whole(text);
  if (is_date) whole += "T00:00";
  if (whole.size() == kMinute) whole += ":00";
  int64_t millis = 0;
  const hub::TimeText result = hub::read_instant(whole, hub::TimeUnit::Milli, false, &millis);
  if (result != hub::TimeText::Ok && result != hub::TimeText::Finer) return std::nullopt;
  return millis;
}

const Json& list_in(const Json& json, const char* key) {
  static const Json kEmpty = Json::array();
  const auto found = json.find(key);
  return found != json.end() && found->is_array() ? *found : kEmpty;
}

const Json* snapshot_of(const Json& table, int64_t id) {
  for (const Json& snapshot : list_in(table, "snapshots")) {
    if (snapshot.is_object() && snapshot.value("snapshot-id", kNone) == id) return &snapshot;
  }
  return nullptr;
}

[[noreturn]] void refuse_version(const Json& table, const std::string& version) {
  std::vector<std::string> known;
  if (const auto refs = table.find("refs"); refs != table.end() && refs->is_object()) {
    for (const auto& [name, ref] : refs->items()) known.push_back(name);
  }
  for (const Json& snapshot : list_in(table, "snapshots")) {
    known.push_back(std::to_string(snapshot.value("snapshot-id", kNone)));
  }
  const size_t more = known.size() > kMostListed ? known.size() - kMostListed : 0;
  // guard(allocate): a list that exists becomes shorter.
  known.resize(known.size() - more);
  throw Error(
      ErrorCode::Usage,
      fmt::format("expected the id of a snapshot, a branch, a tag or a time as the version, "
                  "found {}",
                  xwalk::quoted(version)),
      {},
      known.empty() ? "The table has no snapshots."
                    : fmt::format("The branches, tags and snapshots are {}{}.", join(known, ", "),
                                  more > 0 ? fmt::format(" and {} more", more) : ""));
}

struct Chosen {
  const Json* snapshot = nullptr;
  bool has_current_schema = true;
};

/// Returns the snapshot that was the latest at a time.
int64_t snapshot_at(const Json& table, int64_t time, const std::string& version) {
  int64_t out = kNone;
  for (const Json& entry : list_in(table, "snapshot-log")) {
    if (entry.value("timestamp-ms", int64_t{0}) <= time) out = entry.value("snapshot-id", kNone);
  }
  if (out != kNone) return out;
  throw Error(ErrorCode::Usage, fmt::format("the table had no rows at {}", version));
}

Chosen choose(const Json& table, const std::optional<std::string>& version) {
  if (!version) return {snapshot_of(table, table.value("current-snapshot-id", kNone))};
  if (const auto id = whole_number<int64_t>(*version)) {
    if (const Json* found = snapshot_of(table, *id)) return {found, false};
  }
  const auto refs = table.find("refs");
  if (refs != table.end() && refs->is_object() && refs->contains(*version)) {
    const Json& ref = (*refs)[*version];
    const Json* found = snapshot_of(table, ref.value("snapshot-id", kNone));
    if (found != nullptr) return {found, ref.value("type", "") == "branch"};
  }
  if (*version == kMain) return choose(table, std::nullopt);
  if (const auto time = time_of(*version)) {
    const Json* found = snapshot_of(table, snapshot_at(table, *time, *version));
    if (found != nullptr) return {found, false};
    throw Error(ErrorCode::Usage,
                fmt::format("the snapshot of {} was removed from the table", *version));
  }
  refuse_version(table, *version);
}

std::optional<uint64_t> count_in(const Json& summary, const char* key) {
  const auto found = summary.find(key);
  if (found == summary.end() || !found->is_string()) return std::nullopt;
  return whole_number<uint64_t>(found->get<std::string>());
}

void add_summary(const Json& snapshot, TableVersion* out) {
  const auto summary = snapshot.find("summary");
  if (summary == snapshot.end() || !summary->is_object()) return;
  if (count_in(*summary, "total-delete-files").value_or(1) == 0) {
    out->rows = count_in(*summary, "total-records");
  }
  out->bytes = count_in(*summary, "total-files-size");
  out->files = count_in(*summary, "total-data-files");
  for (const char* key : {"engine-name", "iceberg-version", "spark.app.id"}) {
    if (out->writer.empty() && summary->contains(key) && (*summary)[key].is_string()) {
      out->writer = (*summary)[key].get<std::string>();
    }
  }
}

}  // namespace

TableVersion read_table(std::string_view metadata, const std::optional<std::string>& version) {
  check_json_document(metadata, ErrorCode::Input);
  try {
    Json table = Json::parse(metadata.begin(), metadata.end());
    if (!table.is_object() || !table.contains("format-version")) {
      throw Error(ErrorCode::Input, "expected the metadata of a table, found other JSON");
    }
    const Chosen chosen = choose(table, version);
    TableVersion out;
    std::optional<Json> schema_id;
    if (chosen.snapshot != nullptr) {
      out.snapshot = chosen.snapshot->value("snapshot-id", kNone);
      add_summary(*chosen.snapshot, &out);
      if (!chosen.has_current_schema && chosen.snapshot->contains("schema-id")) {
        schema_id = (*chosen.snapshot)["schema-id"];
      }
    }
    if (schema_id) table["current-schema-id"] = *schema_id;
    out.schema = read_json(schema_id ? table.dump() : std::string(metadata));
    return out;
  } catch (const Json::parse_error& error) {
    throw Error(ErrorCode::Input, "expected JSON, found text that does not parse",
                place_in_text(metadata, error.byte == 0 ? 0 : error.byte - 1));
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::Input,
                fmt::format("not the metadata of an Iceberg table: {}", json_reason(error.what())));
  }
}

}  // namespace xwalk::iceberg
