// Selections of the rows of YSON, JSON and Skiff: the last, a sample, some columns, one table, the
// parts of a file. All rows are read at once, and the selections are compared with them, in batches
// of any size. The rows are made of the input, or any bytes.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/harness.h"
#include "tests/skiff/random_rows.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/yson_rows.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/rows/file_range.h"

namespace xwalk::fuzz {
namespace {

struct Rows {
  std::vector<std::string> lines;
  size_t bad = 0;
  bool refused = false;
};

Rows read(const std::string& bytes, const io::InputOptions& options) {
  Rows out;
  try {
    const io::Input input = io::open_input(io::memory_source(bytes, "input"), options);
    while (std::optional<hub::Batch> batch = input.reader->next()) {
      const hub::Schema& schema = input.reader->schema();
      out.bad += batch->bad.size();
      const hub::Batch good = hub::drop_bad_rows(std::move(*batch), schema, nullptr);
      for (int64_t i = 0; i < good.rows(); ++i) {
        std::string line;
        hub::append_json_row(schema, good.array, i, &line);
        out.lines.push_back(std::move(line));
      }
    }
    require(input.reader->rows_taken() >= static_cast<int64_t>(out.lines.size()));
  } catch (const Error& error) {
    require_refusal(error);
    out.refused = true;
  }
  return out;
}

/// Rows of a small table: numbers, texts, nulls, some bad, of several tables.
std::string make_yson(Choices* choices) {
  std::string out;
  for (size_t left = choices->below(40); left > 0; --left) {
    switch (choices->below(16)) {
      case 0:
        out += "<table_index=" + std::to_string(choices->below(3)) + ">#;";
        break;
      case 1:
        out += "{a=odd;b=1};";
        break;
      case 2:
        out += "<row_index=7>#;{a=1};\n";
        break;
      case 3:
        out += "{};";
        break;
      default:
        out += "{a=" + std::to_string(choices->byte()) + ";b=\"text\\n" +
               std::to_string(choices->below(10)) + "\";c=[1;{x=%true}]};" +
               (choices->below(2) == 0 ? "\n" : "");
    }
  }
  return out;
}

std::string make_json(Choices* choices) {
  std::string out;
  for (size_t left = choices->below(40); left > 0; --left) {
    out += R"({"a":)" + std::to_string(choices->byte()) +
           R"(,"b":"text"})"
           "\n";
  }
  return out;
}

constexpr const char* kTable = "[{name=a;type=int64};{name=b;type=string};{name=c;type=any}]";

bool is_part_of(const std::vector<std::string>& some, const std::vector<std::string>& all) {
  size_t at = 0;
  for (const std::string& line : some) {
    while (at < all.size() && all[at] != line) ++at;
    if (at++ >= all.size()) return false;
  }
  return true;
}

/// Reads the parts of a file one by one.
void check_parts(const std::string& bytes, io::Format format, io::InputOptions options,
                 uint64_t size, const Rows& all) {
  if (format->parts == nullptr || all.refused || format == io::kParquetRows) return;
  std::vector<io::Part> parts;
  try {
    const auto source = io::memory_source(bytes, "input");
    parts = format->parts(*source, "input", size);
  } catch (const Error& error) {
    require_refusal(error);
    return;
  }
  if (parts.empty()) return;
  Rows joined;
  for (const io::Part& part : parts) {
    options.part = part;
    Rows rows = read(bytes, options);
    require(!rows.refused, "a part is read as the whole is", bytes);
    joined.bad += rows.bad;
    std::ranges::move(rows.lines, std::back_inserter(joined.lines));
  }
  require(joined.lines == all.lines && joined.bad == all.bad, "parts are the whole", bytes);
  io::Part beyond = parts.back();
  beyond.count += 1 + bytes.size();
  options.part = beyond;
  require(read(bytes, options).refused, "a part ends where the file does", bytes);
}

void check_choice(const std::string& bytes, io::InputOptions options, Choices* choices) {
  options.batch_rows = 1 << 16;
  const Rows all = read(bytes, options);
  const size_t what = choices->below(6);
  const auto count = static_cast<int64_t>(choices->below(24));
  const size_t small = 1 + choices->below(7);
  const size_t shown = all.lines.size();
  const auto most = std::min(shown, static_cast<size_t>(count));
  switch (what) {
    case 0:
      options.tail = count;
      break;
    case 1:
      options.sample = io::Sample{count, 1};
      break;
    case 2:
      options.sample = io::Sample{std::nullopt, static_cast<double>(count) / 23};
      break;
    case 3:
      options.limit = count;
      break;
    case 4:
      return check_parts(bytes, *options.format, options, 1 + choices->byte(), all);
    default:
      options.sample = io::Sample{std::nullopt, 0.5};
      options.tail = count;
      options.limit = static_cast<int64_t>(choices->below(8));
  }
  options.seed = choices->byte();
  const Rows large = read(bytes, options);
  options.batch_rows = static_cast<int64_t>(small);
  const Rows steps = read(bytes, options);
  if (all.refused || large.refused || steps.refused) return;
  require(large.lines == steps.lines && large.bad == steps.bad, "batches do not matter",
          std::to_string(what) + ": " + std::to_string(large.lines.size()) + " or " +
              std::to_string(steps.lines.size()) + " of " + std::to_string(shown) + "\n" + bytes);
  require(is_part_of(large.lines, all.lines), "what is chosen is of all", bytes);
  if (all.bad > 0) return;
  if (what == 0) {
    require(large.lines.size() == most, "so many rows come", bytes);
    require(std::equal(large.lines.rbegin(), large.lines.rend(), all.lines.rbegin()), "the last",
            bytes);
  } else if (what == 1 || what == 3) {
    require(large.lines.size() == most, "so many rows come", bytes);
  }
  if (what == 3) {
    require(std::equal(large.lines.begin(), large.lines.end(), all.lines.begin()), "the first",
            bytes);
  }
}

/// The tables that rows name are the tables that are reported.
void check_tables(const std::string& bytes) {
  try {
    const std::vector<uint32_t> tables = io::yson_tables(io::memory_source(bytes, "input"));
    require(!tables.empty() && std::ranges::is_sorted(tables), "tables are reported in order",
            bytes);
  } catch (const Error& error) {
    require_refusal(error);
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  using skiff::testing::RandomTable;
  const Allowance any;
  Choices choices(data);
  const size_t form = choices.below(8);
  const uint8_t modes = choices.byte();
  io::InputOptions options;
  options.skip_bad_rows = (modes & 1) != 0;
  if ((modes & 2) != 0) options.table = modes >> 6;
  if ((modes & 4) != 0) options.select = {"a"};
  if ((modes & 8) != 0) options.exclude = {"b"};
  if (form < 3) {
    options.format = io::kYsonRows;
    if ((modes & 16) == 0) options.schema = kTable;
    const std::string bytes = form == 2 ? std::string(choices.rest()) : make_yson(&choices);
    if ((modes & 32) != 0) return check_tables(bytes);
    return check_choice(bytes, options, &choices);
  }
  if (form < 5) {
    options.format = io::kJsonRows;
    if ((modes & 16) == 0) options.schema = "[{name=a;type=int64};{name=b;type=string}]";
    const std::string bytes = make_json(&choices);
    return check_choice(bytes, options, &choices);
  }
  RandomTable table(choices.byte());
  std::string bytes = table.bytes(choices.below(24));
  for (size_t left = choices.below(3); left > 0 && !bytes.empty(); --left) {
    bytes[choices.byte() % bytes.size()] = static_cast<char>(choices.byte());
  }
  options.format = io::kSkiffRows;
  options.schema = print(table.schema(), skiff::SchemaForm::File);
  options.select.clear();
  options.exclude.clear();
  if (form == 6) options.skiff.end_of_stream = true;
  if (form == 7) bytes = std::string(choices.rest());
  check_choice(bytes, options, &choices);
}

}  // namespace xwalk::fuzz
