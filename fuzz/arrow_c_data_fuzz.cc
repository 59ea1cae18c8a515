// Schemas and arrays of the C data interface with hostile contents: any format strings, flags and
// children; any lengths, offsets, codes and views, in buffers that are as large as the interface
// lets a consumer believe. What is taken can be printed, checked, cut and given on.

#include <cstring>
#include <memory>
#include <vector>

#include "fuzz/harness.h"
#include "fuzz/rows.h"
#include "tests/crosswalk/random_values.h"
#include "xwalk/arrow/module.h"
#include "xwalk/arrow/schema.h"
#include "xwalk/arrow/validate.h"
#include "xwalk/base/error.h"
#include "xwalk/crosswalk/modules.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/cast.h"

namespace xwalk::fuzz {
namespace {

/// Items and bytes in offset layouts: positions beyond are not used.
constexpr int64_t kMostItems = 64;

/// A schema that owns its parts.
struct CSchema {
  ArrowSchema c{};
  std::string format;
  std::string name;
  std::vector<std::unique_ptr<CSchema>> children;
  std::vector<ArrowSchema*> child_pointers;
  std::unique_ptr<CSchema> dictionary;

  CSchema(Choices* choices, int depth) {
    static const char* const kFormats[] = {
        "n",   "b",    "c",     "C",      "s",       "S",       "i",   "I",       "l",
        "L",   "e",    "f",     "g",      "z",       "Z",       "vz",  "u",       "U",
        "vu",  "w:16", "w:-1",  "tdD",    "tdm",     "tts",     "ttn", "tsu:",    "tDn",
        "tiM", "tiD",  "tin",   "d:10,2", "+l",      "+L",      "+vl", "+vL",     "+s",
        "+m",  "+w:2", "+w:-3", "+ud:0",  "+us:0,1", "+ud:5,5", "+r",  "d:4,2,32"};
    const size_t which = choices->byte();
    format = which < std::size(kFormats) ? kFormats[which] : std::string(choices->text());
    name = std::string(choices->text());
    c.format = format.c_str();
    c.name = name.c_str();
    c.flags = choices->byte();
    const size_t count = depth == 0 ? 0 : choices->below(4);
    for (size_t i = 0; i < count; ++i) {
      children.push_back(std::make_unique<CSchema>(choices, depth - 1));
      child_pointers.push_back(&children.back()->c);
    }
    if (depth > 0 && choices->below(8) == 7) {
      dictionary = std::make_unique<CSchema>(choices, depth - 1);
      c.dictionary = &dictionary->c;
    }
    c.n_children = choices->below(16) == 15 ? -1 : static_cast<int64_t>(count);
    c.children = child_pointers.data();
    c.release = [](ArrowSchema* self) { self->release = nullptr; };
  }
};

void check_schema(Choices* choices) {
  const CSchema given(choices, 3);
  hub::Schema schema;
  try {
    schema = hub::import_schema(given.c);
  } catch (const Error&) {
    return;
  }
  arrow::validate(schema);
  require(arrow::parse_schema(arrow::print_schema(schema)) == schema, "text gives a schema back",
          arrow::print_schema(schema));
  hub::SchemaHandle exported = hub::export_schema(schema);
  require(hub::import_schema(*exported) == schema);
  const auto systems = crosswalk::systems();
  try {
    crosswalk::plan(arrow::kModule, schema, systems[choices->below(systems.size())]);
  } catch (const Error& error) {
    require_refusal(error);
  }
}

/// An array that owns its parts.
struct CArray {
  ArrowArray c{};
  std::vector<std::vector<char>> buffers;
  std::vector<const void*> pointers;
  std::vector<std::unique_ptr<CArray>> children;
  std::vector<ArrowArray*> child_pointers;
  std::unique_ptr<CArray> dictionary;

  CArray(const hub::Type& type, int64_t wanted, Choices* choices) {
    const bool honest = choices->below(8) != 0;
    c.length = honest ? wanted : static_cast<int64_t>(choices->below(8));
    c.offset = static_cast<int64_t>(choices->below(4) == 3 ? choices->below(4) : 0);
    const size_t nulls = choices->below(4);
    c.null_count = nulls == 0 ? 0 : nulls == 1 ? static_cast<int64_t>(choices->byte()) : -1;
    const int64_t slots = c.offset + c.length;
    if (hub::has_validity(type.kind())) {
      if (choices->below(2) == 0) {
        pointers.push_back(nullptr);
      } else {
        add(choices, (slots + 7) / 8);
      }
    }
    add_layout(type, slots, choices);
    c.n_buffers = static_cast<int64_t>(pointers.size());
    if (choices->below(32) == 31) c.n_buffers = static_cast<int64_t>(choices->below(3));
    c.buffers = pointers.data();
    for (const auto& child : children) child_pointers.push_back(&child->c);
    c.n_children = static_cast<int64_t>(child_pointers.size());
    c.children = child_pointers.data();
    if (dictionary != nullptr) c.dictionary = &dictionary->c;
    c.release = [](ArrowArray* self) { self->release = nullptr; };
  }

 private:
  char* add(Choices* choices, int64_t bytes) {
    std::vector<char> buffer(static_cast<size_t>(bytes));
    for (char& byte : buffer) byte = static_cast<char>(choices->byte());
    buffers.push_back(std::move(buffer));
    pointers.push_back(buffers.back().data());
    return buffers.back().data();
  }

  /// Small steps up for the most part. Returns the last offset, which the items reach.
  template <typename Offset>
  int64_t add_offsets(int64_t slots, Choices* choices) {
    auto* bytes = add(choices, (slots + 1) * static_cast<int64_t>(sizeof(Offset)));
    Offset at = 0;
    for (int64_t i = 0; i <= slots; ++i) {
      const uint8_t step = choices->byte();
      at = step < 250 ? static_cast<Offset>(at + step % 5) : static_cast<Offset>(step - 253);
      at = std::min<Offset>(at, kMostItems);
      std::memcpy(bytes + i * static_cast<int64_t>(sizeof(Offset)), &at, sizeof(at));
    }
    return std::max<int64_t>(at, 0);
  }

  void add_child(const hub::Field& field, int64_t length, Choices* choices) {
    children.push_back(std::make_unique<CArray>(field.type, length, choices));
  }

  void add_views(int64_t slots, Choices* choices) {
    auto* bytes = add(choices, slots * 16);
    for (int64_t i = 0; i < slots; ++i) {
      // Mostly short ones, and places in one buffer.
      bytes[i * 16 + 1] = bytes[i * 16 + 2] = bytes[i * 16 + 3] = 0;
      if (choices->below(4) != 0) std::memset(bytes + i * 16 + 9, 0, 7);
    }
    add(choices, kMostItems);
    const int64_t size = kMostItems;
    std::memcpy(add(choices, 8), &size, 8);
  }

  void add_layout(const hub::Type& type, int64_t slots, Choices* choices) {
    using hub::Kind;
    switch (type.kind()) {
      case Kind::Null:
        return;
      case Kind::Utf8:
      case Kind::Binary:
        add(choices, add_offsets<int32_t>(slots, choices));
        return;
      case Kind::LargeUtf8:
      case Kind::LargeBinary:
        add(choices, add_offsets<int64_t>(slots, choices));
        return;
      case Kind::Utf8View:
      case Kind::BinaryView:
        return add_views(slots, choices);
      case Kind::List:
      case Kind::Map:
        return add_child(type.child(), add_offsets<int32_t>(slots, choices), choices);
      case Kind::LargeList:
        return add_child(type.child(), add_offsets<int64_t>(slots, choices), choices);
      case Kind::ListView:
        add(choices, slots * 4);
        add(choices, slots * 4);
        return add_child(type.child(), kMostItems, choices);
      case Kind::LargeListView:
        add(choices, slots * 8);
        add(choices, slots * 8);
        return add_child(type.child(), kMostItems, choices);
      case Kind::FixedSizeList:
        return add_child(type.child(), slots * type.size(), choices);
      case Kind::Struct:
        for (const hub::Field& child : type.children()) add_child(child, slots, choices);
        return;
      case Kind::DenseUnion:
        add(choices, slots);
        add(choices, slots * 4);
        for (const hub::Field& child : type.children()) add_child(child, slots, choices);
        return;
      case Kind::SparseUnion:
        add(choices, slots);
        for (const hub::Field& child : type.children()) add_child(child, slots, choices);
        return;
      case Kind::Dictionary:
        add(choices, slots * *hub::fixed_bits(hub::Type(type.index_kind())) / 8);
        dictionary = std::make_unique<CArray>(type.child().type, choices->below(8), choices);
        return;
      case Kind::RunEndEncoded:
        for (const hub::Field& child : type.children()) add_child(child, slots, choices);
        return;
      default:
        add(choices, (slots * *hub::fixed_bits(type) + 7) / 8);
        return;
    }
  }
};

void check_array(const hub::Schema& schema, Choices* choices) {
  const hub::Type type = hub::struct_(schema.fields);
  // It outlives its results, and is not copied.
  CArray given(type, static_cast<int64_t>(choices->below(9)), choices);
  try {
    const hub::Array rows = hub::import_array(hub::ArrayHandle::adopt(&given.c), type);
    hub::Batch batch;
    batch.array = rows;
    const hub::Batch checked = hub::compile_checks(schema).run(batch);
    if (!checked.bad.empty()) return;
    check_rows(schema, rows);
    if (rows.length > 1) check_rows(schema, hub::slice(rows, 1, rows.length - 1));
    hub::ArrayHandle again = hub::export_array(rows);
    check_rows(schema, hub::import_array(std::move(again), type));
  } catch (const Error&) {
  }
}

/// Lists of a fixed size, at up to three levels, whose items take no bytes.
hub::Schema lists_of_nulls(Choices* choices) {
  hub::Type type = hub::Kind::Null;
  for (size_t left = 1 + choices->below(3); left > 0; --left) {
    const auto size = static_cast<int32_t>(choices->word() % (uint32_t{1} << 30));
    type = hub::fixed_size_list(hub::Field("item", std::move(type)), size);
  }
  return {{hub::Field("a", std::move(type))}, {}};
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  constexpr uint8_t kListsOfNulls = 253;
  const Allowance any;
  Choices choices(data);
  const uint8_t what = choices.byte();
  if (what == kListsOfNulls) {
    check_array(lists_of_nulls(&choices), &choices);
  } else if (what % 2 == 0) {
    check_schema(&choices);
  } else {
    crosswalk::testing::RandomData random(choices.word() % 4096);
    check_array({random.fields(1 + choices.below(2), 2), {}}, &choices);
  }
}

}  // namespace xwalk::fuzz
