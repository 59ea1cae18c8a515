#include "xwalk/yt/infer.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/lexer.h"
#include "xwalk/yson/row_splitter.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {
namespace {

using yson::Token;
using yson::TokenKind;

/// Keys of a map above which it is taken for a dictionary of data, not for a struct.
constexpr size_t kMaxMembers = 1000;
/// Columns above which rows are taken for something else than a table.
constexpr size_t kMaxColumns = kMaxSchemaComplexity;
/// Nesting of values that have no type of their own any more; as deep as the system's YSON.
constexpr int kMaxValueDepth = 256;

/// What the values of one place have been so far.
class Seen {
 public:
  void add_null() { null_ = true; }
  void add_boolean() { kinds_ |= kBoolean; }
  void add_double() { kinds_ |= kDouble; }
  void add_int64(int64_t value) {
    kinds_ |= kInt64;
    least_ = std::min(least_, value);
    greatest_ = std::max(greatest_, value);
  }
  void add_uint64(uint64_t value) {
    kinds_ |= kUint64;
    greatest_unsigned_ = std::max(greatest_unsigned_, value);
  }
  void add_string(std::string_view bytes) {
    kinds_ |= kString;
    utf8_ = utf8_ && is_valid_utf8(bytes);
  }
  void add_other() { kinds_ |= kOther; }

  /// Returns where items go.
  Seen& add_list() {
    kinds_ |= kList;
    if (item_ == nullptr) item_ = std::make_unique<Seen>();
    return *item_;
  }
  void begin_map() {
    kinds_ |= kMap;
    ++maps_;
  }
  /// Returns where the value of a key goes, or null where there are too many keys.
  Seen* add_member(std::string name, size_t most) {
    auto [found, added] = member_index_.try_emplace(std::move(name), members_.size());
    if (added) {
      if (members_.size() >= most) {
        member_index_.erase(found);
        overflow_ = true;
        return nullptr;
      }
      members_.push_back({found->first, std::make_unique<Seen>()});
    }
    NamedMember& member = members_[found->second];
    // Twice in one map: no struct holds both.
    if (member.last_map == maps_) repeated_ = true;
    member.last_map = maps_;
    ++member.count;
    return member.seen.get();
  }
  bool overflowed() const { return overflow_; }

  std::vector<ColumnSchema> columns() const {
    std::vector<ColumnSchema> out;
    for (const NamedMember& member : members_) {
      out.emplace_back(member.name, member.seen->type(member.count < maps_, 1));
    }
    return out;
  }

 private:
  enum : uint8_t {
    kBoolean = 1,
    kInt64 = 2,
    kUint64 = 4,
    kDouble = 8,
    kString = 16,
    kList = 32,
    kMap = 64,
    kOther = 128
  };

  struct NamedMember {
    std::string name;
    std::unique_ptr<Seen> seen;
    uint64_t count = 0;
    uint64_t last_map = 0;
  };

  Type type(bool absent, int depth) const {
    if (kinds_ == 0) return TypeKind::Null;
    Type own = present(depth + 1);
    return null_ || absent || own.is(TypeKind::Yson) ? optional(std::move(own)) : own;
  }

  /// Returns the type of the values that are there.
  Type present(int depth) const {
    if (depth > kMaxTypeDepth) return TypeKind::Yson;
    switch (kinds_) {
      case kBoolean:
        return TypeKind::Bool;
      case kDouble:
        return TypeKind::Double;
      case kString:
        return utf8_ ? TypeKind::Utf8 : TypeKind::String;
      case kInt64:
        if (fits<int8_t>()) return TypeKind::Int8;
        if (fits<int16_t>()) return TypeKind::Int16;
        return fits<int32_t>() ? TypeKind::Int32 : TypeKind::Int64;
      case kUint64:
        if (greatest_unsigned_ <= std::numeric_limits<uint8_t>::max()) return TypeKind::Uint8;
        if (greatest_unsigned_ <= std::numeric_limits<uint16_t>::max()) return TypeKind::Uint16;
        return greatest_unsigned_ <= std::numeric_limits<uint32_t>::max() ? TypeKind::Uint32
                                                                          : TypeKind::Uint64;
      case kList:
        return list(item_->type(false, depth));
      case kMap:
        return struct_type(depth);
      default:
        return TypeKind::Yson;
    }
  }

  template <typename Narrow>
  bool fits() const {
    return least_ >= std::numeric_limits<Narrow>::min() &&
           greatest_ <= std::numeric_limits<Narrow>::max();
  }

  Type struct_type(int depth) const {
    if (members_.empty() || overflow_ || repeated_) return TypeKind::Yson;
    std::vector<Member> out;
    for (const NamedMember& member : members_) {
      if (member.name.empty() || member.name.size() > kMaxNameLength ||
          !is_valid_utf8(member.name)) {
        return TypeKind::Yson;
      }
      out.emplace_back(member.name, member.seen->type(member.count < maps_, depth));
    }
    return struct_(std::move(out));
  }

  uint8_t kinds_ = 0;
  bool null_ = false;
  bool utf8_ = true;
  bool overflow_ = false;
  bool repeated_ = false;
  int64_t least_ = std::numeric_limits<int64_t>::max();
  int64_t greatest_ = std::numeric_limits<int64_t>::min();
  uint64_t greatest_unsigned_ = 0;
  uint64_t maps_ = 0;
  std::unique_ptr<Seen> item_;
  std::vector<NamedMember> members_;
  std::unordered_map<std::string, size_t> member_index_;
};

/// Reads the rows of one chunk.
class ChunkReader {
 public:
  ChunkReader(const yson::RowChunk& chunk, Seen& rows)
      : chunk_(chunk), lexer_(chunk.bytes), rows_(rows), row_(chunk.first_item) {}

  void run() {
    try {
      next();
      while (token_.kind != TokenKind::End) {
        if (token_.kind == TokenKind::Separator) {
          next();
          continue;
        }
        row();
        ++row_;
        if (token_.kind != TokenKind::Separator && token_.kind != TokenKind::End) {
          lexer_.fail("';'", token_);
        }
      }
    } catch (Error& error) {
      size_t at = static_cast<size_t>(error.place().byte.value_or(token_.offset));
      size_t length = error.place().snippet_length;
      error.place() = yson::place_in_chunk(chunk_, at, length);
      error.place().row = row_;
      throw;
    }
  }

 private:
  void next() { token_ = lexer_.next(); }

  void row() {
    if (token_.kind == TokenKind::AttributesBegin) {
      skip_attributes(0);
      if (token_.kind == TokenKind::Entity) {
        next();
        return;
      }
    }
    if (token_.kind != TokenKind::MapBegin) lexer_.fail("a row, which is a map", token_);
    map(rows_, kMaxColumns, 0);
    if (rows_.overflowed()) {
      lexer_.fail(fmt::format("at most {} columns", kMaxColumns), token_);
    }
  }

  /// Reads a value and adds it to what was seen in its place, or only skips it where that is null.
  void value(Seen* seen, int depth) {
    if (depth > kMaxValueDepth) {
      lexer_.fail(fmt::format("at most {} levels", kMaxValueDepth), token_);
    }
    Seen unused;
    Seen& to = seen == nullptr ? unused : *seen;
    if (token_.kind == TokenKind::AttributesBegin) {
      to.add_other();
      skip_attributes(depth);
    }
    switch (token_.kind) {
      case TokenKind::Entity:
        to.add_null();
        break;
      case TokenKind::Boolean:
        to.add_boolean();
        break;
      case TokenKind::Int64:
        to.add_int64(token_.int64);
        break;
      case TokenKind::Uint64:
        to.add_uint64(token_.uint64);
        break;
      case TokenKind::Double:
        to.add_double();
        break;
      case TokenKind::String:
        if (token_.escaped) {
          to.add_string(token_.string());
        } else {
          to.add_string(token_.text);
        }
        break;
      case TokenKind::ListBegin:
        list(to, depth);
        return;
      case TokenKind::MapBegin:
        map(to, kMaxMembers, depth);
        return;
      default:
        lexer_.fail("a value", token_);
    }
    next();
  }

  void list(Seen& seen, int depth) {
    Seen& item = seen.add_list();
    next();
    while (token_.kind != TokenKind::ListEnd) {
      value(&item, depth + 1);
      separator(TokenKind::ListEnd, "';' or ']'");
    }
    next();
  }

  void map(Seen& seen, size_t most, int depth) {
    seen.begin_map();
    next();
    while (token_.kind != TokenKind::MapEnd) {
      Seen* member = seen.add_member(key(), most);
      value(member, depth + 1);
      separator(TokenKind::MapEnd, "';' or '}'");
    }
    next();
  }

  void skip_attributes(int depth) {
    next();
    while (token_.kind != TokenKind::AttributesEnd) {
      (void)key();
      value(nullptr, depth + 1);
      separator(TokenKind::AttributesEnd, "';' or '>'");
    }
    next();
  }

  std::string key() {
    if (token_.kind != TokenKind::String) lexer_.fail("a key", token_);
    std::string out = token_.string();
    next();
    if (token_.kind != TokenKind::Equals) lexer_.fail("'='", token_);
    next();
    return out;
  }

  void separator(TokenKind end, std::string_view expected) {
    if (token_.kind == TokenKind::Separator) {
      next();
    } else if (token_.kind != end) {
      lexer_.fail(expected, token_);
    }
  }

  const yson::RowChunk& chunk_;
  yson::Lexer lexer_;
  Seen& rows_;
  uint64_t row_;
  Token token_;
};

}  // namespace

TableSchema infer_schema(ByteSource& source) {
  Seen rows;
  yson::RowSplitter splitter(&source);
  yson::RowChunk chunk;
  try {
    while (splitter.next(&chunk)) {
      ChunkReader(chunk, rows).run();
      if (chunk.owner == nullptr) source.consumed(chunk.offset, chunk.bytes.size());
    }
  } catch (Error& error) {
    if (error.place().file.empty()) error.place().file = source.name();
    throw;
  }
  TableSchema out;
  out.columns = rows.columns();
  return out;
}

}  // namespace xwalk::yt
