#include "xwalk/hub/lower.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/repeats.h"
#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/hub/letter_case.h"
#include "xwalk/hub/member_paths.h"
#include "xwalk/hub/option.h"

namespace xwalk::hub {
namespace {

/// A place by its path in the schema as it was, and in the lowered one.
struct LoweredPlace {
  Path was;
  Path is;
};

/// A note about a rewritten layer, without its path and types.
struct Change {
  std::string_view rule;
  std::string lost;
  std::string witness = {};
  std::string hint = {};
};

bool has(Units units, TimeUnit unit) { return (units & one_unit(unit)) != 0; }

std::string_view unit_text(TimeUnit unit) {
  constexpr std::array<std::string_view, 4> kNames = {"seconds", "milliseconds", "microseconds",
                                                      "nanoseconds"};
  return kNames[static_cast<size_t>(unit)];
}

/// Returns the nearest unit there is: the next finer one, else the finest.
TimeUnit nearest(Units units, TimeUnit unit) {
  for (int at = static_cast<int>(unit); at < 4; ++at) {
    if (has(units, static_cast<TimeUnit>(at))) return static_cast<TimeUnit>(at);
  }
  int at = static_cast<int>(unit);
  while (at > 0 && !has(units, static_cast<TimeUnit>(at))) --at;
  return static_cast<TimeUnit>(at);
}

class Pass {
 public:
  Pass(const Capabilities& can, NoteText note_text, const Renames& requested)
      : can_(can), note_(note_text), requested_(requested) {}

  Lowered run(const Schema& schema) {
    out_.schema.metadata = schema.metadata;
    out_.schema.fields.reserve(schema.fields.size());
    const MemberPaths paths(schema.fields);
    if (keeps_names(schema.fields)) {
      for (size_t i = 0; i < schema.fields.size(); ++i) {
        out_.schema.fields.push_back(lowered(schema.fields[i], {paths[i], paths[i]}));
      }
      return std::move(out_);
    }
    const std::vector<Rename> names = legal_names(struct_(schema.fields), Path());
    for (size_t i = 0; i < names.size(); ++i) {
      const Field& column = schema.fields[i];
      const bool kept = names[i].name == column.name;
      const Path was = paths[i];
      const LoweredPlace at{was, kept ? was : Path::column(names[i].name)};
      out_.schema.fields.push_back(renamed(lowered(column, at), names[i], at.was));
    }
    return std::move(out_);
  }

 private:
  /// Returns true if all columns keep their names and need no finding about them.
  bool keeps_names(const std::vector<Field>& columns) const {
    if (!requested_.empty() || !std::ranges::all_of(columns, is_plain_word, &Field::name)) {
      return false;
    }
    if (!can_.folds_case) return !can_.distinct_columns || are_distinct(columns);
    std::vector<std::string> folded;
    folded.reserve(columns.size());
    for (const Field& column : columns) {
      folded.push_back(in_lower_case(column.name, Letters::Ascii));
    }
    const std::vector<std::string_view> names(folded.begin(), folded.end());
    return repeats_before(names).empty();
  }

  bool takes_everything() const { return can_.system.empty(); }
  bool takes_dictionary(const Type& dictionary) const {
    return can_.dictionary_of == nullptr || can_.dictionary_of(dictionary);
  }
  /// Returns true for a type with a dictionary that the system lacks, at any depth.
  bool lacks_dictionary(const Type& type) const {
    if (type.kind() == Kind::Dictionary && !takes_dictionary(type)) return true;
    return std::ranges::any_of(type.children(),
                               [&](const Field& child) { return lacks_dictionary(child.type); });
  }

  void find(Change change, const Path& path) {
    out_.findings.push_back({.rule = change.rule,
                             .path = path,
                             .lost = std::move(change.lost),
                             .witness = std::move(change.witness),
                             .hint = std::move(change.hint)});
  }

  /// Gives a field another type and says so.
  bool rewrite(Field& field, Type type, const LoweredPlace& at, Change change) {
    field.type = std::move(type);
    find(std::move(change), at.was);
    return true;
  }

  /// Makes the annotations of a rewritten field true: they describe what the note says it was, or
  /// they are gone. The system's own is for its mapping to judge.
  void note(const Field& was, Field& field) const {
    if (note_ != nullptr && !takes_everything()) {
      if (std::optional<std::string> text = note_(was)) {
        annotate(field, kArrowSystem, *std::move(text));
        return;
      }
    }
    drop_notes_of_others(can_, &field);
  }

  Field lowered(Field field, const LoweredPlace& at) {
    // Paths of two members of one name have one text.
    if (!(at.is == at.was) && at.is.text() != at.was.text()) {
      out_.moved.emplace(at.is.text(), at.was);
    }
    if (takes_everything()) {
      // Metadata of a dictionary's values is at the field, and stays true without a dictionary.
      const bool lacks_extension = !can_.encoded_extensions && has_stored_extension(field);
      if (is_encoded(field.type) && (lacks_extension || lacks_dictionary(field.type))) {
        return encoded(field, at);
      }
      field.type = with_lowered_children(field, at);
      return field;
    }
    // A note that its reader did not believe describes nothing.
    field.metadata.erase(annotation_key(kArrowSystem));
    if (const auto value = field.metadata.find(can_.distinct_metadata)) {
      if (!seen_.emplace(*value).second) field.metadata.erase(can_.distinct_metadata);
    }
    if (is_encoded(field.type)) return encoded(field, at);
    const Kind kind = field.type.kind();
    const Field was = field;
    if (can_.holds != nullptr && can_.holds(field)) {
      field.type = with_lowered_children(field, at);
      return field;
    }
    if ((kind == Kind::DenseUnion || kind == Kind::SparseUnion) && !can_.unions) {
      rewrite(
          field, union_as_struct(was.type, at), at,
          {"union.lowered", "a struct with one field per alternative, exactly one of them set"});
      note(was, field);
      return field;
    }
    bool changed = own_layer(field, at);
    if (kind == Kind::Map && was.type.key().nullable && !can_.nullable_keys) {
      changed =
          rewrite(field, map_as_pairs(was.type, at), at,
                  {"type.as-storage", "stored as a list of pairs: keys of a map cannot be null"});
    } else {
      field.type = with_lowered_children(field, at);
    }
    if (changed) note(was, field);
    return field;
  }

  // ---- nested types

  Type with_lowered_children(Field& field, const LoweredPlace& at) {
    const Type type = field.type;
    switch (kind_row(type.kind()).form) {
      case Form::List:
      case Form::FixedSizeList:
        return with_children(type, {lowered(type.child(), {at.was.item(), at.is.item()})});
      case Form::Map: {
        Field entries = type.child();
        entries.type = struct_({lowered_key(type.key(), {at.was.map_key(), at.is.map_key()}),
                                lowered(type.value(), {at.was.map_value(), at.is.map_value()})});
        return map_of_entries(std::move(entries), type.flag());
      }
      case Form::Struct:
      case Form::Union:
        return with_lowered_members(field, at);
      case Form::Plain:
      case Form::FixedSizeBinary:
      case Form::Unit:
      case Form::Timestamp:
      case Form::Decimal:
      case Form::Dictionary:
      case Form::RunEndEncoded:
        break;
    }
    return type;
  }

  Type with_lowered_members(Field& field, const LoweredPlace& at) {
    const Type& type = field.type;
    const bool is_struct = type.kind() == Kind::Struct;
    const std::vector<Rename> names = legal_names(type, at.was);
    const std::vector<Path> paths = paths_of_members(type, at.was);
    std::vector<Field> members;
    bool changed = false;
    for (size_t i = 0; i < names.size(); ++i) {
      const Field& member = type.child(i);
      const LoweredPlace below{
          paths[i], is_struct ? at.is.field(names[i].name) : at.is.alternative(names[i].name)};
      changed |= names[i].name != member.name;
      members.push_back(renamed(lowered(member, below), names[i], below.was));
    }
    Type out = members.empty() ? type : with_children(type, std::move(members));
    if (changed) {
      const Field was = field;
      field.type = out;
      note(was, field);
    }
    return out;
  }

  Field lowered_key(Field key, const LoweredPlace& at) {
    if (can_.legal_key != nullptr) {
      std::string lost = can_.legal_key(key);
      if (!lost.empty()) {
        find({"type.as-storage", std::move(lost)}, at.was);
      }
    }
    return lowered(std::move(key), at);
  }

  /// A struct with one nullable field per alternative. A nullable alternative is wrapped once more,
  /// so that "chosen and null" differs from "not chosen".
  Type union_as_struct(const Type& type, const LoweredPlace& at) {
    std::vector<Field> members;
    const std::vector<Rename> names = legal_names(type, at.was);
    const std::vector<Path> paths = paths_of_members(type, at.was);
    for (size_t i = 0; i < names.size(); ++i) {
      const Field& alternative = type.child(i);
      const LoweredPlace below{paths[i], at.is.field(names[i].name)};
      if (!alternative.nullable) {
        members.push_back(renamed(lowered(alternative, below), names[i], below.was));
        members.back().nullable = true;
        continue;
      }
      out_.moved.emplace(below.is.text(), below.was);
      Field value = lowered(alternative, {below.was, below.is.field(kBoxMember)});
      members.emplace_back(names[i].name, box(std::move(value)), true);
    }
    return struct_(std::move(members));
  }

  Type map_as_pairs(const Type& type, const LoweredPlace& at) {
    out_.moved.emplace(at.is.item().text(), at.was);
    Field key = lowered(type.key(), {at.was.map_key(), at.is.item().field("key")});
    Field value = lowered(type.value(), {at.was.map_value(), at.is.item().field("value")});
    key.name = "key";
    value.name = "value";
    return list(Field("item", struct_({std::move(key), std::move(value)}), false));
  }

  /// Looks through a dictionary or run-ends. The encoding stays only over values that stay.
  Field encoded(const Field& field, const LoweredPlace& at) {
    const Type& type = field.type;
    const bool is_dictionary = type.kind() == Kind::Dictionary;
    const Field& of = type.child(is_dictionary ? 0 : 1);
    Field values(field.name, of.type, field.nullable || (!is_dictionary && of.nullable),
                 field.metadata);
    for (const auto& [key, value] : of.metadata) {
      if (!values.metadata.find(key)) values.metadata.append(key, value);
    }
    const bool has_encoding = (can_.encoded_extensions || !has_stored_extension(field)) &&
                              (is_dictionary ? takes_dictionary(type) : can_.run_ends);
    const size_t first = out_.findings.size();
    Field out = lowered(values, at);
    if (has_encoding && out.type == of.type) {
      out.type = type;
      out.nullable = field.nullable;
      return out;
    }
    find({"layout.flattened",
          fmt::format("the {} encoding is not preserved", kind_name(type.kind()))},
         at.was);
    std::rotate(out_.findings.begin() + static_cast<std::ptrdiff_t>(first), out_.findings.end() - 1,
                out_.findings.end());
    if (!takes_everything()) note(field, out);
    return out;
  }

  // ---- own layers

  /// Rewrites a layer that the system lacks. Returns true if it did.
  bool own_layer(Field& field, const LoweredPlace& at) {
    const Type type = field.type;
    switch (kind_row(type.kind()).form) {
      case Form::Plain:
        return plain_layer(field, at);
      case Form::FixedSizeBinary:
        return fixed_binary(field, at);
      case Form::Unit:
        return time_layer(field, at);
      case Form::Timestamp:
        return timestamp(field, at);
      case Form::Decimal:
        return decimal(field, at);
      case Form::List:
        if (can_.list_views ||
            (type.kind() != Kind::ListView && type.kind() != Kind::LargeListView))
          return false;
        return rewrite(
            field, list(type.child(), type.kind() == Kind::ListView ? Kind::List : Kind::LargeList),
            at, {"layout.flattened", "the view layout is not preserved"});
      case Form::FixedSizeList: {
        const bool held =
            can_.fixed_lists && (can_.fixed_list_of == nullptr || can_.fixed_list_of(type));
        if (held) return false;
        return rewrite(field, list(type.child()), at,
                       {"size.lost",
                        fmt::format("the fixed length of {} items is not preserved", type.size())});
      }
      case Form::Map:
        if (can_.sorted_keys || !type.flag()) return false;
        return rewrite(field, map_of_entries(type.child(), false), at,
                       {"order.changed", "not recorded: the keys are sorted"});
      case Form::Struct:
      case Form::Union:
      case Form::Dictionary:
      case Form::RunEndEncoded:
        return false;
    }
    return false;
  }

  /// Rewrites a type without parameters.
  bool plain_layer(Field& field, const LoweredPlace& at) {
    const Kind kind = field.type.kind();
    const std::string_view extension = field.extension_name();
    if (kind == Kind::Int8 && extension == kBool8Extension && !can_.bool8) {
      field.metadata.erase(kExtensionName);
      field.metadata.erase(kExtensionMetadata);
      return rewrite(field, Kind::Bool, at,
                     {"type.widened", "stored as bool: every non-zero number is true"});
    }
    if (kind == Kind::HalfFloat && !can_.half_floats) {
      return rewrite(field, Kind::Float, at, {"type.widened", "the 16-bit width is lost"});
    }
    if (is_utf8(kind) && extension == kJsonExtension && !can_.json_note.empty()) {
      field.metadata.erase(kExtensionName);
      field.metadata.erase(kExtensionMetadata);
      field.metadata.set(can_.json_note, std::string(kJsonExtension));
    }
    if (kind == Kind::Date64 && !can_.date64) {
      return rewrite(
          field, Kind::Date32, at,
          {"unit.coarser", "unit goes from milliseconds to days", "1970-01-01T00:00:00.001Z"});
    }
    const bool is_interval = kind >= Kind::IntervalMonths && kind <= Kind::IntervalMonthDayNano;
    return is_interval && interval(field, at);
  }

  /// Rewrites a time of day or a duration.
  bool time_layer(Field& field, const LoweredPlace& at) {
    const Type type = field.type;
    const bool is_duration = type.kind() == Kind::Duration;
    if (is_duration && can_.durations != 0) return unit(field, can_.durations, at);
    if (!is_duration && can_.time_of_day) return false;
    return rewrite(field, Kind::Int64, at,
                   {"type.as-storage",
                    fmt::format("the {}, stored as a number of {}",
                                is_duration ? "duration" : "time of day", unit_name(type.unit()))});
  }

  bool fixed_binary(Field& field, const LoweredPlace& at) {
    const int32_t size = field.type.size();
    switch (can_.fixed_binary) {
      case FixedBinary::Any:
        return false;
      case FixedBinary::NotEmpty:
        if (size > 0) return false;
        break;
      case FixedBinary::UuidOnly:
        if (size == 16 && field.extension_name() == kUuidExtension) return false;
        break;
      case FixedBinary::None:
        break;
    }
    if (can_.bytes_as_list) {
      return rewrite(field, fixed_size_list(Field("item", Kind::Uint8, false), size), at,
                     {"type.as-storage", "stored as a list of bytes"});
    }
    return rewrite(
        field, Kind::Binary, at,
        {"size.lost", fmt::format("the fixed length of {} bytes is not preserved", size)});
  }

  /// Changes the unit of a timestamp or a duration to one of those there are.
  bool unit(Field& field, Units units, const LoweredPlace& at) {
    const TimeUnit was = field.type.unit();
    if (has(units, was)) return false;
    const TimeUnit is = nearest(units, was);
    const bool is_duration = field.type.kind() == Kind::Duration;
    Type type = is_duration ? duration(is) : hub::timestamp(is, field.type.zone());
    if (is > was) {
      return rewrite(
          field, std::move(type), at,
          {"type.widened", fmt::format("unit goes from {} to {}", unit_name(was), unit_name(is))});
    }
    const std::string note_text(unit_text(is));
    return rewrite(
        field, std::move(type), at,
        {"unit.coarser", fmt::format("unit goes from {} to {}", unit_text(was), note_text),
         is_duration ? "1 ns" : "1970-01-01T00:00:00.000000001",
         fmt::format("{} rounds to {} (needs {})", mention(Option::Round), note_text,
                     mention(Option::Allow, "lossy"))});
  }

  bool timestamp(Field& field, const LoweredPlace& at) {
    const bool changed = unit(field, can_.timestamps, at);
    const std::string zone = field.type.zone();
    if (can_.has_zone == nullptr || can_.has_zone(zone)) return changed;
    Type utc = hub::timestamp(field.type.unit(), "UTC");
    if (zone.empty()) {
      return rewrite(field, std::move(utc), at,
                     {"zone.assumed", "local times are stored as if they were UTC"});
    }
    return rewrite(field, std::move(utc), at,
                   {"zone.dropped", fmt::format("the time zone {} is not preserved; instants are",
                                                xwalk::quoted(zone))});
  }

  bool interval(Field& field, const LoweredPlace& at) {
    if (can_.intervals) return false;
    if (!can_.interval_annotation.empty()) {
      annotate(field, can_.system, std::string(can_.interval_annotation));
      return rewrite(
          field, Kind::IntervalMonthDayNano, at,
          {"range.narrowed", "stores months, days and milliseconds as unsigned 32-bit numbers"});
    }
    const auto part = [](std::string_view name, Kind kind) {
      return Field(std::string(name), kind, false);
    };
    if (field.type.kind() == Kind::IntervalMonths) {
      return rewrite(field, Kind::Int32, at,
                     {"type.as-storage", "the interval, stored as a number of months"});
    }
    if (field.type.kind() == Kind::IntervalDayTime) {
      return rewrite(
          field, struct_({part("days", Kind::Int32), part("milliseconds", Kind::Int32)}), at,
          {"type.as-storage", "the interval, stored as a struct of days and milliseconds"});
    }
    return rewrite(
        field,
        struct_({part("months", Kind::Int32), part("days", Kind::Int32),
                 part("nanoseconds", Kind::Int64)}),
        at,
        {"type.as-storage", "the interval, stored as a struct of months, days and nanoseconds"});
  }

  bool decimal(Field& field, const LoweredPlace& at) {
    const Type type = field.type;
    int precision = type.precision();
    int scale = type.scale();
    if (scale < can_.least_scale) {
      precision += can_.least_scale - scale;
      scale = can_.least_scale;
    } else if (scale > precision && !can_.scale_beyond_precision) {
      precision = scale;
    } else {
      const bool narrow = type.kind() == Kind::Decimal32 || type.kind() == Kind::Decimal64;
      if (!narrow || can_.narrow_decimals) return false;
      return rewrite(field, hub::decimal(128, precision, scale), at,
                     {"layout.flattened", "the narrow width is not preserved"});
    }
    find({"type.widened", type.scale() < can_.least_scale
                              ? fmt::format("the negative scale {} is not preserved", type.scale())
                              : fmt::format("the precision {} below the scale {} is not preserved",
                                            type.precision(), scale)},
         at.was);
    if (precision <= kInt256Digits) {
      field.type = hub::decimal(precision <= 38 ? 128 : 256, precision, scale);
      return true;
    }
    return rewrite(field, Kind::Utf8, at,
                   {"type.as-storage",
                    fmt::format("the decimal, stored as text: it needs {} digits, the limit is {}",
                                precision, kInt256Digits)});
  }

  // ---- names

  /// Returns the name that a member asks for, as the system can hold it.
  Rename legal_name(const Rename& wanted, const Field& member, NameOf of) const {
    Rename legal = wanted;
    if (can_.legal_name != nullptr) {
      Field field = member;
      field.name = wanted.name;
      LegalName own = can_.legal_name(field, of);
      if (!own.why.empty()) legal.why = std::move(own.why);
      legal.name = std::move(own.name);
    }
    const bool of_bytes = of != NameOf::Member && can_.names_of_bytes;
    if (!of_bytes && !is_valid_utf8(legal.name)) {
      legal.why = "names are UTF-8 there";
      legal.name = with_escaped_bytes(legal.name);
    }
    for (size_t at; !can_.zero_bytes && (at = legal.name.find('\0')) != std::string::npos;) {
      legal.why = "names end at a zero byte there";
      legal.name.replace(at, 1, "\\x00");
    }
    return legal;
  }

  /// Returns names that the system can hold for the members of a struct or a union, unique if it
  /// requires that. An empty path means the table itself.
  std::vector<Rename> legal_names(const Type& type, const Path& path) {
    const bool columns = path.empty();
    const bool distinct = columns ? can_.distinct_columns : can_.distinct_members;
    const std::vector<Rename> wanted = names_of(type, path, requested_);
    std::vector<Rename> names;
    names.reserve(wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      const NameOf of = !columns                 ? NameOf::Member
                        : i + 1 == wanted.size() ? NameOf::LastColumn
                                                 : NameOf::Column;
      names.push_back(legal_name(wanted[i], type.child(i), of));
    }
    if (distinct) tell_apart(wanted, names);
    bool changed = false;
    for (size_t i = 0; i < names.size(); ++i) {
      Rename& legal = names[i];
      if (legal.name != wanted[i].name && legal.why == wanted[i].why) {
        legal.why = "the name occurs twice";
      }
      changed = changed || legal.name != type.child(i).name;
    }
    tell_ambiguous(type, names, path);
    if (!changed) return names;
    for (size_t i = 0; i < names.size(); ++i) {
      out_.renames[path_of_member(type, path, type.child(i).name).text()].push_back(names[i]);
    }
    return names;
  }

  /// Numbers names that occur twice, and those that were changed into one that is wanted.
  void tell_apart(const std::vector<Rename>& wanted, std::vector<Rename>& names) const {
    const auto key = [&](const std::string& name) {
      return can_.distinct_folded ? in_lower_case(name, Letters::All) : name;
    };
    std::unordered_set<std::string> taken;
    for (const Rename& name : wanted) taken.insert(key(name.name));
    const bool all_kept = std::ranges::equal(wanted, names, {}, &Rename::name, &Rename::name);
    if (all_kept && taken.size() == names.size()) return;
    // The first name of each key.
    std::unordered_map<std::string, std::string> used;
    // Where the search for a free number ended last, so that many equal names stay cheap.
    std::map<std::string, int> next_number;
    for (size_t i = 0; i < names.size(); ++i) {
      std::string& name = names[i].name;
      const auto before = used.find(key(name));
      if (before != used.end() && before->second != name) {
        names[i].why = "another name differs from it only in case";
      }
      if (name != wanted[i].name || before != used.end()) {
        const std::string stem = name;
        int& number = next_number.emplace(key(stem), 2).first->second;
        while (used.contains(key(name)) || (name != wanted[i].name && taken.contains(key(name)))) {
          const std::string suffix = fmt::format("_{}", number++);
          name = cut_utf8(stem, can_.longest_name - suffix.size()) + suffix;
        }
      }
      used.try_emplace(key(name), name);
    }
  }

  /// Reports names that are kept although some readers cannot request them.
  void tell_ambiguous(const Type& type, const std::vector<Rename>& names, const Path& path) {
    if (!can_.folds_case) return;
    std::vector<Path> paths;
    const auto path_of = [&](size_t member) {
      if (paths.empty()) paths = paths_of_members(type, path);
      return paths[member];
    };
    std::unordered_map<std::string, const std::string*> folded;
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string& name = names[i].name;
      if (name.empty()) {
        find({"name.invalid", "an empty name, which many readers cannot ask for"}, path_of(i));
      }
      const auto [first, fresh] = folded.try_emplace(in_lower_case(name, Letters::All), &name);
      if (fresh) continue;
      const std::string& other = *first->second;
      const bool of_both =
          in_lower_case(name, Letters::Ascii) == in_lower_case(other, Letters::Ascii);
      find({"name.duplicate",
            other == name
                ? std::string("the name occurs twice: many readers take one of the two, or neither")
                : fmt::format("differs from {} only in case: {} one for the other",
                              xwalk::quoted(other),
                              of_both ? "DuckDB and Spark take" : "Spark takes")},
           path_of(i));
    }
  }

  Field renamed(Field field, const Rename& name, const Path& was) {
    if (field.name == name.name) return field;
    find({"name.changed", fmt::format("{} is renamed: {}", clipped(field.name), name.why)}, was);
    field.name = name.name;
    return field;
  }

  const Capabilities& can_;
  NoteText note_;
  const Renames& requested_;
  Lowered out_;
  /// Metadata values that must be unique.
  std::set<std::string, std::less<>> seen_;
};

}  // namespace

const Path& Lowered::as_it_was(const Path& path) const {
  const auto found = moved.find(path.text());
  return found == moved.end() ? path : found->second;
}

void drop_notes_of_others(const Capabilities& capabilities, Field* field) {
  const std::string own = annotation_key(capabilities.system);
  Metadata kept;
  for (const auto& [key, value] : field->metadata) {
    // With a dot it is a label: the attributes of a column.
    const bool describes = is_annotation_key(key) && key.find('.') == std::string::npos;
    if (!describes || key == own || key == capabilities.json_note) kept.append(key, value);
  }
  field->metadata = std::move(kept);
}

Lowered lower(const Schema& schema, const Capabilities& capabilities, NoteText note,
              const Renames& requested) {
  return Pass(capabilities, note, requested).run(schema);
}

bool is_utc_or_local(std::string_view zone) { return zone.empty() || zone == "UTC"; }

}  // namespace xwalk::hub
