// Rows decoded many at a time, by columns and in an order that is known, against the same rows one
// by one.

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "memory_bytes.h"
#include "tests/base/each_processor.h"
#include "tests/rounds.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/values.h"

namespace xwalk::yt {
namespace {

constexpr std::string_view kSchema =
    "<strict=%true>[{name=a;type_v3=int64};{name=b;type_v3={type_name=optional;item=int8}};"
    "{name=cc;type_v3=uint64};{name=d;type_v3={type_name=optional;item=uint16}};"
    "{name=real;type_v3={type_name=optional;item=double}};{name=flag;type_v3={type_name=optional;"
    "item=bool}};{name=bytes;type_v3={type_name=optional;item=string}};{name=text_of_row;type_v3="
    "{type_name=optional;item=utf8}};{name=t;type_v3={type_name=optional;item=timestamp}};"
    "{name=f;type_v3={type_name=optional;item=float}}]";
constexpr std::array<const char*, 10> kNames = {"a",    "b",     "cc",          "d", "real",
                                                "flag", "bytes", "text_of_row", "t", "f"};

/// Below what the decoder takes as a block, so that a row alone is decoded value by value.
constexpr size_t kLoneRow = 384;

/// In which order rows have their keys, beside the schema's.
enum class Keys : uint8_t { Ordered, Reversed, Shuffled };

class Rows {
 public:
  Rows(uint64_t seed, bool text, int unusual) : random_(seed), text_(text), unusual_(unusual) {}

  std::string row(Keys keys) {
    std::array<size_t, kNames.size()> order{};
    for (size_t i = 0; i < order.size(); ++i) order[i] = keys == Keys::Reversed ? 9 - i : i;
    if (keys == Keys::Shuffled) std::shuffle(order.begin(), order.end(), random_);
    out_ = "{";
    for (size_t i = 0; i < order.size(); ++i) {
      if (strange(16)) continue;
      if (strange(64)) out_ += ' ';
      const std::string_view name = kNames[order[i]];
      if (strange(64)) {
        out_ += name;
      } else {
        put_string(name);
      }
      out_ += strange(128) ? " = " : "=";
      put_value(order[i]);
      if (strange(128)) out_ += ' ';
      if (strange(128)) out_ += '#';
      if (strange(256)) {
        out_ += ';';
        put_string(name);
        out_ += '=';
        put_value(order[i]);
      }
      const bool last = i + 1 == order.size();
      if (!last || below(2) == 0) out_ += strange(512) ? "" : ";";
    }
    out_ += "}";
    return out_;
  }

 private:
  uint64_t below(uint64_t count) { return random_() % count; }
  bool strange(uint64_t rare) { return unusual_ > 0 && below(rare * 4) < uint64_t(unusual_); }

  template <typename Text, typename Binary>
  void put(const Text& text, const Binary& binary) {
    char buffer[512];
    // Now and then in the other format.
    char* end = text_ != strange(64) ? text(buffer) : binary(buffer);
    out_.append(buffer, end);
  }
  void put_string(std::string_view value) {
    put([&](char* p) { return yson::write_text_string(p, value); },
        [&](char* p) { return yson::write_binary_string(p, value); });
  }
  void put_signed(int64_t value) {
    put([&](char* p) { return yson::write_text_int64(p, value); },
        [&](char* p) { return yson::write_binary_int64(p, value); });
  }
  void put_unsigned(uint64_t value) {
    put([&](char* p) { return yson::write_text_uint64(p, value); },
        [&](char* p) { return yson::write_binary_uint64(p, value); });
  }
  uint64_t any_size() { return random_() >> below(64); }

  void put_value(size_t column) {
    if (column != 0 && column != 2 && below(8) == 0) {
      out_ += '#';
      return;
    }
    if (strange(128)) {
      static constexpr std::array<const char*, 12> kStrange = {
          "%nan",  "+5", "00012", "1e3", "5.", "18446744073709551616u",
          "[1;2]", "-0", "x;y",   "{};", "\"", "18446744073709551615u"};
      out_ += kStrange[below(kStrange.size())];
      return;
    }
    std::string value;
    switch (column) {
      case 0:
        put_signed(static_cast<int64_t>(any_size()) * (below(2) == 0 ? 1 : -1));
        return;
      case 1:
        put_signed(static_cast<int64_t>(below(256)) - 128 + (strange(64) ? 200 : 0));
        return;
      case 2:
        put_unsigned(any_size());
        return;
      case 3:
        put_unsigned(below(65536) + (strange(64) ? 65536 : 0));
        return;
      case 4:
      case 9: {
        double real = column == 9 ? static_cast<double>(below(1000)) / 4
                                  : static_cast<double>(random_() >> below(60)) /
                                        static_cast<double>(uint64_t{1} << below(63));
        if (below(2) == 0) real = -real;
        put([&](char* p) { return yson::write_text_double(p, real); },
            [&](char* p) { return yson::write_binary_double(p, real); });
        return;
      }
      case 5: {
        const bool flag = below(2) == 0;
        put([&](char* p) { return yson::write_text_boolean(p, flag); },
            [&](char* p) { return yson::write_binary_boolean(p, flag); });
        return;
      }
      case 6:
        for (uint64_t left = below(24); left > 0; --left) value += "\"\\a;}={\n\xFFz"[below(11)];
        break;
      case 7: {
        static constexpr std::array<const char*, 8> kParts = {
            "abc", ";", "}", "\xD0\x96", "\"", "\\", "twelve_chars", "\n"};
        for (uint64_t left = below(7); left > 0; --left) value += kParts[below(kParts.size())];
        if (strange(64)) value += '\xFF';
        break;
      }
      default:
        put_unsigned(below(4291747200000000));
        return;
    }
    put_string(value);
  }

  std::mt19937_64 random_;
  bool text_;
  int unusual_;
  std::string out_;
};

struct Outcome {
  std::string rows;
  std::vector<std::string> refused;
};

void take(const hub::Batch& batch, const RowEncoder& encoder, size_t row, Outcome* outcome) {
  size_t next = 0;
  for (int64_t i = 0; i < batch.rows(); ++i) {
    if (next < batch.bad.size() && batch.bad[next].index == i) {
      const hub::BadRow& bad = batch.bad[next++];
      outcome->refused.push_back(std::to_string(row + static_cast<size_t>(i)) + " " +
                                 bad.error.message() + " " + bad.error.place().path.text() + " " +
                                 bad.source_bytes);
      continue;
    }
    yson::Buffer out;
    encoder.encode(batch.array, i, i + 1, 0, &out);
    outcome->rows += out.view();
  }
}

void expect_same(uint64_t seed, bool text, Keys keys, int unusual) {
  const TableSchema schema = parse_table_schema(kSchema);
  ValueOptions values;
  values.format = yson::Format::Binary;
  const RowEncoder encoder(schema, values);
  Rows make(seed, text, unusual);
  std::string all;
  Outcome expected;
  ReadOptions options;
  options.skip_bad_rows = true;
  size_t count = 0;
  for (int i = 0; i < 500; ++i) {
    const std::string row = make.row(keys) + (text ? ";\n" : ";");
    ASSERT_LT(row.size(), kLoneRow);
    try {
      hub::Batch batch = RowDecoder(schema, options).decode(row, 0);
      ASSERT_LE(batch.rows(), 1);
      take(batch, encoder, count, &expected);
      all += row;
      ++count;
    } catch (const Error&) {
      // Damage past the end of its row would change how the bytes after it are read.
    }
  }
  ASSERT_GT(count, 350u);
  for_each_processor([&] {
    for (const size_t batch_rows : {size_t{7}, size_t{100000}}) {
      Outcome found;
      options.batch_rows = static_cast<int64_t>(batch_rows);
      auto reader = read_rows(std::make_unique<WholeSource>(all), schema, options);
      size_t rows = 0;
      while (auto batch = reader->next()) {
        take(*batch, encoder, rows, &found);
        rows += static_cast<size_t>(batch->rows());
      }
      EXPECT_EQ(rows, count);
      EXPECT_EQ(found.rows, expected.rows);
      EXPECT_EQ(found.refused, expected.refused);
    }
  });
}

TEST(RowBlock, GivesTheRowsThatAreDecodedOneByOne) {
  for (uint64_t seed = 1; seed <= test::rounds(3); ++seed) {
    for (const bool text : {false, true}) {
      for (const Keys keys : {Keys::Ordered, Keys::Reversed, Keys::Shuffled}) {
        for (const int unusual : {0, 1, 8}) {
          SCOPED_TRACE(testing::Message() << "seed " << seed << ", text " << text << ", keys "
                                          << static_cast<int>(keys) << ", unusual " << unusual);
          expect_same(seed, text, keys, unusual);
        }
      }
    }
  }
}

TEST(RowBlock, TakesNoNullBehindAValueThatIsRefused) {
  const TableSchema schema = parse_table_schema(
      "<strict=%true>[{name=a;type_v3={type_name=optional;item=int8}};{name=b;type_v3={type_name="
      "optional;item=uint16}}]");
  const std::string good = "{\1\2a=\2\4;\1\2b=\6\4;};";
  std::string many;
  while (many.size() < 2 * kLoneRow) many += good;
  ReadOptions options;
  options.skip_bad_rows = true;
  for (const char* value : {"a=\2\xFF\xFF\1#", "b=\6\xFF\xFF\xFF\1#"}) {
    const std::string bad = std::string("{\1\2") + value + ";}";
    const hub::Batch batch = RowDecoder(schema, options).decode(many + bad + ";" + many, 0);
    ASSERT_EQ(batch.bad.size(), 1u);
    EXPECT_EQ(batch.bad[0].source_bytes, bad);
    EXPECT_EQ(batch.bad[0].index, static_cast<int64_t>(many.size() / good.size()));
  }
  // A varint without an end.
  for (const char* value : {"a=\2", "b=\6"}) {
    const std::string bad = std::string("{\1\2") + value + std::string(10, '\xFF') + "#;};";
    EXPECT_THROW(RowDecoder(schema, options).decode(many + bad + many, 0), Error);
  }
}

/// Rows of columns of every size of key, some of them absent, and strings up to some pages. A space
/// after the brace leaves a row to `decode_row`.
std::string long_row(std::mt19937_64& random, bool text, const std::vector<std::string>& names,
                     bool space) {
  yson::Buffer out;
  out.append('{');
  if (space) out.append(' ');
  for (size_t i = 0; i < names.size(); ++i) {
    const uint64_t chance = random() % 8;
    std::string value(random() % (chance == 0 ? 70 : 20), static_cast<char>('a' + i % 26));
    if (random() % 512 == 0) value.assign(random() % 20000, ';');
    const uint64_t number = random() >> random() % 64;
    if (chance == 1) continue;
    char* p = out.reserve(yson::max_text_string_bytes(value.size()) + 200);
    p = text ? yson::write_text_string(p, names[i]) : yson::write_binary_string(p, names[i]);
    *p++ = '=';
    if (i % 2 == 0) {
      p = text ? yson::write_text_string(p, value) : yson::write_binary_string(p, value);
    } else {
      p = text ? yson::write_text_uint64(p, number) : yson::write_binary_uint64(p, number);
    }
    *p++ = ';';
    out.set_end(p);
  }
  return std::string(out.view()) + "};\n";
}

TEST(RowBlock, TakesKeysAndStringsOfAnySize) {
  for (const size_t columns : {size_t{1}, size_t{5}, size_t{90}}) {
    std::vector<std::string> names;
    std::string columns_yson;
    for (size_t i = 0; i < columns; ++i) {
      names.push_back(std::string(1 + i * 7 % 70, static_cast<char>('A' + i % 26)) +
                      std::to_string(i));
      columns_yson += "{name=" + names.back() +
                      ";type_v3={type_name=optional;item=" + (i % 2 == 0 ? "utf8" : "uint64") +
                      "}};";
    }
    const TableSchema schema = parse_table_schema("<strict=%true>[" + columns_yson + "]");
    ValueOptions values;
    values.format = yson::Format::Binary;
    const RowEncoder encoder(schema, values);
    for (const bool text : {false, true}) {
      SCOPED_TRACE(testing::Message() << "columns " << columns << ", text " << text);
      std::array<std::string, 2> all;
      for (const bool space : {false, true}) {
        std::mt19937_64 random(columns);
        for (int i = 0; i < 600; ++i) all[space] += long_row(random, text, names, space);
      }
      Outcome expected;
      take(RowDecoder(schema, {}).decode(all[1], 0), encoder, 0, &expected);
      for_each_processor([&] {
        Outcome found;
        take(RowDecoder(schema, {}).decode(all[0], 0), encoder, 0, &found);
        EXPECT_EQ(found.rows, expected.rows);
      });
    }
  }
}

}  // namespace
}  // namespace xwalk::yt
