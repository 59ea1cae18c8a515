#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/type.h"
#include "xwalk/lance/type.h"

namespace xwalk::lance {

/// One field with its children. Ids link the flat list of the wire; here children stand inside.
struct Field {
  std::string name;
  int32_t id = -1;
  LogicalType type;
  /// The string as it was read, if it is not the canonical one; else "".
  std::string spelling;
  bool nullable = true;
  /// Values are bytes that need not be UTF-8.
  hub::Metadata metadata;
  bool primary_key = false;
  /// 1-based; 0 for a key ordered by field id.
  uint32_t primary_key_position = 0;
  /// 1-based; 0 for none.
  uint32_t clustering_key_position = 0;
  Encoding encoding = Encoding::None;
  /// The deprecated dictionary message, verbatim.
  std::optional<std::string> dictionary;
  /// Fields of the message that this version does not know, verbatim.
  std::string unknown;
  std::vector<Field> children;

  friend bool operator==(const Field&, const Field&) = default;
};

/// Top-level fields and the metadata of the whole.
struct Schema {
  std::vector<Field> fields;
  hub::Metadata metadata;

  friend bool operator==(const Schema&, const Schema&) = default;
};

/// Returns the encoding that writers put beside a type.
Encoding default_encoding(const LogicalType& type);

/// Gives ids from 0 in depth-first order (specification, "Field ID Assignment").
void assign_ids(Schema* schema);
/// Returns the highest id, -1 if there is no field.
int32_t max_field_id(const Schema& schema);

/// Reads the flat list of Field messages. Parents must stand before their children; a top-level
/// field says parent -1. Throws Error (Input) with the field's name.
Schema read_fields(const std::vector<std::string>& messages);
/// Writes it: depth-first, type always 0, explicit -1 parents, metadata in its order.
std::vector<std::string> write_fields(const Schema& schema);

/// Reads and writes the `lance.file.Schema` message: fields and metadata.
Schema read_protobuf(std::string_view bytes);
std::string write_protobuf(const Schema& schema);

/// Parses the text form of the specification's examples: `Field { … }` blocks, flat with
/// `parent_id` or nested with `children: [ … ]`, and `metadata { key: "k" value: "v" }`. Ids may be
/// left out of all fields: then they are given depth-first. A field that does not say `nullable`
/// is. Throws Error (Input) with line, column and a caret.
Schema parse_text(std::string_view text);
/// Prints the flat text form: type PARENT, REPEATED or LEAF, and the logical type beside it.
std::string print_text(const Schema& schema);

/// Reads and writes the JSON form: {"fields":[{"id":0,"name":"a",…,"parent_id":-1}],"metadata":{}}.
/// Reading takes `children` too. Bytes that are not UTF-8 are {"hex": …}.
Schema read_json(std::string_view text);
std::string write_json(const Schema& schema, int indent = 2);

}  // namespace xwalk::lance
