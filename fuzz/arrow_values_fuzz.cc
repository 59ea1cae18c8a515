// Random Arrow schemas and rows of them: every form gives a schema back, and takes or refuses what
// was damaged in it; slices of rows go through a stream unchanged, in steps or lent, and the stream
// says how many they are.

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/damage.h"
#include "fuzz/harness.h"
#include "fuzz/rows.h"
#include "tests/crosswalk/random_values.h"
#include "tests/hub/values.h"
#include "xwalk/arrow/batches.h"
#include "xwalk/arrow/file.h"
#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/arrow/schema.h"
#include "xwalk/arrow/validate.h"
#include "xwalk/base/byte_stream.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/filter.h"
#include "xwalk/io/engines/ipc_stream.h"

namespace xwalk::fuzz {
namespace {

using crosswalk::testing::RandomData;

/// Types that random ones lack.
hub::Type rarer(hub::Field item, size_t which) {
  switch (which) {
    case 0:
      return hub::list(std::move(item), hub::Kind::LargeListView);
    case 1:
      return hub::fixed_size_list(std::move(item), 3);
    case 2:
      item.name = "values";
      return hub::run_end_encoded(hub::Kind::Int32, std::move(item));
    case 3:
      return hub::map(hub::Field("k", hub::Kind::Utf8, false), std::move(item), true);
    default:
      if (item.type.kind() == hub::Kind::Dictionary) return item.type;
      return hub::dictionary(hub::Kind::Uint8, std::move(item.type), true);
  }
}

/// Names and notes with all that texts escape.
hub::Schema make_schema(Choices* choices) {
  RandomData random(choices->word() % 4096);
  hub::Schema schema{random.fields(1 + choices->below(3), 2), {}};
  for (hub::Field& field : schema.fields) {
    switch (choices->below(8)) {
      case 0:
        field.name = std::string(choices->text());
        break;
      case 1:
        field.name = "tab\t\r\n\"quote\\\x01";
        break;
      case 2:
        field.metadata.set(std::string(choices->text()), "value");
        break;
      case 3:
        schema.metadata.set("key", std::string(choices->text()));
        break;
      case 4:
      case 5:
        field.type = rarer(hub::Field("item", field.type), choices->below(5));
        break;
      default:
        break;
    }
  }
  return schema;
}

/// Bytes that come in steps, as those of a pipe.
class Steps final : public ByteSource {
 public:
  Steps(std::string_view bytes, size_t step) : rest_(bytes), step_(step) {}
  size_t read(char* out, size_t size) override {
    const size_t count = rest_.copy(out, std::min(size, step_));
    rest_.remove_prefix(count);
    at_ += count;
    return count;
  }
  const std::string& name() const override { return name_; }
  uint64_t position() const override { return at_; }

 private:
  std::string_view rest_;
  size_t step_;
  size_t at_ = 0;
  std::string name_ = "steps";
};

// --- schemas -------------------------------------------------------------------------------------

hub::Schema read_form(size_t form, const std::string& bytes) {
  return form == 0   ? arrow::parse_schema(bytes)
         : form == 1 ? arrow::read_ipc_schema(bytes)
                     : arrow::parse_base64_schema(bytes);
}

std::string write_form(size_t form, const hub::Schema& schema) {
  return form == 0   ? arrow::print_schema(schema)
         : form == 1 ? arrow::write_ipc_schema(schema)
                     : arrow::print_base64_schema(schema);
}

void check_schema(Choices* choices) {
  const hub::Schema schema = make_schema(choices);
  arrow::validate(schema);
  const size_t form = choices->below(3);
  std::string written = write_form(form, schema);
  require(read_form(form, written) == schema, "a form gives a schema back", written);
  for (const hub::Field& field : schema.fields) {
    const std::string text = arrow::print_type(field.type);
    require(arrow::parse_type(text) == field.type, "text gives a type back", text);
  }
  damage(choices, &written);
  std::optional<hub::Schema> read;
  try {
    read = read_form(form, written);
    require(read_form(form, write_form(form, *read)) == *read, "a form gives a schema back",
            written);
  } catch (const Error& error) {
    require_refusal(error);
  }
  if (form != 1) return;
  Steps steps(written, 1 + choices->below(16));
  try {
    require(arrow::read_schema(steps) == read, "steps do not matter", "");
  } catch (const Error& error) {
    require(error.place().file == "steps", "an error names the source", error.describe());
  }
}

/// No engine takes unions: systems that have one make structs of them.
std::vector<hub::Field> without_unions(std::vector<hub::Field> fields) {
  for (hub::Field& field : fields) {
    const hub::Kind kind = field.type.kind();
    if (kind == hub::Kind::DenseUnion || kind == hub::Kind::SparseUnion)
      field.type = hub::Kind::Int32;
    if (field.type.children().empty() || kind == hub::Kind::Dictionary) continue;
    const auto children = field.type.children();
    field.type = hub::with_children(field.type, without_unions({children.begin(), children.end()}));
  }
  return fields;
}

// --- rows ----------------------------------------------------------------------------------------

io::IpcStreamReader::Read reader_of(std::string_view* rest, size_t step) {
  return [rest, step](void* to, size_t size) {
    const size_t count = rest->copy(static_cast<char*>(to), std::min(size, step));
    rest->remove_prefix(count);
    return count;
  };
}

void check_rows_of(Choices* choices) {
  RandomData random(choices->word() % 4096);
  const hub::Schema schema =
      io::plain_layout({without_unions(random.fields(1 + choices->below(3), 2)), {{"who", "me"}}});
  require(io::plain_layout(schema) == schema, "it is plain", arrow::print_schema(schema));
  const hub::Type type = hub::struct_(schema.fields);
  std::vector<hub::testing::Value> rows;
  for (size_t left = choices->below(20); left > 0; --left) {
    std::vector<hub::testing::Value> row;
    for (const hub::Field& field : schema.fields) row.push_back(random.value(field, nullptr));
    rows.push_back(hub::testing::items(std::move(row)));
  }
  const hub::Batch all = hub::testing::make_batch(schema, rows);
  std::string stream;
  io::IpcStreamWriter writer(schema, [&](const void* from, size_t size) {
    stream.append(static_cast<const char*>(from), size);
  });
  std::vector<hub::Array> given;
  for (size_t left = 1 + choices->below(3); left > 0; --left) {
    const auto offset = static_cast<int64_t>(choices->byte() % (rows.size() + 1));
    const auto most = static_cast<int64_t>(rows.size()) - offset;
    given.push_back(hub::slice(all.array, offset, choices->byte() % (most + 1)));
    writer.write(given.back());
  }
  writer.finish();

  uint64_t count = 0;
  for (const hub::Array& batch : given) count += static_cast<uint64_t>(batch.length);
  const hub::FileFacts facts = arrow::facts_of(stream, [](uint64_t, uint64_t) {});
  require(facts.rows == count && facts.pieces == given.size(), "the stream reports its rows", "");

  std::string_view rest = stream;
  const size_t step = choices->below(2) == 0 ? SIZE_MAX : 1 + choices->below(64);
  io::IpcStreamReader reader(reader_of(&rest, step));
  require(reader.schema() == schema, "a schema goes through a stream", arrow::print_schema(schema));
  for (const hub::Array& batch : given) {
    const std::optional<hub::Array> back = reader.next();
    require(back.has_value() && back->length == batch.length);
    for (int64_t i = 0; i < batch.length; ++i) {
      require(hub::testing::read(batch, type, i) == hub::testing::read(*back, type, i),
              "a row goes through a stream unchanged", arrow::print_schema(schema));
    }
  }
  require(!reader.next());

  damage(choices, &stream);
  try {
    arrow::facts_of(stream, [](uint64_t, uint64_t) {});
  } catch (const Error& error) {
    require_refusal(error);
  }
  rest = stream;
  try {
    io::IpcStreamReader damaged(reader_of(&rest, step));
    const hub::Schema found = damaged.schema();
    while (const std::optional<hub::Array> back = damaged.next()) {
      if (back->length > 4096) return;  // nulls take no bytes
      check_rows(found, *back);
    }
  } catch (const Error& error) {
    require_refusal(error);
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  if (choices.below(2) == 0) return check_schema(&choices);
  check_rows_of(&choices);
}

}  // namespace xwalk::fuzz
