// Any bytes as Arrow IPC, by the first of them: a schema message, a file's footer, the text of a
// schema, a stream as engine programs send it, the facts of a file or a stream, or a schema whose
// offsets share what they lead to. A schema that is read is written and read back the same; rows
// that are read can be printed, and go through a stream of our own unchanged.

#include <cstring>
#include <string>

#include "fuzz/harness.h"
#include "fuzz/rows.h"
#include "fuzz/shared.h"
#include "tests/hub/values.h"
#include "xwalk/arrow/batches.h"
#include "xwalk/arrow/file.h"
#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/arrow/schema.h"
#include "xwalk/arrow/validate.h"
#include "xwalk/base/error.h"
#include "xwalk/io/engines/ipc_stream.h"

namespace xwalk::fuzz {
namespace {

hub::Schema read(size_t form, const std::string& bytes) {
  switch (form) {
    case 0:
      return arrow::read_ipc_schema(bytes);
    case 1:
      return arrow::read_ipc_file_schema(bytes);
    case 2:
      return arrow::parse_schema(bytes);
    case 3:
      return arrow::parse_base64_schema(bytes);
    default:
      arrow::is_old_stream(bytes);
      return arrow::read_schema(bytes);
  }
}

void check_schema(size_t form, const std::string& bytes) {
  hub::Schema schema;
  try {
    const MemoryTotal total(bytes.size());
    schema = read(form, bytes);
    const Allowance any;
    arrow::validate(schema);
  } catch (const Error&) {
    return;
  }
  const Allowance any;
  require(arrow::parse_schema(arrow::print_schema(schema)) == schema, "text gives a schema back",
          arrow::print_schema(schema));
  const std::string message = arrow::write_ipc_schema(schema);
  require(arrow::read_ipc_schema(message) == schema);
  require(arrow::parse_base64_schema(arrow::print_base64_schema(schema)) == schema);
}

size_t take(std::string_view* rest, void* out, size_t size) {
  const std::string_view taken = rest->substr(0, size);
  std::memcpy(out, taken.data(), taken.size());
  rest->remove_prefix(taken.size());
  return taken.size();
}

void check_stream(std::string_view rest) {
  try {
    io::IpcStreamReader reader([&](void* to, size_t size) { return take(&rest, to, size); });
    const hub::Schema schema = reader.schema();
    while (const std::optional<hub::Array> rows = reader.next()) {
      if (rows->length > 4096) return;  // nulls take no bytes
      const Allowance any;
      check_rows(schema, *rows);
      std::string out;
      io::IpcStreamWriter again(schema, [&](const void* from, size_t size) {
        out.append(static_cast<const char*>(from), size);
      });
      again.write(*rows);
      again.finish();
      std::string_view written = out;
      io::IpcStreamReader back([&](void* to, size_t size) { return take(&written, to, size); });
      require(back.schema() == schema);
      const std::optional<hub::Array> same = back.next();
      require(same.has_value());
      const hub::Type row = hub::struct_(schema.fields);
      for (int64_t i = 0; i < rows->length; ++i) {
        require(hub::testing::read(*rows, row, i) == hub::testing::read(*same, row, i),
                "a row goes through a stream unchanged", std::to_string(i));
      }
    }
  } catch (const Error&) {
  }
}

/// Fetched bytes are in the file, and the facts are those of the whole file.
void check_facts(std::string_view bytes) {
  try {
    const hub::FileFacts facts = arrow::facts_of(bytes, [&](uint64_t offset, uint64_t size) {
      require(offset <= bytes.size() && size <= bytes.size() - offset);
    });
    for (const hub::ColumnFacts& column : facts.columns) {
      require(!column.nulls || *column.nulls <= *facts.rows, "nulls are rows", column.path.text());
    }
  } catch (const Error& error) {
    require_refusal(error);
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  Choices choices(data);
  const size_t form = choices.below(8);
  if (form == 6) return check_facts(choices.rest());
  if (form == 7) {
    const Allowance any;
    const shared::SharedOffsets made = shared_offsets(&choices);
    return check_schema(0, shared::shared_arrow_schema(made));
  }
  if (form < 5) {
    check_schema(form, std::string(choices.rest()));
  } else {
    const std::string bytes(choices.rest());
    check_stream(bytes);
  }
}

}  // namespace xwalk::fuzz
