#include "xwalk/hub/meaning.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/cast/zoned_times.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/variant.h"

namespace xwalk::hub {
namespace {

/// What values of each meaning are called, in the order of Meaning.
constexpr std::array<std::string_view, 23> kMeaningNames = {
    "null",
    "a truth value",
    "a number",
    "text",
    "bytes",
    "JSON",
    "any value",
    "a document",
    "a UUID",
    "a date",
    "a time of day",
    "a local time",
    "an instant",
    "a time with its zone",
    "a duration",
    "a calendar interval",
    "geometry",
    "a tensor",
    "an extension type",
    "a list",
    "a struct",
    "a map",
    "an alternative",
};
static_assert(kMeaningNames.size() == static_cast<size_t>(Meaning::Alternative) + 1);

/// The meaning of each kind without an extension, in the order of Kind. Encodings have that of
/// their values, timestamps with a zone are instants.
constexpr std::array kMeanings = {
    Meaning::Nothing,     Meaning::TruthValue,  Meaning::Number,    Meaning::Number,
    Meaning::Number,      Meaning::Number,      Meaning::Number,    Meaning::Number,
    Meaning::Number,      Meaning::Number,      Meaning::Number,    Meaning::Number,
    Meaning::Number,      Meaning::Text,        Meaning::Text,      Meaning::Text,
    Meaning::Bytes,       Meaning::Bytes,       Meaning::Bytes,     Meaning::Bytes,
    Meaning::Date,        Meaning::Date,        Meaning::TimeOfDay, Meaning::TimeOfDay,
    Meaning::LocalTime,   Meaning::Duration,    Meaning::Interval,  Meaning::Interval,
    Meaning::Interval,    Meaning::Number,      Meaning::Number,    Meaning::Number,
    Meaning::Number,      Meaning::List,        Meaning::List,      Meaning::List,
    Meaning::List,        Meaning::List,        Meaning::Struct,    Meaning::Map,
    Meaning::Alternative, Meaning::Alternative, Meaning::Nothing,   Meaning::Nothing,
};
static_assert(kMeanings.size() == kKindRows.size());

constexpr std::string_view kOffsetTime = "arrow.timestamp_with_offset";
constexpr std::string_view kTensors[] = {kFixedTensorExtension, "arrow.variable_shape_tensor"};

/// Returns the field that has the extension of encoded values: runs have it at their values.
const Field& named(const Field& field) {
  const bool below = field.extension_name().empty() && is_encoded(field.type);
  if (!below) return field;
  return named(field.type.child(field.type.kind() == Kind::Dictionary ? 0 : 1));
}

/// Returns the meaning of an extension type; nothing for a field without one.
std::optional<Meaning> meaning_of_extension(const Field& field, const Type& type) {
  const std::string_view name = field.extension_name();
  if (name.empty()) return std::nullopt;
  constexpr std::array<std::pair<std::string_view, Meaning>, 4> kNamed = {{
      {kBool8Extension, Meaning::TruthValue},
      {kUuidExtension, Meaning::Uuid},
      {kJsonExtension, Meaning::Json},
      {kOffsetTime, Meaning::ZonedTime},
  }};
  for (const auto& [known, meaning] : kNamed) {
    if (name == known) return meaning;
  }
  if (std::ranges::find(kTensors, name) != std::end(kTensors)) return Meaning::Tensor;
  if (name == kWkbExtension && is_binary(type.kind())) return Meaning::Geometry;
  if (name == kVariantExtension) return Meaning::AnyValue;
  return Meaning::Extension;
}

/// Returns the parameters of a geospatial type in one spelling.
Geospatial spelled(Geospatial type) {
  if (type.crs) {
    if (const auto code = projjson_code(*type.crs)) type.crs = *code;
    if (*type.crs == kDefaultCrs) type.crs = "";
  }
  return type;
}

/// Returns true if two texts of an extension's metadata say the same: as JSON, or byte by byte.
bool same_parameters(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto parsed = [](std::string_view text) {
    try {
      check_json_document(text, ErrorCode::Input);
      return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    } catch (const Error&) {
      return nlohmann::json(nlohmann::json::value_t::discarded);
    }
  };
  const nlohmann::json first = parsed(a);
  return !first.is_discarded() && first == parsed(b);
}

/// The family of storage: types of one family can be read as each other.
enum class Storage : uint8_t { Ticks, Bytes, Floats, Nested };

Storage storage_of(Kind kind) {
  const KindRow& row = kind_row(kind);
  if (is_utf8(kind) || is_binary(kind) || is_decimal(kind) || kind == Kind::FixedSizeBinary) {
    return Storage::Bytes;
  }
  if (kind == Kind::HalfFloat || kind == Kind::Float || kind == Kind::Double) {
    return Storage::Floats;
  }
  const bool ticks = row.bits > 0 && row.bits <= 64 && kind != Kind::IntervalDayTime;
  return ticks ? Storage::Ticks : Storage::Nested;
}

/// Returns true if the text of a value, or of any value, can be in a field.
bool is_plain_text(const Field& field, Meaning meaning) {
  return (meaning == Meaning::Text || meaning == Meaning::Bytes) &&
         field.type.kind() != Kind::FixedSizeBinary;
}

bool has_text(Meaning meaning) {
  return meaning == Meaning::TruthValue || meaning == Meaning::Number || meaning == Meaning::Date ||
         meaning == Meaning::TimeOfDay || meaning == Meaning::LocalTime ||
         meaning == Meaning::Instant;
}

bool is_clock(Meaning meaning) {
  return meaning == Meaning::LocalTime || meaning == Meaning::Instant;
}

/// One side of a comparison.
struct Side {
  const Field& field;
  const Type& type;  ///< without encoding
  Refinement refinement;
  Meaning meaning;
};

/// Returns how two different meanings of one level fit.
Fit fit_of(const Side& from, const Side& to, const Path& path) {
  const Meaning a = from.meaning;
  const Meaning b = to.meaning;
  const auto is_content = [](Meaning m) {
    return m == Meaning::Json || m == Meaning::Text || m == Meaning::Bytes;
  };
  if (is_content(a) && is_content(b)) return Fit::Within;
  if (is_clock(a) && is_clock(b) && to.refinement.clock == Clock::Any) return Fit::Within;
  // A value of geometry is WKB, which is checked in bytes.
  const bool wkb = is_binary(from.type.kind()) && is_binary(to.type.kind());
  const auto is_wkb = [](Meaning m) { return m == Meaning::Geometry || m == Meaning::Bytes; };
  if (wkb && is_wkb(a) && is_wkb(b)) return Fit::Within;
  if (a == Meaning::AnyValue && b == Meaning::Json) return Fit::Within;
  if (a == Meaning::Json && b == Meaning::AnyValue && is_variant(to.field)) return Fit::Within;
  const bool is_key = !path.empty() && path.last().kind == Path::Step::Kind::MapKey;
  if (is_plain_text(from.field, a) && has_text(b) && !is_key) return Fit::ByValue;
  if (is_plain_text(to.field, b) && has_text(a)) return Fit::ByValue;
  const auto are = [&](Meaning one, Meaning other) {
    return (a == one && b == other) || (a == other && b == one);
  };
  if (are(Meaning::TruthValue, Meaning::Number) && storage_of(from.type.kind()) == Storage::Ticks &&
      storage_of(to.type.kind()) == Storage::Ticks) {
    return Fit::ByValue;
  }
  if ((a == Meaning::Date && is_clock(b)) || (is_clock(a) && b == Meaning::Date)) {
    return Fit::ByValue;
  }
  const Storage storage = storage_of(from.type.kind());
  bool stored = storage == storage_of(to.type.kind());
  if (storage == Storage::Nested) stored = stored && from.type.kind() == to.type.kind();
  // A count is that many of any unit; a date, a duration and a time of day have no unit in common.
  const auto is_count = [](Meaning m) { return m == Meaning::Number || m == Meaning::Extension; };
  if (storage == Storage::Ticks) {
    stored = stored && (is_count(a) || is_count(b) || (is_clock(a) && is_clock(b)));
  }
  return stored ? Fit::Stored : Fit::None;
}

std::string name_of(const Side& side) {
  const std::string_view name = kMeaningNames[static_cast<size_t>(side.meaning)];
  const Field& field = named(side.field);
  if (side.meaning == Meaning::Geometry) {
    const std::optional<Geospatial> type = parse_geoarrow_metadata(field.extension_metadata());
    return type ? describe(*type) : std::string(name);
  }
  if (side.meaning == Meaning::Document) return std::string(side.refinement.content->name);
  if (side.meaning == Meaning::TimeOfDay && side.refinement.clock != Clock::Unsaid) {
    return fmt::format("{} {}", name,
                       side.refinement.clock == Clock::Utc ? "in UTC" : "by a local clock");
  }
  if (side.meaning == Meaning::Extension || side.meaning == Meaning::Tensor) {
    const std::string_view parameters = field.extension_metadata();
    return fmt::format("{} ({}{})", name, field.extension_name(),
                       parameters.empty() ? "" : " " + clipped(parameters));
  }
  const Type& type = side.type;
  if (!type.children().empty() || type.kind() == Kind::Struct) return std::string(name);
  return fmt::format("{} ({})", name, to_string(type));
}

/// Returns how the names that two sides give their values differ; "" if one of them gives none.
/// Labels after those of the other side have no other name there.
std::string other_names(const Refinement& from, const Refinement& to) {
  const auto quoted_all = [](const std::vector<std::string>& names) {
    std::vector<std::string> out;
    for (const std::string& name : names) out.push_back(xwalk::quoted(name));
    return join(out, ", ");
  };
  if (!from.tags.empty() && !to.tags.empty() && from.tags != to.tags) {
    return fmt::format("a value tagged {} is not one tagged {}", quoted_all(from.tags),
                       quoted_all(to.tags));
  }
  if (!from.epoch.empty() && !to.epoch.empty() && from.epoch != to.epoch) {
    return fmt::format("coordinates of the epoch {} are not those of {}", from.epoch, to.epoch);
  }
  const size_t both = std::min(from.labels.size(), to.labels.size());
  for (size_t i = 0; i < both; ++i) {
    if (from.labels[i] == to.labels[i]) continue;
    return fmt::format("the number {} is the label {}, not {}", i, xwalk::quoted(from.labels[i]),
                       xwalk::quoted(to.labels[i]));
  }
  return "";
}

class Judge {
 public:
  Judge(const JudgeOptions& options, Disagreements* out) : options_(options), out_(*out) {}

  void field(const Field& from_field, const Field& to_field, const Path& path) {
    const Side from = side(from_field, options_.from);
    const Side to = side(to_field, options_.to);
    if (from.meaning == Meaning::Nothing || to.meaning == Meaning::Nothing) return;
    // A box is one more level of null around a value.
    const Boxed box = box_of(from, to, path);
    if (box == Boxed::From) {
      return field(from.type.child(), to_field, path.field(from.type.child().name));
    }
    if (box == Boxed::To) return field(from_field, to.type.child(), path);
    if (const std::string reason = other_names(from.refinement, to.refinement); !reason.empty()) {
      out_.push_back({Fit::Named, path, reason});
      return;
    }
    if (zoned_times(from, to, path)) return;
    if (pairs(from, to, path)) return;
    if (is_union_as_struct(from, to) || is_union_as_struct(to, from)) {
      differ(from, to, path, Fit::Within);
      return members(from, to, path);
    }
    if (from.meaning != to.meaning) return differ(from, to, path, fit_of(from, to, path));
    if (!same_own(from, to)) return differ(from, to, path, Fit::Stored);
    below(from, to, path);
  }

 private:
  static Side side(const Field& field, const Refine& refine) {
    const Refinement refinement = refine ? refine(field) : Refinement{};
    const Meaning meaning = meaning_of(field, refinement);
    return {field, without_encoding(field.type), refinement, meaning};
  }

  void differ(const Side& from, const Side& to, const Path& path, Fit fit) {
    out_.push_back({fit, path, fmt::format("{} is not {}", name_of(from), name_of(to))});
  }

  /// Returns true if the parameters of two types of one meaning are the same.
  static bool same_own(const Side& from, const Side& to) {
    const Field& a = named(from.field);
    const Field& b = named(to.field);
    switch (from.meaning) {
      case Meaning::Geometry: {
        const auto first = parse_geoarrow_metadata(a.extension_metadata());
        const auto second = parse_geoarrow_metadata(b.extension_metadata());
        if (!first || !second)
          return same_parameters(a.extension_metadata(), b.extension_metadata());
        return spelled(*first) == spelled(*second);
      }
      case Meaning::Tensor:
      case Meaning::Extension:
        return a.extension_name() == b.extension_name() &&
               same_parameters(a.extension_metadata(), b.extension_metadata());
      case Meaning::Document:
        return from.refinement.content == to.refinement.content;
      case Meaning::TimeOfDay:
        // A system that does not say whether the clock shows UTC takes either.
        return from.refinement.clock == Clock::Unsaid || to.refinement.clock == Clock::Unsaid ||
               from.refinement.clock == to.refinement.clock;
      case Meaning::Nothing:
      case Meaning::TruthValue:
      case Meaning::Number:
      case Meaning::Text:
      case Meaning::Bytes:
      case Meaning::Json:
      case Meaning::AnyValue:
      case Meaning::Uuid:
      case Meaning::Date:
      case Meaning::LocalTime:
      case Meaning::Instant:
      case Meaning::ZonedTime:
      case Meaning::Duration:
      case Meaning::Interval:
      case Meaning::List:
      case Meaning::Struct:
      case Meaning::Map:
      case Meaning::Alternative:
        break;
    }
    return true;
  }

  const Renames& renames() const {
    static const Renames kNone;
    return options_.renames != nullptr ? *options_.renames : kNone;
  }

  /// Returns which side is a box around the values of the other, which a struct may be too.
  Boxed box_of(const Side& from, const Side& to, const Path& path) const {
    const auto has_members = [](const Side& side) {
      return side.meaning == Meaning::Struct || side.meaning == Meaning::Alternative;
    };
    if (has_members(from) && has_members(to)) return boxed(from.type, to.type, path, renames());
    if (is_box(from.type) == is_box(to.type)) return Boxed::Neither;
    return is_box(from.type) ? Boxed::From : Boxed::To;
  }

  /// Compares a time that has its zone with another one, or with a struct of its members. Returns
  /// false for other types.
  bool zoned_times(const Side& from, const Side& to, const Path& path) {
    const auto is_one = [](const Side& side) { return side.meaning == Meaning::ZonedTime; };
    const auto may_be_one = [](const Side& side) {
      return side.type.kind() == Kind::Struct &&
             (side.meaning == Meaning::ZonedTime || side.meaning == Meaning::Struct);
    };
    if (!is_one(from) && !is_one(to)) return false;
    if (!may_be_one(from) || !may_be_one(to)) return false;
    const auto partners = pair_members(from.type, to.type, path, renames());
    const bool same_members =
        from.type.children().size() == to.type.children().size() &&
        std::ranges::all_of(partners, [](const auto& pair) { return pair.has_value(); });
    if (same_members) {
      members(from, to, path);
      return true;
    }
    // One has the name of the zone, the other its offset.
    const bool forms = cast::is_zoned_time(from.type)
                           ? cast::is_offset_time(to.type)
                           : cast::is_offset_time(from.type) && cast::is_zoned_time(to.type);
    if (forms) {
      field(from.type.child(0), to.type.child(0), path.field(from.type.child(0).name));
    } else {
      differ(from, to, path, Fit::None);
    }
    return true;
  }

  void members(const Side& from, const Side& to, const Path& path) {
    const auto partners = pair_members(from.type, to.type, path, renames());
    const std::vector<Path> paths = paths_of_members(from.type, path);
    for (size_t i = 0; i < partners.size(); ++i) {
      if (partners[i]) field(from.type.child(i), to.type.child(*partners[i]), paths[i]);
    }
  }

  /// Returns true for a union and a struct, which has a nullable field for each alternative.
  static bool is_union_as_struct(const Side& all, const Side& lowered) {
    return all.meaning == Meaning::Alternative && lowered.meaning == Meaning::Struct &&
           has_names(lowered.type);
  }

  /// Compares a map with a list of pairs, which is a map with keys that may be null or repeated.
  bool pairs(const Side& from, const Side& to, const Path& path) {
    const auto is_pair_list = [](const Side& side) {
      if (side.meaning != Meaning::List) return false;
      const Type& pair = without_encoding(side.type.child().type);
      return pair.kind() == Kind::Struct && pair.children().size() == 2 &&
             pair.child(0).name == "key" && pair.child(1).name == "value";
    };
    const bool from_map = from.meaning == Meaning::Map;
    const bool lists =
        from_map ? is_pair_list(to) : to.meaning == Meaning::Map && is_pair_list(from);
    if (!lists) return false;
    differ(from, to, path, Fit::Within);
    const Type& a = from_map ? from.type : without_encoding(from.type.child().type);
    const Type& b = from_map ? without_encoding(to.type.child().type) : to.type;
    const auto part = [](const Type& type, size_t at) -> const Field& {
      if (type.kind() == Kind::Map) return at == 0 ? type.key() : type.value();
      return type.child(at);
    };
    field(part(a, 0), part(b, 0), from_map ? path.map_key() : path.item().field("key"));
    field(part(a, 1), part(b, 1), from_map ? path.map_value() : path.item().field("value"));
    return true;
  }

  void below(const Side& from, const Side& to, const Path& path) {
    if (is_list(from.type.kind()) && is_list(to.type.kind())) {
      return field(from.type.child(), to.type.child(), path.item());
    }
    if (from.type.kind() == Kind::Map && to.type.kind() == Kind::Map) {
      field(from.type.key(), to.type.key(), path.map_key());
      return field(from.type.value(), to.type.value(), path.map_value());
    }
    if (has_names(from.type) && has_names(to.type) && from.meaning != Meaning::AnyValue) {
      members(from, to, path);
    }
  }

  const JudgeOptions& options_;
  Disagreements& out_;
};

}  // namespace

Meaning meaning_of(const Field& field, const Refinement& refinement) {
  const Type& type = without_encoding(field.type);
  if (!refinement.is_layout) {
    if (const auto meaning = meaning_of_extension(named(field), type)) return *meaning;
  }
  if (refinement.yson) return Meaning::AnyValue;
  if (refinement.zone_names && type.kind() == Kind::Struct) return Meaning::ZonedTime;
  const bool is_bytes = is_binary(type.kind()) || type.kind() == Kind::FixedSizeBinary;
  if (refinement.content != nullptr && is_bytes) return Meaning::Document;
  const Meaning meaning = kMeanings[static_cast<size_t>(type.kind())];
  return meaning == Meaning::LocalTime && !type.zone().empty() ? Meaning::Instant : meaning;
}

Disagreements judge(const Field& from, const Field& to, const Path& path,
                    const JudgeOptions& options) {
  Disagreements out;
  Judge(options, &out).field(from, to, path);
  return out;
}

const Disagreement* first_beyond(Fit worst, const Disagreements& found) {
  const auto place = std::ranges::find_if(found, [&](const auto& one) { return one.fit > worst; });
  return place == found.end() ? nullptr : &*place;
}

}  // namespace xwalk::hub
