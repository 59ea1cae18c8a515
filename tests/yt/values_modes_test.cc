#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "random_type.h"
#include "random_value.h"
#include "stored_form.h"
#include "tests/rounds.h"
#include "xwalk/base/error.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/validate.h"

namespace xwalk::yt {
namespace {

using yson::Format;
using yson::Node;

ValueOptions random_options(testing::RandomValues* random) {
  ValueOptions options;
  options.complex_type_mode =
      random->below(2) == 0 ? ComplexTypeMode::Named : ComplexTypeMode::Positional;
  options.string_keyed_dict_mode = random->below(2) == 0 ? DictMode::Named : DictMode::Positional;
  options.decimal_mode = random->below(2) == 0 ? DecimalMode::Text : DecimalMode::Binary;
  options.time_mode = random->below(2) == 0 ? TimeMode::Text : TimeMode::Binary;
  options.uuid_mode = static_cast<UuidMode>(random->below(3));
  options.uuid_order = random->below(2) == 0 ? UuidOrder::Rfc : UuidOrder::Raw;
  options.format = static_cast<Format>(random->below(3));
  return options;
}

/// True where the living system's decimal text cannot be read back: the zero in front of the point
/// counts as a digit that decimal(p, p) has no room for.
bool has_full_scale_decimal(const Type& type) {
  switch (type.kind()) {
    case TypeKind::Decimal:
      return type.precision() == type.scale();
    case TypeKind::Optional:
    case TypeKind::List:
    case TypeKind::Tagged:
      return has_full_scale_decimal(type.item());
    case TypeKind::Dict:
      return has_full_scale_decimal(type.key()) || has_full_scale_decimal(type.value());
    case TypeKind::Struct:
    case TypeKind::Tuple:
    case TypeKind::Variant:
      return std::any_of(type.members().begin(), type.members().end(),
                         [](const Member& member) { return has_full_scale_decimal(member.type); });
    default:
      return false;
  }
}

/// Puts the columns of each row into another order.
std::string shuffled(const std::vector<Node::Map>& rows, Format format,
                     testing::RandomValues* random) {
  std::vector<Node> out;
  for (Node::Map row : rows) {
    for (size_t i = row.size(); i > 1; --i) std::swap(row[i - 1], row[random->below(i)]);
    out.push_back(Node::map(std::move(row)));
  }
  return yson::print_list_fragment(out, format);
}

std::string print_rows(const std::vector<Node::Map>& rows, Format format) {
  std::vector<Node> out;
  for (const Node::Map& row : rows) out.push_back(Node::map(row));
  return yson::print_list_fragment(out, format);
}

std::string encode(const RowEncoder& encoder, const hub::Batch& batch) {
  yson::Buffer out;
  encoder.encode(batch.array, 0, batch.rows(), 0, &out);
  return std::string(out.view());
}

// Two implementations that share no code for structure: the compiled codec, through Arrow, and the
// conversion of trees.
TEST(EveryMode, CodecAndTreesAgreeBothWays) {
  testing::RandomTypes types(21);
  testing::RandomValues random(22);
  unsigned compared = 0;
  for (unsigned turn = 0; turn < test::rounds(4000); ++turn) {
    TableSchema schema;
    schema.columns.emplace_back("id", Type(TypeKind::Int64));
    for (uint64_t i = 1 + random.below(3); i > 0; --i) {
      schema.columns.emplace_back("c" + std::to_string(i), types.type(3));
    }
    ValueOptions options = random_options(&random);
    bool refused =
        std::any_of(schema.columns.begin(), schema.columns.end(), [&](const ColumnSchema& column) {
          return options.decimal_mode == DecimalMode::Text && has_full_scale_decimal(column.type);
        });
    if (refused) continue;
    ReadOptions read;
    read.values = options;
    ReadOptions read_stored;
    read_stored.values = stored_form();
    read_stored.values.uuid_order = options.uuid_order;
    std::optional<RowDecoder> decoder;
    try {
      decoder.emplace(schema, read);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::Unsupported);
      continue;
    }
    std::vector<Node::Map> stored;
    std::vector<Node::Map> written;
    for (int row = 0; row < 4; ++row) {
      stored.emplace_back();
      written.emplace_back();
      for (const ColumnSchema& column : schema.columns) {
        Node value = random.value(column.type);
        written.back().emplace_back(column.name, from_stored(column.type, value, options));
        stored.back().emplace_back(column.name, std::move(value));
      }
    }
    std::string about;
    for (const ColumnSchema& column : schema.columns) about += print_short(column.type) + "\n";
    SCOPED_TRACE(about + print_format(options) + "\n" + print_rows(written, Format::Text));
    ++compared;
    RowEncoder encoder(schema, options);
    RowEncoder stored_encoder(schema, read_stored.values);
    for (Format format : {Format::Text, Format::Binary, Format::Pretty}) {
      hub::Batch batch = decoder->decode(print_rows(written, format), 0);
      ASSERT_EQ(encode(encoder, batch), print_rows(written, options.format));
      ASSERT_EQ(encode(stored_encoder, batch), print_rows(stored, read_stored.values.format));
      batch = decoder->decode(shuffled(written, format, &random), 0);
      ASSERT_EQ(encode(encoder, batch), print_rows(written, options.format));
    }
    RowDecoder stored_decoder(schema, read_stored);
    hub::Batch batch = stored_decoder.decode(print_rows(stored, Format::Binary), 0);
    ASSERT_EQ(encode(encoder, batch), print_rows(written, options.format));
  }
  EXPECT_GT(compared, test::rounds(2000));
}

// What skip_null_values leaves out comes back as null, at any depth of named structs.
TEST(EveryMode, SkippedNullsComeBack) {
  testing::RandomTypes types(31);
  testing::RandomValues random(32);
  for (int turn = 0; turn < 1500; ++turn) {
    TableSchema schema;
    schema.columns.emplace_back("c", types.type(3));
    ReadOptions read;
    read.values.skip_null_values = true;
    if (turn % 2 == 0) read.values.complex_type_mode = ComplexTypeMode::Positional;
    std::optional<RowDecoder> decoder;
    try {
      decoder.emplace(schema, read);
    } catch (const Error&) {
      continue;
    }
    Node value = random.value(schema.columns[0].type);
    Node whole = from_stored(schema.columns[0].type, value, ValueOptions{});
    SCOPED_TRACE(print_short(schema.columns[0].type) + "\n" + yson::print(whole));
    ReadOptions read_named;
    RowDecoder named(schema, read_named);
    std::vector<Node::Map> rows = {{{"c", whole}}};
    std::string skipped =
        encode(RowEncoder(schema, read.values), named.decode(print_rows(rows, Format::Text), 0));
    hub::Batch back = decoder->decode(skipped, 0);
    ASSERT_EQ(encode(RowEncoder(schema, ValueOptions{}), back), print_rows(rows, Format::Text));
  }
}

}  // namespace
}  // namespace xwalk::yt
