#include <cstring>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/parquet/column_internal.h"
#include "xwalk/parquet/layer_internal.h"
#include "xwalk/parquet/level_internal.h"
#include "xwalk/parquet/map_keys_internal.h"
#include "xwalk/parquet/values.h"
#include "xwalk/parquet/wide_internal.h"

namespace xwalk::parquet {

using Kind = LogicalType::Kind;

/// What becomes of one column of the meaning.
struct Encoder::Program {
  enum class Op : uint8_t {
    Same,
    Nulls,  ///< no buffers become those of the physical type
    Bson,   ///< as it is, after a look at it
    Widen8,
    Widen8U,
    Widen16,
    Widen16U,
    TimeOfDay32,
    TimeOfDay64,
    Instant12,
    Interval,
    Decimal,
    WideDecimal,
    BigDecimal,  ///< bytes as they are, after a look at them
    Struct,
    ThreeLevel,
    TwoLevel,
    Entries,
    Repeated,
  };
  Op op = Op::Same;
  Path path;
  std::string type;
  PhysicalType physical = PhysicalType::Boolean;
  int32_t width = 0;
  int64_t limit = 0;
  Int128 decimal_limit = 0;
  std::string magnitude;
  bool nullable = false;
  hub::Type key_type;  ///< of Entries
  std::vector<Program> children;
};

namespace {

using Program = Encoder::Program;
using Op = Program::Op;
using RepeatedKeyPolicy = Encoder::RepeatedKeyPolicy;

Program compile_leaf(const Resolved& resolved, const ToArrowOptions& options) {
  const Node& node = resolved.node;
  const LogicalType& logical = node.logical();
  Program program;
  program.type = logical ? to_string(logical) : std::string(to_string(node.physical()));
  program.physical = node.physical();
  program.width = node.length();
  switch (logical.kind()) {
    case Kind::Time: {
      bool millis = logical.unit() == TimeUnit::Millis;
      program.op = millis ? Op::TimeOfDay32 : Op::TimeOfDay64;
      program.limit = int64_t{86'400'000} * (millis                               ? 1
                                             : logical.unit() == TimeUnit::Micros ? 1'000
                                                                                  : 1'000'000);
      break;
    }
    case Kind::Timestamp:
      if (node.physical() == PhysicalType::FixedLenByteArray && !options.storage) {
        program.op = Op::Instant12;
      }
      break;
    case Kind::Interval:
      if (!options.storage) program.op = Op::Interval;
      break;
    case Kind::Integer:
      if (logical.bits() == 8) program.op = logical.is_signed() ? Op::Widen8 : Op::Widen8U;
      if (logical.bits() == 16) program.op = logical.is_signed() ? Op::Widen16 : Op::Widen16U;
      break;
    case Kind::Decimal:
      if (logical.precision() <= 38) {
        program.op = Op::Decimal;
        program.decimal_limit = power_of_ten(logical.precision());
      } else {
        program.op = logical.precision() <= 76 ? Op::WideDecimal : Op::BigDecimal;
        program.magnitude = largest_magnitude(logical.precision());
      }
      break;
    case Kind::Bson:
      program.op = Op::Bson;
      break;
    case Kind::Unknown:
      program.op = Op::Nulls;
      break;
    case Kind::None:
    case Kind::String:
    case Kind::Enum:
    case Kind::Json:
    case Kind::Date:
    case Kind::Uuid:
    case Kind::Float16:
    case Kind::Geometry:
    case Kind::Geography:
    case Kind::Future:
    case Kind::Map:
    case Kind::List:
    case Kind::Variant:
    case Kind::File:
    case Kind::MapKeyValue:
      break;
  }
  return program;
}

Program compile(const Resolved& resolved, const ToArrowOptions& options) {
  if (resolved.node.is_group() && resolved.node.children().empty()) {
    Place place;
    place.path = resolved.path;
    throw Error(ErrorCode::Unsupported,
                "a group without fields has no column to store its values in", std::move(place));
  }
  Program program;
  if (resolved.rule == Rule::Leaf) {
    program = compile_leaf(resolved, options);
  } else {
    for (const Resolved& child : resolved.children) {
      program.children.push_back(compile(child, options));
    }
    switch (resolved.rule) {
      case Rule::Leaf:
      case Rule::Struct:
        program.op = Op::Struct;
        break;
      case Rule::ListThreeLevel:
      case Rule::MapWithoutValue:
        program.op = Op::ThreeLevel;
        break;
      case Rule::ListPrimitive:
      case Rule::ListManyFields:
      case Rule::ListOneRepeated:
      case Rule::ListArrayOrTuple:
        program.op = Op::TwoLevel;
        break;
      case Rule::Map:
      case Rule::MapByPosition:
      case Rule::MapKeyValueAsMap:
        program.op = Op::Entries;
        program.key_type = resolved.children[0].field.type;
        break;
      case Rule::Repeated:
        program.op = Op::Repeated;
        break;
    }
  }
  program.path = resolved.path;
  program.nullable = resolved.field.nullable;
  return program;
}

class Run {
 public:
  Run(int64_t first_row, RepeatedKeyPolicy keys) : first_row_(first_row), keys_(keys) {}

  Column encode(const Program& program, Column column, const Level* up) {
    if (!program.nullable) require(program, &column, up);
    switch (program.op) {
      case Op::Same:
        return column;
      case Op::Nulls:
        return nulls(program, column, up);
      case Op::Bson:
        return bson(program, std::move(column), up);
      case Op::Widen8:
        return widen<int8_t>(std::move(column));
      case Op::Widen8U:
        return widen<uint8_t>(std::move(column));
      case Op::Widen16:
        return widen<int16_t>(std::move(column));
      case Op::Widen16U:
        return widen<uint16_t>(std::move(column));
      case Op::TimeOfDay32:
        return time_of_day<int32_t>(program, std::move(column), up);
      case Op::TimeOfDay64:
        return time_of_day<int64_t>(program, std::move(column), up);
      case Op::Instant12:
        return instant12(std::move(column));
      case Op::Interval:
        return interval(program, std::move(column), up);
      case Op::Decimal:
        return decimal<16>(program, std::move(column), up);
      case Op::WideDecimal:
        return decimal<32>(program, std::move(column), up);
      case Op::BigDecimal:
        return big_decimal(program, std::move(column), up);
      case Op::Struct: {
        std::vector<Column> members = std::move(column.children);
        Level level{up, &column, false};
        std::vector<Column> encoded;
        for (size_t i = 0; i < members.size(); ++i) {
          encoded.push_back(encode(program.children[i], std::move(members[i]), &level));
        }
        column.children = std::move(encoded);
        return column;
      }
      case Op::Repeated: {
        Level level{up, &column, true};
        Column item = encode(program.children[0], std::move(column.children[0]), &level);
        column.children[0] = std::move(item);
        return column;
      }
      case Op::ThreeLevel:
      case Op::TwoLevel:
      case Op::Entries:
        return list(program, std::move(column), up);
    }
    throw Error(ErrorCode::Internal, "a column without a program");
  }

 private:
  /// Ends the writing at a value that may not be written. A cast before has left no such value,
  /// save those that no row refers to.
  void refuse(const Program& program, const Level* up, int64_t index,
              const std::string& found) const {
    std::optional<int64_t> row = row_of(up, index);
    if (!row) return;
    Place place;
    place.path = program.path;
    place.row = static_cast<uint64_t>(first_row_ + *row);
    throw Error(ErrorCode::Input,
                fmt::format("expected a value of {}, found {}", program.type, found),
                std::move(place));
  }

  /// Leaves out the validity of what is required: nulls in it are those of a group above.
  void require(const Program& program, Column* column, const Level* up) const {
    if (column->buffers.empty() || column->buffers[0] == nullptr) return;
    if (column->null_count != 0) {
      for (int64_t i = 0; i < column->length; ++i) {
        if (!column->valid(i)) refuse(program, up, i, "null");
      }
    }
    column->buffers[0] = nullptr;
    column->null_count = 0;
  }

  Column nulls(const Program& program, const Column& column, const Level* up) const {
    Column out;
    out.length = column.length;
    if (!program.nullable) {
      for (int64_t i = 0; i < column.length; ++i) refuse(program, up, i, "null");
    }
    out.null_count = column.length;
    auto zeros = [&](size_t bytes) {
      auto buffer = allocate(bytes);
      std::memset(buffer.get(), 0, bytes);
      return buffer;
    };
    const auto length = static_cast<size_t>(column.length);
    out.buffers.resize(program.physical == PhysicalType::ByteArray ? 3 : 2, nullptr);
    out.set_buffer(0, zeros(length / 8 + 1));
    size_t width = program.physical == PhysicalType::FixedLenByteArray
                       ? static_cast<size_t>(program.width)
                       : 8;
    out.set_buffer(1, zeros((length + 1) * width));
    if (program.physical == PhysicalType::ByteArray) out.set_buffer(2, zeros(1));
    return out;
  }

  Column bson(const Program& program, Column column, const Level* up) const {
    for (int64_t i = 0; i < column.length; ++i) {
      if (column.valid(i) && !is_valid_bson(column.value(i))) {
        refuse(program, up, i, "bytes that are no document");
      }
    }
    return column;
  }

  template <typename T>
  static Column widen(Column column) {
    auto total = static_cast<size_t>(column.offset + column.length);
    auto out = allocate(total * 4);
    auto* wide = static_cast<int32_t*>(out.get());
    const T* values = column.values<T>();
    for (auto i = static_cast<size_t>(column.offset); i < total; ++i) wide[i] = values[i];
    column.set_buffer(1, std::move(out));
    return column;
  }

  template <typename T>
  Column time_of_day(const Program& program, Column column, const Level* up) const {
    const T* values = column.values<T>() + column.offset;
    for (int64_t i = 0; i < column.length; ++i) {
      if ((values[i] < 0 || values[i] >= program.limit) && column.valid(i)) {
        refuse(program, up, i, fmt::format("{}, which is not within a day", values[i]));
      }
    }
    return column;
  }

  /// Fills values of `width` bytes; nulls are zero.
  template <typename Convert>
  static Column fixed(Column column, size_t width, Convert convert) {
    auto out = allocate(static_cast<size_t>(column.offset + column.length) * width);
    char* to = static_cast<char*>(out.get());
    const bool nulls = column.has_nulls();
    for (int64_t i = 0; i < column.length; ++i) {
      char* at = to + static_cast<size_t>(column.offset + i) * width;
      if (nulls && !column.valid(i)) {
        std::memset(at, 0, width);
      } else {
        convert(column.offset + i, at);
      }
    }
    column.set_buffer(1, std::move(out));
    return column;
  }

  static void store_little(uint64_t value, size_t bytes, char* to) {
    for (size_t i = 0; i < bytes; ++i) to[i] = static_cast<char>(value >> (8 * i));
  }

  static Column instant12(Column column) {
    const auto* values = column.values<int64_t>();
    return fixed(std::move(column), 12, [values](int64_t at, char* to) {
      store_little(static_cast<uint64_t>(values[at]), 8, to);
      std::memset(to + 8, values[at] < 0 ? 0xFF : 0, 4);
    });
  }

  Column interval(const Program& program, Column column, const Level* up) const {
    const char* values = column.values<char>();
    const int64_t offset = column.offset;
    return fixed(std::move(column), 12, [&, values](int64_t at, char* to) {
      int32_t months = 0;
      int32_t days = 0;
      int64_t nanos = 0;
      const char* from = values + at * 16;
      std::memcpy(&months, from, 4);
      std::memcpy(&days, from + 4, 4);
      std::memcpy(&nanos, from + 8, 8);
      if (months < 0 || days < 0 || nanos < 0 || nanos % 1'000'000 != 0 ||
          nanos / 1'000'000 > UINT32_MAX) {
        refuse(program, up, at - offset,
               fmt::format("{} months, {} days, {} nanoseconds", months, days, nanos));
      }
      store_little(static_cast<uint64_t>(months), 4, to);
      store_little(static_cast<uint64_t>(days), 4, to + 4);
      store_little(static_cast<uint64_t>(nanos / 1'000'000), 4, to + 8);
    });
  }

  /// Turns a little-endian number around.
  template <size_t kBytes>
  static void reverse(const char* from, char* to) {
    for (size_t i = 0; i < kBytes; ++i) to[i] = from[kBytes - 1 - i];
  }

  template <size_t kBytes>
  static bool fits(const Program& program, const char* value, const char* big_endian) {
    if constexpr (kBytes == 16) {
      Int128 number = 0;
      std::memcpy(&number, value, 16);
      return number < program.decimal_limit && number > -program.decimal_limit;
    } else {
      return within_magnitude({big_endian, kBytes}, program.magnitude);
    }
  }

  template <size_t kBytes>
  Column decimal(const Program& program, Column column, const Level* up) const {
    const char* values = column.values<char>();
    const int64_t offset = column.offset;
    const bool integer =
        program.physical == PhysicalType::Int32 || program.physical == PhysicalType::Int64;
    if (program.physical == PhysicalType::ByteArray) {
      return binary_decimal<kBytes>(program, std::move(column), up);
    }
    const size_t width = program.physical == PhysicalType::Int32 ? 4
                         : program.physical == PhysicalType::Int64
                             ? 8
                             : static_cast<size_t>(program.width);
    return fixed(std::move(column), width, [&, values](int64_t at, char* to) {
      const char* value = values + static_cast<size_t>(at) * kBytes;
      char big[kBytes];
      reverse<kBytes>(value, big);
      if (!fits<kBytes>(program, value, big)) {
        refuse(program, up, at - offset, "one of more digits");
      }
      if (integer) {
        std::memcpy(to, value, width);  // the low bytes of a little-endian number
        return;
      }
      char sign = static_cast<uint8_t>(big[0]) >= 0x80 ? '\xFF' : '\0';
      for (size_t i = 0; i < width; ++i) {
        size_t from_end = width - 1 - i;
        to[i] = from_end < kBytes ? big[kBytes - 1 - from_end] : sign;
      }
    });
  }

  /// The fewest bytes that keep the sign.
  template <size_t kBytes>
  Column binary_decimal(const Program& program, Column column, const Level* up) const {
    const char* values = column.values<char>();
    auto total = static_cast<size_t>(column.offset + column.length);
    auto offsets = allocate((total + 1) * 4);
    auto bytes = allocate(total * kBytes);
    auto* ends = static_cast<int32_t*>(offsets.get());
    char* to = static_cast<char*>(bytes.get());
    int32_t size = 0;
    for (int64_t i = 0; i < column.offset; ++i) ends[i] = 0;
    for (int64_t i = 0; i < column.length; ++i) {
      ends[column.offset + i] = size;
      if (!column.valid(i)) continue;
      const char* value = values + static_cast<size_t>(column.offset + i) * kBytes;
      char big[kBytes];
      reverse<kBytes>(value, big);
      if (!fits<kBytes>(program, value, big)) refuse(program, up, i, "one of more digits");
      size_t skip = 0;
      while (skip + 1 < kBytes && (big[skip] == '\0' || big[skip] == '\xFF') &&
             (static_cast<uint8_t>(big[skip]) >= 0x80) ==
                 (static_cast<uint8_t>(big[skip + 1]) >= 0x80)) {
        ++skip;
      }
      std::memcpy(to + size, big + skip, kBytes - skip);
      size += static_cast<int32_t>(kBytes - skip);
    }
    ends[total] = size;
    column.buffers.resize(3, nullptr);
    column.set_buffer(1, std::move(offsets));
    column.set_buffer(2, std::move(bytes));
    return column;
  }

  Column big_decimal(const Program& program, Column column, const Level* up) const {
    for (int64_t i = 0; i < column.length; ++i) {
      if (!column.valid(i)) continue;
      std::string_view bytes = column.value_or_fixed(i, program.physical, program.width);
      if (!within_magnitude(bytes, program.magnitude)) refuse(program, up, i, "one of more digits");
    }
    return column;
  }

  void refuse_repeated(const Program& program, const Column& list, const Column& item,
                       const Column& keys, const Level* up) const {
    RepeatedKeys repeated(keys, program.key_type);
    const int32_t* at = list.offsets() + list.offset;
    for (int64_t i = 0; i < list.length; ++i) {
      if (at[i + 1] - at[i] < 2 || !list.valid(i)) continue;
      if (repeated.count(item.offset + at[i], item.offset + at[i + 1]) == 0) continue;
      std::optional<int64_t> row = row_of(up, i);
      if (!row) continue;
      Place place;
      place.path = program.path;
      place.row = static_cast<uint64_t>(first_row_ + *row);
      throw Error(ErrorCode::Input, "expected each key of a map once, found one again",
                  std::move(place), "--duplicate-keys last keeps the last of each");
    }
  }

  /// Splits a list into the outer group, which carries its nulls, and the repeated field.
  Column list(const Program& program, Column list, const Level* up) {
    Level level{up, &list, true};
    Column repeated;
    repeated.length = list.offset + list.length;
    repeated.null_count = 0;
    repeated.buffers = {nullptr, list.buffers[1]};
    repeated.owners = list.owners;
    Column item = std::move(list.children[0]);
    if (program.op == Op::Entries) {
      std::vector<Column> parts = std::move(item.children);
      item.children.clear();
      item.buffers[0] = nullptr;
      item.null_count = 0;
      Level entry{&level, &item, false};
      if (keys_ == RepeatedKeyPolicy::Refuse) refuse_repeated(program, list, item, parts[0], up);
      for (size_t i = 0; i < parts.size(); ++i) {
        Column part = encode(program.children[i], std::move(parts[i]), &entry);
        item.children.push_back(std::move(part));
      }
      repeated.children.push_back(std::move(item));
    } else {
      Column element = encode(program.children[0], std::move(item), &level);
      if (program.op == Op::TwoLevel) {
        repeated.children.push_back(std::move(element));
      } else {
        Column wrapper;
        wrapper.length = element.length;
        wrapper.null_count = 0;
        wrapper.buffers = {nullptr};
        wrapper.children.push_back(std::move(element));
        repeated.children.push_back(std::move(wrapper));
      }
    }
    Column outer;
    outer.length = list.length;
    outer.offset = list.offset;
    outer.null_count = list.null_count;
    outer.buffers = {list.buffers[0]};
    outer.owners = std::move(list.owners);
    outer.children.push_back(std::move(repeated));
    return outer;
  }

  int64_t first_row_;
  RepeatedKeyPolicy keys_;
};

/// The annotations an engine needs: those that order statistics, and that it takes.
class EngineSchema {
 public:
  Node node(const Node& node, const ToArrowOptions& options) {
    NodeData data;
    data.name = node.name();
    data.repetition = node.repetition();
    data.physical = node.data().physical;
    data.length = node.length();
    data.id = node.id();
    for (const Node& child : node.children()) data.children.push_back(this->node(child, options));
    if (!node.is_group()) leaf(node, options, &data);
    return Node(std::move(data));
  }

  std::vector<int> take_without_statistics() { return std::move(without_statistics_); }

 private:
  void leaf(const Node& node, const ToArrowOptions& options, NodeData* data) {
    int number = leaves_++;
    bool known = true;
    switch (node.logical().kind()) {
      case Kind::Decimal:
        known = node.logical().precision() <= 76;
        break;
      case Kind::Timestamp:
        known = node.physical() == PhysicalType::Int64;
        break;
      case Kind::Future:
        known = false;
        break;
      case Kind::None:
        // Bytes of a timestamp of another table: no engine takes them as INT96.
        if (node.physical() == PhysicalType::Int96 && options.storage) {
          throw Error(ErrorCode::Unsupported, "INT96 cannot be written from its own bytes");
        }
        break;
      default:
        break;
    }
    if (known) {
      data->annotation = node.logical();
    } else {
      without_statistics_.push_back(number);
    }
  }

  int leaves_ = 0;
  std::vector<int> without_statistics_;
};

hub::Field engine_field(const Resolved& resolved);

/// A leaf as the engine takes it: by its physical type, INT96 as the timestamp it is.
hub::Type engine_leaf(const Resolved& resolved) {
  const Node& node = resolved.node;
  switch (node.physical()) {
    case PhysicalType::Boolean:
      return hub::Kind::Bool;
    case PhysicalType::Int32:
      return hub::Kind::Int32;
    case PhysicalType::Int64:
      return hub::Kind::Int64;
    case PhysicalType::Int96:
      return resolved.field.type;
    case PhysicalType::Float:
      return hub::Kind::Float;
    case PhysicalType::Double:
      return hub::Kind::Double;
    case PhysicalType::ByteArray:
      return hub::Kind::Binary;
    case PhysicalType::FixedLenByteArray:
      return hub::fixed_size_binary(node.length());
  }
  return hub::Kind::Null;
}

hub::Field plain(const std::string& name, hub::Type type, bool nullable) {
  return hub::Field(name, std::move(type), nullable);
}

hub::Field engine_field(const Resolved& resolved) {
  const Node& node = resolved.node;
  bool nullable = resolved.field.nullable;
  std::vector<hub::Field> children;
  for (const Resolved& child : resolved.children) children.push_back(engine_field(child));
  switch (resolved.rule) {
    case Rule::Leaf:
      return plain(node.name(), engine_leaf(resolved), nullable);
    case Rule::Struct:
      return plain(node.name(), hub::struct_(std::move(children)), nullable);
    case Rule::Repeated:
      return plain(node.name(), hub::list(std::move(children[0])), false);
    case Rule::ListPrimitive:
    case Rule::ListManyFields:
    case Rule::ListOneRepeated:
    case Rule::ListArrayOrTuple: {
      hub::Field repeated = plain(node.child().name(), hub::list(std::move(children[0])), false);
      return plain(node.name(), hub::struct_({std::move(repeated)}), nullable);
    }
    case Rule::ListThreeLevel:
    case Rule::Map:
    case Rule::MapByPosition:
    case Rule::MapKeyValueAsMap:
    case Rule::MapWithoutValue: {
      // The engine derives levels from nullability: an optional key is nullable to it.
      if (resolved.rule != Rule::ListThreeLevel) {
        children[0].nullable = node.child().child().is(Repetition::Optional);
      }
      hub::Field item = plain(node.child().name(), hub::struct_(std::move(children)), false);
      hub::Field repeated = plain(node.child().name(), hub::list(std::move(item)), false);
      return plain(node.name(), hub::struct_({std::move(repeated)}), nullable);
    }
  }
  return {};
}

}  // namespace

EnginePlan plan_write(const Schema& schema, const ToArrowOptions& options) {
  EnginePlan plan;
  for (const Resolved& column : resolve(schema, options).columns) {
    plan.arrow.fields.push_back(engine_field(column));
  }
  EngineSchema engine;
  plan.written = Schema(engine.node(schema.root(), options));
  plan.without_statistics = engine.take_without_statistics();
  return plan;
}

Encoder::Encoder(const Schema& schema, const ToArrowOptions& options, RepeatedKeyPolicy keys)
    : keys_(keys) {
  for (const Resolved& column : resolve(schema, options).columns) {
    schema_.fields.push_back(column.field);
    columns_.push_back(compile(column, options));
  }
}

Encoder::~Encoder() = default;

hub::ArrayHandle Encoder::encode(hub::Batch batch) const {
  if (!batch.bad.empty()) throw Error(ErrorCode::Internal, "a bad row came to a sink");
  Column root = take_apart(std::move(batch.array));
  if (root.children.size() != columns_.size()) {
    throw Error(ErrorCode::Internal, fmt::format("expected {} columns, found {}", columns_.size(),
                                                 root.children.size()));
  }
  Run run(batch.first_row, keys_);
  std::vector<Column> children = std::move(root.children);
  Level level{nullptr, &root, false};
  for (size_t i = 0; i < columns_.size(); ++i) {
    children[i] = run.encode(columns_[i], std::move(children[i]), &level);
  }
  root.children = std::move(children);
  return put_together(std::move(root));
}

hub::Refinement refine(const hub::Field& field) {
  hub::Refinement refinement;
  const hub::Type& type = field.type;
  switch (type.kind()) {
    case hub::Kind::Map:
      refinement.unique_keys = true;
      break;
    case hub::Kind::Time32:
    case hub::Kind::Time64:
      refinement.range = hub::Range{0, Int128{86400} * hub::ticks_per_second(type.unit()) - 1};
      break;
    case hub::Kind::IntervalMonths:
    case hub::Kind::IntervalDayTime:
    case hub::Kind::IntervalMonthDayNano:
      refinement.unsigned_millis = true;
      break;
    case hub::Kind::Binary:
    case hub::Kind::LargeBinary:
    case hub::Kind::BinaryView: {
      static constexpr hub::ContentRule kBson = {"a BSON document", is_valid_bson};
      const std::optional<std::string_view> text = hub::annotation(field, kSystem);
      const std::optional<Node> layer = text ? parse_layer(*text) : std::nullopt;
      if (layer && layer->logical().is(Kind::Bson)) refinement.content = &kBson;
      break;
    }
    default:
      break;
  }
  return refinement;
}

}  // namespace xwalk::parquet
