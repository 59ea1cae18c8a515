// Random Vortex types, values of them, and ends of files with their statistics, made of the input:
// every form restores them, and accepts or refuses damaged ones and values that are invalid for the
// type.

#include <array>
#include <bit>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/damage.h"
#include "fuzz/harness.h"
#include "fuzz/shared.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/vortex/extension.h"
#include "xwalk/vortex/file.h"
#include "xwalk/vortex/file_generated.h"
#include "xwalk/vortex/ipc.h"
#include "xwalk/vortex/scalar.h"
#include "xwalk/vortex/scalar_json.h"
#include "xwalk/vortex/schema.h"
#include "xwalk/vortex/statistics.h"
#include "xwalk/vortex/text.h"

namespace xwalk::fuzz {
namespace {

using vortex::DType;
using vortex::Kind;
using vortex::ScalarValue;

/// Names with all that texts escape.
std::string make_name(Choices* choices) {
  static const std::array<std::string, 14> kNames = {
      "a",    "b",         "",  "odd name", "with.dot", "\"quote\\",    std::string("\0zero", 5),
      "\t\r", "line\nend", "'", "\x1b[0m",  "naïve",    "\u200b\u0301", "\U0001F600"};
  const size_t which = choices->below(kNames.size() + 2);
  if (which < kNames.size()) return kNames[which];
  std::string name(choices->text());
  return is_valid_utf8(name) ? name : "not a text";
}

DType make_type(Choices* choices, int depth);

std::vector<vortex::Member> make_members(Choices* choices, int depth) {
  std::vector<vortex::Member> members;
  for (size_t left = choices->below(4); left > 0; --left) {
    std::string name = make_name(choices);
    members.push_back({std::move(name), make_type(choices, depth)});
  }
  return members;
}

/// Most of the time what the extension asks for.
DType make_extension(Choices* choices, int depth) {
  static const std::array<std::string, 6> kIds = {"vortex.date", "vortex.time", "vortex.timestamp",
                                                  "vortex.uuid", "vortex.json", "acme.x"};
  const std::string& id = kIds[choices->below(kIds.size())];
  std::string metadata(choices->text());
  const bool nullable = choices->below(2) == 0;
  if (choices->below(8) == 0) return DType::extension(id, make_type(choices, depth), metadata);
  const auto number = [&](vortex::PType ptype) { return DType::primitive(ptype, nullable); };
  const size_t unit = choices->below(5);
  const std::string of_unit(1, static_cast<char>(unit));
  switch (&id - kIds.data()) {
    case 0:
      return DType::extension(id, number(unit == 4 ? vortex::PType::I32 : vortex::PType::I64),
                              of_unit);
    case 1:
      return DType::extension(id, number(unit >= 2 ? vortex::PType::I32 : vortex::PType::I64),
                              of_unit);
    case 2: {
      static const std::array<std::string, 4> kZones = {"", "UTC", "Europe/Moscow", "+03:00"};
      const std::string& zone = kZones[choices->below(kZones.size())];
      const std::string size = {static_cast<char>(zone.size()), '\0'};
      return DType::extension(id, number(vortex::PType::I64), of_unit + size + zone);
    }
    case 3:
      return DType::extension(
          id, DType::fixed_size_list(DType::primitive(vortex::PType::U8, false), 16, nullable),
          metadata.empty() ? "" : std::string(1, static_cast<char>(choices->below(9))));
    case 4:
      return DType::extension(id, DType::utf8(nullable), "");
    default:
      return DType::extension(id, number(vortex::PType::F16), metadata);
  }
}

DType make_type(Choices* choices, int depth) {
  const bool nullable = choices->below(2) == 0;
  switch (choices->below(depth > 0 ? 13 : 7)) {
    case 0:
      return DType::null();
    case 1:
      return DType::boolean(nullable);
    case 2:
    case 3:
      return DType::primitive(static_cast<vortex::PType>(choices->below(11)), nullable);
    case 4: {
      const int precision = choices->byte() % 80;
      return DType::decimal(precision, static_cast<int8_t>(choices->byte()), nullable);
    }
    case 5:
      return DType::utf8(nullable);
    case 6:
      return DType::binary(nullable);
    case 7:
      return DType::struct_(make_members(choices, depth - 1), nullable);
    case 8:
      return DType::list(make_type(choices, depth - 1), nullable);
    case 9:
      return DType::fixed_size_list(make_type(choices, depth - 1),
                                    static_cast<uint32_t>(choices->below(4)), nullable);
    case 10: {
      if (choices->below(4) == 0) return DType::variant(nullable);
      std::vector<vortex::Member> members = make_members(choices, depth - 1);
      std::vector<uint8_t> ids;
      for (size_t i = 0; i < members.size(); ++i) ids.push_back(choices->byte());
      if (choices->below(8) == 0) ids.push_back(0);
      return DType::union_(std::move(members), std::move(ids), nullable);
    }
    case 11: {
      const DType key = make_type(choices, 0).with_nullable(choices->below(8) == 0);
      return DType::map(key, make_type(choices, depth - 1), choices->below(2) == 0, nullable);
    }
    default:
      return make_extension(choices, depth - 1);
  }
}

/// Bits of any number; of few bytes, so that small ones are met.
uint64_t make_bits(Choices* choices) {
  uint64_t bits = 0;
  for (size_t left = choices->below(9); left > 0; --left) bits = bits << 8 | choices->byte();
  return choices->below(4) == 0 ? ~bits : bits;
}

vortex::Scalar make_scalar(Choices* choices, int depth);

/// Most of the time a value of the type.
ScalarValue make_value(const DType& given, Choices* choices, int depth) {
  if (choices->below(16) == 15) return {};
  const DType type = choices->below(32) == 31 ? make_type(choices, 1) : given;
  if (type.nullable() && choices->below(4) == 0) return {};
  const auto values = [&](const auto& type_of, size_t count) {
    std::vector<ScalarValue> out;
    for (size_t i = 0; i < count; ++i) out.push_back(make_value(type_of(i), choices, depth));
    return ScalarValue{std::move(out)};
  };
  switch (type.kind()) {
    case Kind::Null:
      return {};
    case Kind::Bool:
      return {choices->below(2) == 0};
    case Kind::Primitive: {
      const uint64_t bits = make_bits(choices);
      const vortex::PrimitiveRow& row = vortex::primitive_row(type.ptype());
      const bool fits = choices->below(16) != 15;
      const unsigned over = fits ? 64 - row.bits : 0;
      if (row.number == vortex::Number::Unsigned) return {bits << over >> over};
      if (row.number == vortex::Number::Signed) {
        return {static_cast<int64_t>(bits << over) >> over};
      }
      if (row.bits == 16) return {Half{static_cast<uint16_t>(bits)}};
      if (row.bits == 32) return {std::bit_cast<float>(static_cast<uint32_t>(bits))};
      return {std::bit_cast<double>(bits)};
    }
    case Kind::Decimal:
      return {vortex::Bytes{
          std::string(choices->below(8) == 7 ? choices->below(40) : size_t{1} << choices->below(6),
                      static_cast<char>(choices->byte()))}};
    case Kind::Utf8:
      return {make_name(choices)};
    case Kind::Binary:
      return {vortex::Bytes{std::string(choices->text())}};
    case Kind::Struct: {
      const size_t count = type.members().size();
      return values([&](size_t i) { return type.members()[i].type; }, count);
    }
    case Kind::List:
      return values([&](size_t) { return type.element(); }, choices->below(4));
    case Kind::FixedSizeList:
      return values([&](size_t) { return type.element(); },
                    type.size() > 16 || choices->below(8) == 7 ? choices->below(4) : type.size());
    case Kind::Map:
      return values(
          [&](size_t) {
            return DType::struct_({{"", type.key()}, {"", type.value()}}, false);
          },
          choices->below(3));
    case Kind::Extension:
      return make_value(type.storage(), choices, depth);
    case Kind::Variant:
      if (depth == 0) return {};
      return {std::make_shared<const vortex::Scalar>(make_scalar(choices, depth - 1))};
    case Kind::Union: {
      const size_t which = choices->below(type.members().size());
      const uint8_t id = choices->below(16) == 15 ? choices->byte() : type.type_ids()[which];
      return {vortex::UnionValue{id, std::make_shared<const ScalarValue>(
                                         make_value(type.members()[which].type, choices, depth))}};
    }
  }
  return {};
}

vortex::Scalar make_scalar(Choices* choices, int depth) {
  const DType type = make_type(choices, depth);
  return {type, make_value(type, choices, depth)};
}

// --- types ---------------------------------------------------------------------------------------

struct Form {
  std::string (*write)(const DType& type);
  DType (*read)(const std::string& bytes);
};

constexpr std::array kForms = {
    Form{[](const DType& type) { return vortex::write_flatbuffers(type); },
         [](const std::string& bytes) { return vortex::read_flatbuffers(bytes); }},
    Form{[](const DType& type) { return vortex::write_protobuf(type); },
         [](const std::string& bytes) { return vortex::read_protobuf(bytes); }},
    Form{[](const DType& type) { return vortex::print_text(type); },
         [](const std::string& bytes) { return vortex::parse_text(bytes); }},
    Form{[](const DType& type) { return vortex::write_json(type); },
         [](const std::string& bytes) { return vortex::read_json(bytes); }},
    Form{[](const DType& type) { return vortex::write_ipc_dtype(type); },
         [](const std::string& bytes) { return vortex::read_ipc_dtype(bytes); }},
};

void check_type(Choices* choices, const DType& type) {
  const Form& form = kForms[choices->below(kForms.size())];
  const std::string written = form.write(type);
  require(form.read(written) == type, "a form gives a type back", vortex::print_text(type));
  require(vortex::is_ipc_message(written) == (&form == &kForms[4]));
  const DType other = type.with_nullable(!type.nullable());
  require((other == type) == (other.nullable() == type.nullable()));
  std::string damaged = written;
  damage(choices, &damaged);
  if (damaged == written) return;
  try {
    const DType read = form.read(damaged);
    require(form.read(form.write(read)) == read, "a form gives a type back",
            vortex::print_text(read));
  } catch (const Error& error) {
    require_refusal(error);
  }
}

// --- paths ---------------------------------------------------------------------------------------

/// The path of a field, as many steps down as there are choices for.
void check_path(Choices* choices, const DType& root) {
  vortex::FieldPath path;
  DType type = root;
  while (type.kind() == Kind::Struct && !type.members().empty() && choices->below(4) != 3) {
    const vortex::Member member = type.members()[choices->below(type.members().size())];
    path.push_back(member.name);
    type = vortex::resolve(root, path);
  }
  const bool beyond = choices->below(4) == 3;
  if (beyond) path.push_back(make_name(choices));
  try {
    require(vortex::resolve(root, path) == type || beyond);
  } catch (const Error& error) {
    require(beyond && error.code() == ErrorCode::Input, "a path is there", error.describe());
  }
  std::string written = vortex::write_field_path(path);
  require(vortex::read_field_path(written) == path, "bytes give a path back", written);
  written = vortex::print_field_path(path);
  require(vortex::parse_field_path(written) == path, "text gives a path back", written);
  damage(choices, &written);
  try {
    path = vortex::parse_field_path(written);
    require(vortex::parse_field_path(vortex::print_field_path(path)) == path);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input, "a refusal is of the text", error.describe());
  }
}

// --- values --------------------------------------------------------------------------------------

/// A nan is unlike itself, but its bytes are not.
bool same(const vortex::Scalar& a, const vortex::Scalar& b) {
  const bool is_equal = a.dtype == b.dtype && vortex::write_scalar(a) == vortex::write_scalar(b);
  require(!is_equal || (a.value == b.value) == (a.value == ScalarValue(a.value)));
  return is_equal;
}

void check_read(const vortex::Scalar& scalar) {
  vortex::check_scalar(scalar);
  require(same(vortex::read_scalar(vortex::write_scalar(scalar)), scalar));
  const std::string json = vortex::write_scalar_json(scalar);
  require(is_valid_json(json), "a scalar is JSON", json);
}

void check_value(Choices* choices, const vortex::Scalar& scalar) {
  std::string written;
  try {
    vortex::check_scalar(scalar);
    written = vortex::write_scalar(scalar);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input, "no value of the type", error.describe());
    return;
  }
  const bool as_json = choices->below(2) == 0;
  require(same(vortex::read_scalar(written), scalar));
  if (as_json) {
    written = vortex::write_scalar_json(scalar);
    const vortex::Scalar back = vortex::read_scalar_json(written);
    require(vortex::write_scalar_json(back) == written, "JSON gives a scalar back", written);
  }
  std::string damaged = written;
  damage(choices, &damaged);
  if (damaged == written) return;
  try {
    check_read(as_json ? vortex::read_scalar_json(damaged) : vortex::read_scalar(damaged));
  } catch (const Error& error) {
    require_refusal(error);
  }
}

// --- files ---------------------------------------------------------------------------------------

namespace wire = vortex::wire;

std::string_view bytes_of(const flatbuffers::FlatBufferBuilder& builder) {
  return {static_cast<const char*>(static_cast<const void*>(builder.GetBufferPointer())),
          builder.GetSize()};
}

/// The value without its type, as in statistics: the field after the type in a scalar.
std::string_view value_of(std::string_view scalar) {
  size_t size = 0;
  size_t at = 1;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<uint8_t>(scalar[at++]);
    size |= size_t{byte & 0x7FU} << shift;
    if (byte < 0x80) break;
  }
  for (at += size + 1; static_cast<uint8_t>(scalar[at++]) >= 0x80;) continue;
  return scalar.substr(at);
}

/// Any value of a type, or none.
std::string make_end(const DType& type, Choices* choices) {
  if (choices->below(8) == 7) return std::string(choices->text());
  vortex::Scalar end{type.with_nullable(true), make_value(type, choices, 1)};
  try {
    const std::string written = vortex::write_scalar(end);
    require(vortex::read_scalar_value(value_of(written)) == end.value ||
            !(end.value == ScalarValue(end.value)));
    return std::string(value_of(written));
  } catch (const Error&) {
    return "";
  }
}

/// The end of a file, with statistics of each column; parts of it are left out at times.
std::string make_file(const DType& type, uint64_t rows, Choices* choices) {
  std::string file = "VTXF";
  flatbuffers::FlatBufferBuilder postscript;
  const auto add = [&](std::string_view bytes) {
    file.resize((file.size() + 7) / 8 * 8);
    const size_t at = file.size();
    file += bytes;
    if (choices->below(16) == 15) return flatbuffers::Offset<wire::PostscriptSegment>();
    return wire::CreatePostscriptSegment(postscript, at, static_cast<uint32_t>(bytes.size()), 3);
  };
  const auto dtype = add(vortex::write_flatbuffers(type));
  flatbuffers::FlatBufferBuilder layout;
  layout.Finish(wire::CreateLayout(layout, 0, rows));
  const auto layout_at = add(bytes_of(layout));
  flatbuffers::FlatBufferBuilder statistics;
  std::vector<flatbuffers::Offset<wire::ArrayStats>> columns;
  for (const vortex::Member& member : type.members()) {
    flatbuffers::Offset<flatbuffers::Vector<uint8_t>> ends[2];
    for (auto& end : ends) {
      const std::string bytes = make_end(member.type, choices);
      if (choices->below(8) == 7) continue;
      end = statistics.CreateVector(std::vector<uint8_t>(bytes.begin(), bytes.end()));
    }
    flatbuffers::Optional<uint64_t> nulls = flatbuffers::nullopt;
    if (choices->below(4) != 3) nulls = choices->byte();
    columns.push_back(wire::CreateArrayStats(statistics, ends[0],
                                             static_cast<uint8_t>(choices->below(2)), ends[1], 1, 0,
                                             {}, {}, {}, nulls));
  }
  if (choices->below(16) == 15 && !columns.empty()) columns.push_back(columns.back());
  const auto all = statistics.CreateVector(columns);
  statistics.Finish(wire::CreateFileStatistics(statistics, all));
  const auto statistics_at = add(bytes_of(statistics));
  postscript.Finish(wire::CreatePostscript(postscript, dtype, layout_at, statistics_at, 0, 0));
  file += bytes_of(postscript);
  for (const size_t number : {size_t{1}, size_t{postscript.GetSize()}}) {
    file += static_cast<char>(number & 0xFF);
    file += static_cast<char>(number >> 8);
  }
  return file + "VTXF";
}

/// The type of a file in Vortex and in Arrow and the facts about its columns have a budget each.
constexpr size_t kBudgets = 4;

/// The facts about the columns of a file agree with the facts about its rows.
void check_facts(const std::string& file) {
  const hub::FileFacts facts = [&] {
    const MemoryTotal total(kBudgets * file.size());
    return vortex::facts_of(file);
  }();
  for (const hub::ColumnFacts& column : facts.columns) {
    require(!column.nulls || !facts.rows || *column.nulls <= *facts.rows);
  }
}

void check_file(Choices* choices, const DType& type) {
  if (type.kind() != Kind::Struct) return;
  std::string file = make_file(type, choices->byte(), choices);
  const auto types_come_back = [&](const std::string& bytes) {
    if (vortex::read_footer(bytes).dtype) require(vortex::read_file_dtype(bytes) == type);
  };
  types_come_back(file);
  const std::string key = make_name(choices);
  for (const std::string& value : {std::string(choices->text()), std::string("again")}) {
    const std::string with = vortex::with_metadata(file, key, value);
    require(vortex::find_metadata(with, key) == value, "metadata is found", value);
    require(vortex::read_file_rows(with) == vortex::read_file_rows(file));
    types_come_back(with);
    file = with;
  }
  require(vortex::read_footer(file).metadata.size() == 1, "a key has one slot", key);
  try {
    check_facts(file);
  } catch (const Error&) {
    // Not every type has a meaning in Arrow.
  }
  damage(choices, &file);
  try {
    check_facts(file);
    (void)vortex::find_metadata(file, key);
    (void)vortex::read_file_dtype(file);
  } catch (const Error& error) {
    require_refusal(error);
  }
}

/// The end of a file whose columns share a name, a type and statistics, and whose slots of metadata
/// share a key. It is read within its budgets, or refused.
void check_shared_file(Choices* choices) {
  const shared::SharedOffsets sizes = shared_offsets(choices);
  flatbuffers::FlatBufferBuilder statistics;
  const auto end = statistics.CreateVector(std::vector<uint8_t>(sizes.entry_bytes));
  const auto one = wire::CreateArrayStats(statistics, end, 1, end, 1);
  statistics.Finish(wire::CreateFileStatistics(
      statistics, statistics.CreateVector(std::vector(sizes.fields, one))));
  flatbuffers::FlatBufferBuilder layout;
  layout.Finish(wire::CreateLayout(layout, 0, 1));
  std::string file = "VTXF";
  flatbuffers::FlatBufferBuilder postscript;
  const auto add = [&](std::string_view bytes) {
    file.resize((file.size() + 7) / 8 * 8);
    file += bytes;
    return wire::CreatePostscriptSegment(postscript, file.size() - bytes.size(),
                                         static_cast<uint32_t>(bytes.size()), 3);
  };
  const auto dtype_at = add(shared::shared_vortex_dtype(sizes));
  const auto layout_at = add(bytes_of(layout));
  const auto statistics_at = add(bytes_of(statistics));
  const auto key = postscript.CreateString(std::string(choices->word() % 40'000, 'k'));
  const auto slot = wire::CreatePostscriptMetadata(postscript, key, layout_at);
  const auto slots = postscript.CreateVector(std::vector(choices->word() % 5'000, slot));
  postscript.Finish(
      wire::CreatePostscript(postscript, dtype_at, layout_at, statistics_at, 0, slots));
  if (postscript.GetSize() > UINT16_MAX) return;
  file += bytes_of(postscript);
  for (const size_t number : {size_t{1}, size_t{postscript.GetSize()}}) {
    file += static_cast<char>(number & 0xFF);
    file += static_cast<char>(number >> 8);
  }
  file += "VTXF";
  try {
    check_facts(file);
  } catch (const Error& error) {
    require_refusal(error);
  }
}

/// A struct, mostly of types that have statistics.
DType make_table(Choices* choices) {
  std::vector<vortex::Member> members;
  for (size_t left = choices->below(5); left > 0; --left) {
    DType type = choices->below(4) == 3 ? make_extension(choices, 1)
                                        : make_type(choices, choices->below(2) == 0 ? 0 : 2);
    members.push_back({"c" + std::to_string(left), std::move(type)});
  }
  return DType::struct_(std::move(members), false);
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  const size_t property = choices.below(5);
  try {
    if (property == 4 && choices.below(4) == 3) return check_shared_file(&choices);
    if (property == 4) return check_file(&choices, make_table(&choices));
    if (property >= 2) return check_value(&choices, make_scalar(&choices, 3));
    const DType type = make_type(&choices, 3);
    if (property == 0) return check_type(&choices, type);
    check_path(&choices, type);
  } catch (const Error& error) {
    // A type that breaks a rule of its own.
    require(error.code() == ErrorCode::Input, "a rule that is broken", error.describe());
  }
}

}  // namespace xwalk::fuzz
