#include "xwalk/cli/schema_rules.h"

#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/random_access.h"
#include "xwalk/base/text.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/schema_input.h"
#include "xwalk/io/detect.h"
#include "xwalk/io/lance_rows.h"
#include "xwalk/io/source.h"
#include "xwalk/lance/validate.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/validate.h"
#include "xwalk/skiff/type.h"
#include "xwalk/yt/validate.h"

namespace xwalk::cli {
namespace {

using crosswalk::AnySchema;
using crosswalk::System;

/// What one rule says of one place.
struct Remark {
  bool broken = false;
  std::string path;
  std::string rule;
  std::string text;
};

using Remarks = std::vector<Remark>;

Remark remark_of(const hub::Finding& finding, bool broken) {
  return {broken, finding.path.text(), std::string(finding.rule), finding.lost};
}

Remarks remarks_on_parquet(const parquet::Schema& schema) {
  Remarks out;
  for (const hub::Finding& finding : parquet::validate(schema)) {
    out.push_back(remark_of(finding, parquet::is_violation(finding)));
  }
  return out;
}

template <typename Schema>
Remarks remarks_on_lance(const Schema& schema) {
  Remarks out;
  for (const hub::Finding& finding : lance::validate(schema)) {
    out.push_back(remark_of(finding, lance::is_violation(finding)));
  }
  return out;
}

Remarks remarks_on_yt(const yt::TableSchema& schema) {
  Remarks out;
  for (const yt::Problem& problem : yt::validate(schema)) {
    out.push_back({true, problem.path, "", problem.message});
  }
  for (const hub::Finding& finding : yt::notes(schema)) out.push_back(remark_of(finding, false));
  return out;
}

Remarks remarks_on_skiff(const skiff::Schema& schema) {
  Remarks out;
  for (const skiff::Type& table : schema.format.tables) {
    for (const hub::Finding& finding : skiff::beyond_text(table)) {
      out.push_back(remark_of(finding, false));
    }
  }
  return out;
}

Remarks remarks_on(const AnySchema& schema) {
  switch (crosswalk::system_of(schema)) {
    case System::Yt:
      return remarks_on_yt(std::get<yt::TableSchema>(schema));
    case System::Skiff:
      return remarks_on_skiff(std::get<skiff::Schema>(schema));
    case System::Parquet:
      return remarks_on_parquet(std::get<parquet::Schema>(schema));
    case System::Lance:
      return remarks_on_lance(std::get<lance::Schema>(schema));
    case System::Vortex:
    case System::Arrow:
      // What can be said in these at all is right.
      return {};
  }
  return {};
}

/// Lance lists fields flat, with links that may not hold: they are looked at before they are
/// followed.
Remarks remarks_on_lance_bytes(std::string_view bytes) {
  if (!is_printable_text(bytes)) return remarks_on_lance(lance::read_flat_protobuf(bytes));
  const size_t start = bytes.find_first_not_of(" \t\r\n");
  const bool is_json = start != std::string_view::npos && bytes[start] == '{';
  return remarks_on_lance(is_json ? lance::parse_flat_json(bytes) : lance::parse_flat_text(bytes));
}

Remarks read_remarks(const std::string& path, const RowOptions& options, Session& session) {
  std::optional<System> system;
  if (options.from) system = system_argument("--from", *options.from);
  std::error_code ignored;
  const bool is_folder = path != "-" && std::filesystem::is_directory(path, ignored);
  if (!is_folder && (system == System::Parquet || system == System::Lance)) {
    const std::unique_ptr<io::Source> source = io::with_contents(io::open_source(path));
    const std::string_view bytes = *source->contents();
    const std::string name = path == "-" ? "<stdin>" : path;
    try {
      if (system == System::Lance && !bytes.ends_with("LANC")) return remarks_on_lance_bytes(bytes);
      if (parquet::is_parquet(bytes)) {
        return remarks_on_parquet(parquet::read_footer(*memory_access(bytes, name)).schema);
      }
      if (system == System::Parquet) return remarks_on(crosswalk::parse_schema(*system, bytes));
    } catch (Error& error) {
      if (error.place().file.empty()) error.place().file = name;
      throw;
    }
  }
  return remarks_on(read_schema_input(path, options, session).schema);
}

}  // namespace

bool check_schema_rules(const std::string& path, const RowOptions& options, Session& session) {
  const Remarks remarks = read_remarks(path, options, session);
  uint64_t broken = 0;
  for (const Remark& remark : remarks) broken += remark.broken ? 1 : 0;
  if (session.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Remark& remark : remarks) {
      list.push_back({{"file", path},
                      {"path", remark.path},
                      {"rule", remark.rule},
                      {"found", remark.text},
                      {"violation", remark.broken}});
    }
    session.print(nlohmann::ordered_json({{"errors", std::move(list)}}).dump(2) + "\n");
    return broken == 0;
  }
  for (const Remark& remark : remarks) {
    const std::string rule = remark.rule.empty() ? "" : fmt::format(" ({})", remark.rule);
    session.print(fmt::format("{}: {}: {}: {}{}\n", path, remark.broken ? "error" : "note",
                              remark.path, remark.text, rule));
  }
  const std::string verdict = broken == 0 ? session.out().paint(Ink::Good, "valid")
                                          : session.out().paint(Ink::Bad, "invalid");
  session.print(fmt::format("{}: schema, {}\n", path, verdict));
  return broken == 0;
}

}  // namespace xwalk::cli
