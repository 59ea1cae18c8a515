#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/lance/flat.h"
#include "xwalk/lance/type.h"
#include "xwalk/lance/written.h"

// Lance schemas made of the bytes of an input: nearly all keep the rules.

namespace xwalk::fuzz {

/// Types without children, some in another spelling than the canonical one.
inline constexpr std::array<std::string_view, 44> kLanceLeaves = {
    "int32",
    "string",
    "null",
    "bool",
    "int8",
    "int16",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "halffloat",
    "float",
    "double",
    "large_string",
    "binary",
    "large_binary",
    "fixed_size_binary:16",
    "date32:day",
    "date64:ms",
    "time32:s",
    "time32:ms",
    "time64:us",
    "time64:ns",
    "timestamp:s:-",
    "timestamp:us:UTC",
    "timestamp:ns:Europe/Berlin",
    "duration:ms",
    "decimal:128:20:4",
    "decimal:256:60:4",
    "fixed_size_list:float:3",
    "dict:string:int32:false",
    "fixed_size_list:lance.bfloat16:4",
    "blob",
    "json",
    "decimal:128:5:-2",
    "dict:large_string:int8:true",
    "timestamp:s:+01:00",
    "fixed_size_list:uint8:+2",
    "dict:int64:int64:false",
    "fixed_size_list:fixed_size_list:int8:2:3",
    "decimal:128:05:2",
    "timestamp:ms:no zone",
    "dict:binary:uint16:"};

inline constexpr std::array<std::string_view, 8> kLanceNames = {"a",   "b",   "c",      "d",
                                                                "a.b", "x y", "tick`s", "é"};

inline lance::Field lance_field(Choices* choices, int depth);

inline void add_lance_child(Choices* choices, int depth, std::string name, std::string_view type,
                            lance::Field* parent) {
  lance::Field child = lance_field(choices, depth + 1);
  if (!type.empty() && child.type.kind() != lance::Kind::Struct) {
    lance::Field around;
    lance::set_logical_type(type, &around);
    child.name = "a";
    around.children.push_back(std::move(child));
    child = std::move(around);
  }
  child.name = std::move(name);
  parent->children.push_back(std::move(child));
}

inline void set_lance_type(Choices* choices, int depth, lance::Field* field) {
  const size_t which = choices->below(64);
  if (depth > 3 || which < kLanceLeaves.size()) {
    return lance::set_logical_type(kLanceLeaves.at(which % kLanceLeaves.size()), field);
  }
  constexpr std::array<std::string_view, 8> kNested = {"struct",
                                                       "list",
                                                       "list.struct",
                                                       "large_list",
                                                       "large_list.struct",
                                                       "map",
                                                       "fixed_size_list:struct:2",
                                                       "struct"};
  const std::string_view type = kNested.at(which % kNested.size());
  lance::set_logical_type(type, field);
  if (type == "struct") {
    const size_t count = choices->below(4);
    for (size_t i = 0; i < count; ++i) {
      add_lance_child(choices, depth, std::string(kLanceNames.at(i)), "", field);
    }
  } else if (type == "map") {
    lance::Field entries;
    lance::set_logical_type("struct", &entries);
    entries.name = "entries";
    entries.nullable = false;
    add_lance_child(choices, depth, "key", "", &entries);
    entries.children.back().nullable = false;
    add_lance_child(choices, depth, "value", "", &entries);
    field->children.push_back(std::move(entries));
  } else if (type == "list" || type == "large_list") {
    add_lance_child(choices, depth, "item", "", field);
    // A list of structs is a type of its own.
    if (field->children[0].type.kind() == lance::Kind::Struct) {
      lance::set_logical_type(std::string(type) + ".struct", field);
    }
  } else {
    add_lance_child(choices, depth, "item", "struct", field);
  }
}

/// Makes a field without an id. A byte of the input chooses its other properties.
inline lance::Field lance_field(Choices* choices, int depth) {
  lance::Field field;
  const uint8_t beside = choices->byte();
  set_lance_type(choices, depth, &field);
  field.encoding = (beside & 1) != 0 ? static_cast<lance::Encoding>(choices->byte())
                                     : lance::default_encoding(field.type);
  field.nullable = (beside & 2) == 0;
  if ((beside & 4) != 0) field.metadata.set("k", std::string(choices->text()));
  if ((beside & 8) != 0 && field.children.empty()) {
    field.primary_key = true;
    field.primary_key_position = choices->byte() % 4;
  }
  if ((beside & 16) != 0) field.clustering_key_position = choices->byte();
  if ((beside & 32) != 0) field.dictionary = std::string(choices->text());
  // A field 100 of the message, a number.
  if ((beside & 64) != 0) field.unknown = {'\xa0', '\x06', '\x05'};
  if ((beside & 128) != 0) field.metadata.set("ARROW:extension:name", "é\"\\\n\t\r");
  return field;
}

/// Assigns ids from 0 with a step, from the last field to the first if it is negative.
inline void give_lance_ids(int32_t step, int32_t* next, std::vector<lance::Field>* fields) {
  for (lance::Field& field : *fields) {
    field.id = *next;
    *next += step;
    give_lance_ids(step, next, &field.children);
  }
}

inline lance::Schema lance_schema(Choices* choices) {
  lance::Schema schema;
  const uint8_t kind = choices->byte();
  const size_t count = 1 + kind % 4;
  for (size_t i = 0; i < count; ++i) {
    lance::Field field = lance_field(choices, 0);
    field.name = (kind & 16) != 0 ? choices->text() : kLanceNames.at(i);
    schema.fields.push_back(std::move(field));
  }
  if ((kind & 4) != 0) schema.metadata.set(std::string(choices->text()), "\x01\xff\"");
  int32_t next = 0;
  give_lance_ids(1 + (kind >> 6), &next, &schema.fields);
  return schema;
}

}  // namespace xwalk::fuzz
