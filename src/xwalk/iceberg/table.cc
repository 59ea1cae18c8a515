#include "xwalk/iceberg/table.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/json_reason.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
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

/// Takes a number of a known length from the start of a text.
std::optional<int> take_digits(std::string_view* text, size_t digits) {
  if (text->size() < digits) return std::nullopt;
  const auto out = whole_number<int>(text->substr(0, digits));
  if (out && *out >= 0) text->remove_prefix(digits);
  return out && *out >= 0 ? out : std::nullopt;
}

bool take(std::string_view* text, std::string_view signs) {
  if (text->empty() || signs.find(text->front()) == std::string_view::npos) return false;
  text->remove_prefix(1);
  return true;
}

/// Returns the milliseconds since 1970 of a time in UTC; nothing for other text.
std::optional<int64_t> time_of(std::string_view text) {
  using namespace std::chrono;
  const auto year_number = take_digits(&text, 4);
  if (!year_number || !take(&text, "-")) return std::nullopt;
  const auto month_number = take_digits(&text, 2);
  if (!month_number || !take(&text, "-")) return std::nullopt;
  const auto day_number = take_digits(&text, 2);
  if (!day_number) return std::nullopt;
  const year_month_day date{year(*year_number), month(static_cast<unsigned>(*month_number)),
                            day(static_cast<unsigned>(*day_number))};
  if (!date.ok()) return std::nullopt;
  milliseconds out = sys_days(date).time_since_epoch();
  if (text.empty()) return out.count();
  if (!take(&text, "T ")) return std::nullopt;
  const auto hour = take_digits(&text, 2);
  if (!hour || *hour > 23 || !take(&text, ":")) return std::nullopt;
  const auto minute = take_digits(&text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  out += hours(*hour) + minutes(*minute);
  if (take(&text, ":")) {
    const auto second = take_digits(&text, 2);
    if (!second || *second > 59) return std::nullopt;
    out += seconds(*second);
    if (take(&text, ".")) {
      int64_t unit = 100;
      while (!text.empty() && is_ascii_digit(text.front())) {
        out += milliseconds((text.front() - '0') * unit);
        unit /= 10;
        text.remove_prefix(1);
      }
    }
  }
  (void)take(&text, "Z");
  return text.empty() ? std::optional(out.count()) : std::nullopt;
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
