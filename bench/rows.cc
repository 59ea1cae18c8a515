#include "rows.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <random>

#include "xwalk/yson/writer.h"
#include "xwalk/yt/forms.h"

namespace xwalk::bench {
namespace {

const char* const kSchema =
    "[{name=id;type_v3=int64};{name=hash;type_v3=uint64};{name=score;type_v3=double};"
    "{name=flag;type_v3=bool};{name=city;type_v3=utf8};{name=token;type_v3=utf8};"
    "{name=parent;type_v3={type_name=optional;item=int64}};{name=time;type_v3=timestamp}]";

const char* const kNames[] = {"id", "hash", "score", "flag", "city", "token", "parent", "time"};

const char* const kCities[] = {"Moscow", "Berlin", "Paris", "Amsterdam", "New York",
                               "Tokyo",  "Lima",   "Oslo",  "Cairo",     "Sydney"};

struct Row {
  int64_t id;
  uint64_t hash;
  double score;
  bool flag;
  std::string city;
  std::string token;
  bool has_parent;
  int64_t parent;
  uint64_t time;
};

Row make_row(int64_t id, Shape shape, std::mt19937_64* random) {
  Row row;
  row.id = id;
  row.hash = (*random)();
  row.score = static_cast<double>((*random)() >> 11) * 0x1p-53 * 1000.0;
  row.flag = ((*random)() & 1) != 0;
  row.city = kCities[(*random)() % 10];
  char token[40];
  uint64_t high = (*random)();
  uint64_t low = (*random)() % 1000000000;
  std::snprintf(token, sizeof(token), "%016" PRIx64 "-%09" PRIu64, high, low);
  row.token.assign(token, 26);
  row.has_parent = (*random)() % 10 != 0;
  row.parent = static_cast<int64_t>((*random)() % 1000000);
  row.time = 1'600'000'000'000'000 + (*random)() % 100'000'000'000'000;
  if (shape == Shape::Hard) {
    row.token.replace(4, 4, "\xD0\x96\"\n");
    row.city += "\xC3\xA9";
  }
  return row;
}

void write_value(const Row& row, int column, bool binary, yson::Buffer* out) {
  char* p = out->reserve(256);
  auto text = [&](std::string_view value) {
    p = binary ? yson::write_binary_string(p, value) : yson::write_text_string(p, value);
  };
  auto number = [&](int64_t value) {
    p = binary ? yson::write_binary_int64(p, value) : yson::write_text_int64(p, value);
  };
  auto natural = [&](uint64_t value) {
    p = binary ? yson::write_binary_uint64(p, value) : yson::write_text_uint64(p, value);
  };
  switch (column) {
    case 0:
      number(row.id);
      break;
    case 1:
      natural(row.hash);
      break;
    case 2:
      p = binary ? yson::write_binary_double(p, row.score) : yson::write_text_double(p, row.score);
      break;
    case 3:
      p = binary ? yson::write_binary_boolean(p, row.flag) : yson::write_text_boolean(p, row.flag);
      break;
    case 4:
      text(row.city);
      break;
    case 5:
      text(row.token);
      break;
    case 6:
      if (row.has_parent) {
        number(row.parent);
      } else {
        *p++ = '#';
      }
      break;
    default:
      natural(row.time);
      break;
  }
  out->set_end(p);
}

void append_json_text(std::string_view text, std::string* out) {
  out->push_back('"');
  for (char c : text) {
    if (c == '"') {
      out->append("\\\"");
    } else if (c == '\n') {
      out->append("\\n");
    } else {
      out->push_back(c);
    }
  }
  out->push_back('"');
}

void append_json(const Row& row, int column, std::string* out) {
  append_json_text(kNames[column], out);
  out->push_back(':');
  char number[32];
  switch (column) {
    case 0:
      out->append(std::to_string(row.id));
      break;
    case 1:
      out->append(std::to_string(row.hash));
      break;
    case 2:
      out->append(number, static_cast<size_t>(std::snprintf(number, 32, "%.17g", row.score)));
      break;
    case 3:
      out->append(row.flag ? "true" : "false");
      break;
    case 4:
      append_json_text(row.city, out);
      break;
    case 5:
      append_json_text(row.token, out);
      break;
    case 6:
      out->append(row.has_parent ? std::to_string(row.parent) : "null");
      break;
    default:
      out->append(std::to_string(row.time));
      break;
  }
}

class Memory final : public ByteSource {
 public:
  explicit Memory(std::string_view bytes) : bytes_(bytes) {}
  size_t read(char*, size_t) override { return 0; }
  const std::string& name() const override { return name_; }
  std::optional<std::string_view> contents() override { return bytes_; }
  uint64_t position() const override { return bytes_.size(); }

 private:
  std::string name_ = "memory";
  std::string_view bytes_;
};

}  // namespace

const yt::TableSchema& schema() {
  static const yt::TableSchema kTable = yt::parse_table_schema(kSchema);
  return kTable;
}

std::string make_rows(yson::Format format, Shape shape, std::string* json) {
  std::mt19937_64 random(42);
  // The order of keys has a generator of its own, so that values are the same in every shape.
  std::mt19937_64 order_random(43);
  yson::Buffer out;
  bool binary = format == yson::Format::Binary;
  for (int64_t id = 0; id < kRows; ++id) {
    Row row = make_row(id, shape, &random);
    int order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    if (shape != Shape::Easy) std::shuffle(order, order + 8, order_random);
    out.append('{');
    if (json != nullptr) json->push_back('{');
    for (int i = 0; i < 8; ++i) {
      char* p = out.reserve(64);
      std::string_view name = kNames[order[i]];
      p = binary ? yson::write_binary_string(p, name) : yson::write_text_string(p, name);
      *p++ = '=';
      out.set_end(p);
      write_value(row, order[i], binary, &out);
      out.append(';');
      if (json != nullptr) {
        if (i > 0) json->push_back(',');
        append_json(row, order[i], json);
      }
    }
    out.append('}');
    out.append(';');
    if (!binary) out.append('\n');
    if (json != nullptr) json->append("}\n");
  }
  return std::string(out.view());
}

std::unique_ptr<ByteSource> memory_source(std::string_view bytes) {
  return std::make_unique<Memory>(bytes);
}

void report(benchmark::State& state, size_t bytes) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(bytes));
  state.counters["rows/s"] =
      benchmark::Counter(static_cast<double>(kRows), benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace xwalk::bench
