#include "xwalk/io/schema_rules.h"

#include <filesystem>
#include <vector>

#include "xwalk/arrow/room.h"
#include "xwalk/base/random_access.h"
#include "xwalk/base/text.h"
#include "xwalk/io/schema_input.h"
#include "xwalk/io/source.h"
#include "xwalk/lance/json.h"
#include "xwalk/lance/protobuf.h"
#include "xwalk/lance/room.h"
#include "xwalk/lance/text.h"
#include "xwalk/lance/validate.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/room.h"
#include "xwalk/parquet/validate.h"
#include "xwalk/skiff/room.h"
#include "xwalk/skiff/type.h"
#include "xwalk/vortex/room.h"
#include "xwalk/yt/room.h"
#include "xwalk/yt/validate.h"

namespace xwalk::io {
namespace {

using crosswalk::AnySchema;
using crosswalk::System;

using Remarks = std::vector<RuleRemark>;

RuleRemark remark_of(const hub::Finding& finding, bool broken) {
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

/// Lance lists fields flat, with links that may not hold: they are looked at before they are
/// followed.
Remarks remarks_on_lance_bytes(std::string_view bytes) {
  if (!is_printable_text(bytes)) return remarks_on_lance(lance::read_flat_protobuf(bytes));
  const size_t start = bytes.find_first_not_of(" \t\r\n");
  const bool is_json = start != std::string_view::npos && bytes[start] == '{';
  return remarks_on_lance(is_json ? lance::parse_flat_json(bytes) : lance::parse_flat_text(bytes));
}

}  // namespace

std::vector<RuleRemark> check_rules(const AnySchema& schema) {
  if (const auto* own = schema.get_if<yt::TableSchema>()) return remarks_on_yt(*own);
  if (const auto* own = schema.get_if<skiff::Schema>()) return remarks_on_skiff(*own);
  if (const auto* own = schema.get_if<parquet::Schema>()) return remarks_on_parquet(*own);
  if (const auto* own = schema.get_if<lance::Schema>()) return remarks_on_lance(*own);
  // What can be said in the others at all is right.
  return {};
}

std::vector<RuleRemark> check_rules(const std::string& path, std::optional<System> system,
                                    const InputOptions& options) {
  std::error_code ignored;
  const bool is_folder = path != "-" && std::filesystem::is_directory(path, ignored);
  if (!is_folder && (system == parquet::kRoom || system == lance::kRoom)) {
    const std::unique_ptr<Source> source = with_contents(open_source(path));
    const std::string_view bytes = *source->contents();
    const std::string name = path == "-" ? "<stdin>" : path;
    try {
      if (system == lance::kRoom && !bytes.ends_with("LANC")) return remarks_on_lance_bytes(bytes);
      if (parquet::is_parquet(bytes)) {
        return remarks_on_parquet(parquet::read_footer(*memory_access(bytes, name)).schema);
      }
      if (system == parquet::kRoom) {
        return check_rules(crosswalk::parse_schema(*system, bytes));
      }
    } catch (Error& error) {
      if (error.place().file.empty()) error.place().file = name;
      throw;
    }
  }
  return check_rules(read_schema(path, system, options).schema);
}

}  // namespace xwalk::io
