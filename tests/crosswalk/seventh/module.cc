#include "tests/crosswalk/seventh/module.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/mapper_checks.h"

namespace xwalk::cards {
namespace {

using hub::AnySchema;
using hub::Kind;

struct Row {
  std::string_view type;
  Kind arrow;
};
constexpr std::array kRows = {
    Row{"number", Kind::Int64},
    Row{"real", Kind::Double},
    Row{"words", Kind::Utf8},
    Row{"mark", Kind::Bool},
};

constexpr std::string_view kTitle = "CARDS";

Column parse_column(std::string name, std::string type) {
  const bool nullable = type.ends_with('?');
  if (nullable) type.pop_back();
  if (std::ranges::find(kRows, type, &Row::type) == kRows.end()) {
    throw Error(ErrorCode::Input, "expected a type of cards, found " + quoted(type));
  }
  return {std::move(name), std::move(type), nullable};
}

std::string text_of(const Column& column) { return column.type + (column.nullable ? "?" : ""); }

/// `CARDS`, then one line per column: `name words?`.
AnySchema parse(std::string_view bytes) {
  std::istringstream lines{std::string(bytes)};
  std::string word;
  if (!(lines >> word) || word != kTitle) {
    throw Error(ErrorCode::Input, "expected CARDS, found " + clipped(bytes));
  }
  Cards cards;
  for (std::string type; lines >> word >> type;) cards.columns.push_back(parse_column(word, type));
  return {kModule, std::move(cards)};
}

std::string print(const AnySchema& schema) {
  std::string out = std::string(kTitle) + "\n";
  for (const Column& column : schema.as<Cards>().columns) {
    out += column.name + " " + text_of(column) + "\n";
  }
  return out;
}

constexpr std::array kForms = {hub::WrittenForm{"deck", print}};

AnySchema parse_type(std::string_view text) {
  if (text.starts_with(kTitle)) return parse(text);
  return {kModule, Cards{{parse_column(std::string(hub::kLoneColumn), std::string(text))}}};
}

hub::Schema to_arrow(const AnySchema& schema) {
  hub::Schema out;
  for (const Column& column : schema.as<Cards>().columns) {
    const auto* row = std::ranges::find(kRows, column.type, &Row::type);
    out.fields.emplace_back(column.name, row->arrow, column.nullable);
  }
  return out;
}

/// Returns the type of cards that is nearest to an Arrow type.
std::string_view nearest(const hub::Field& field) {
  const Kind kind = field.type.kind();
  if (kind == Kind::Bool) return "mark";
  if (hub::is_utf8(kind) || hub::is_binary(kind)) return "words";
  if (kind == Kind::Float || kind == Kind::Double) return "real";
  if (kind >= Kind::Int8 && kind <= Kind::Uint64) return "number";
  Place place;
  place.path = Path::column(field.name);
  throw Error(ErrorCode::Unsupported, "cards have no " + hub::to_string(field.type), place);
}

hub::FromArrow<AnySchema> from_arrow(const hub::Schema& schema, hub::Refused* refused) {
  const auto map = [](const hub::Field& field, const Path& /*path*/) -> Column {
    return {field.name, std::string(nearest(field)), field.nullable};
  };
  Cards cards{hub::map_columns(schema.fields, refused, map)};
  return {{kModule, std::move(cards)}, {}};
}

}  // namespace

constinit const hub::Module kModule = {
    .name = "cards",
    .forms = kForms,
    .parse = parse,
    .parse_type = parse_type,
    .type_text = [](const AnySchema& schema) { return text_of(schema.as<Cards>().columns.at(0)); },
    .guess = 6,
    .kinds =
        [] {
          std::vector<std::string_view> out;
          for (const Row& row : kRows) out.push_back(row.type);
          return out;
        },
    .to_arrow = to_arrow,
    .from_arrow = from_arrow,
    .capabilities = {.system = "cards",
                     .unions = false,
                     .half_floats = false,
                     .time_of_day = false},
};

}  // namespace xwalk::cards
