#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <flatbuffers/flatbuffers.h>

namespace xwalk::shared {

/// What the fields of a schema in FlatBuffers share. The format lets any number of offsets lead to
/// one place, so that few bytes become much memory.
struct SharedOffsets {
  size_t fields = 1;
  size_t name_bytes = 1;   ///< of the one name of all fields
  size_t entries = 0;      ///< metadata entries of each field, each of them the same entry
  size_t entry_bytes = 0;  ///< of its value
  bool one_table = false;  ///< whether all fields are one table, too
  uint8_t kind = 0;        ///< of the type of all columns of Vortex, 0 for null
};

namespace detail {

using Builder = flatbuffers::FlatBufferBuilder;
using Any = flatbuffers::Offset<void>;

/// Where a table keeps the field that its schema lists at a place, from 0.
constexpr flatbuffers::voffset_t slot(int place) {
  return static_cast<flatbuffers::voffset_t>(4 + 2 * place);
}

inline Any empty_table(Builder& builder) { return {builder.EndTable(builder.StartTable())}; }

inline std::string bytes_of(const Builder& builder) {
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

}  // namespace detail

/// Returns an encapsulated message of Arrow with columns of type null.
inline std::string shared_arrow_schema(const SharedOffsets& shared) {
  using namespace detail;
  Builder builder;
  const auto name = builder.CreateString(std::string(shared.name_bytes, 'n'));
  const auto value = builder.CreateString(std::string(shared.entry_bytes, 'v'));
  auto table = builder.StartTable();
  builder.AddOffset(slot(0), name);
  builder.AddOffset(slot(1), value);
  const Any entry(builder.EndTable(table));
  const auto entries = builder.CreateVector(std::vector<Any>(shared.entries, entry));
  const Any null = empty_table(builder);
  const auto field = [&]() -> Any {
    const auto start = builder.StartTable();
    builder.AddOffset(slot(0), name);
    builder.AddElement<uint8_t>(slot(2), 1, 0);  // Type.Null
    builder.AddOffset(slot(3), null);
    builder.AddOffset(slot(6), entries);
    return {builder.EndTable(start)};
  };
  std::vector<Any> fields(shared.one_table ? 1 : shared.fields);
  for (Any& one : fields) one = field();
  fields.resize(shared.fields, fields.empty() ? Any() : fields.back());
  const auto list = builder.CreateVector(fields);
  table = builder.StartTable();
  builder.AddOffset(slot(1), list);
  const Any schema(builder.EndTable(table));
  table = builder.StartTable();
  builder.AddElement<int16_t>(slot(0), 4, 0);  // MetadataVersion.V5
  builder.AddElement<uint8_t>(slot(1), 1, 0);  // MessageHeader.Schema
  builder.AddOffset(slot(2), schema);
  builder.Finish(Any(builder.EndTable(table)));
  const std::string message = bytes_of(builder);
  const uint32_t prefix[] = {0xFFFFFFFF, static_cast<uint32_t>((message.size() + 7) / 8 * 8)};
  std::string out(sizeof prefix + prefix[1], '\0');
  std::memcpy(out.data(), prefix, sizeof prefix);
  std::memcpy(out.data() + sizeof prefix, message.data(), message.size());
  return out;
}

/// Returns a DType of Vortex, a struct of nulls.
inline std::string shared_vortex_dtype(const SharedOffsets& shared) {
  using namespace detail;
  Builder builder;
  const auto name = builder.CreateString(std::string(shared.name_bytes, 'n'));
  const auto dtype = [&](uint8_t kind, Any type) -> Any {
    const auto start = builder.StartTable();
    builder.AddElement<uint8_t>(slot(0), kind, 0);
    builder.AddOffset(slot(1), type);
    return {builder.EndTable(start)};
  };
  const Any null = empty_table(builder);
  std::vector<Any> types(shared.one_table ? 1 : shared.fields);
  for (Any& one : types) one = dtype(shared.kind == 0 ? 1 : shared.kind, null);  // Type.Null
  types.resize(shared.fields, types.empty() ? Any() : types.back());
  const auto names = builder.CreateVector(
      std::vector<flatbuffers::Offset<flatbuffers::String>>(shared.fields, name));
  const auto dtypes = builder.CreateVector(types);
  const auto start = builder.StartTable();
  builder.AddOffset(slot(0), names);
  builder.AddOffset(slot(1), dtypes);
  const Any members(builder.EndTable(start));
  builder.Finish(dtype(7, members));  // Type.Struct_
  return bytes_of(builder);
}

}  // namespace xwalk::shared
