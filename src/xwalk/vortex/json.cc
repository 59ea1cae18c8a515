#include "xwalk/vortex/json.h"

// The JSON form.

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/json.h"
#include "xwalk/base/json_reason.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"

namespace xwalk::vortex {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const DType& type) {
  Json json = {{"type", kind_row(type.kind()).name}};
  auto members = [&](const char* key) {
    json[key] = Json::array();
    for (size_t i = 0; i < type.members().size(); ++i) {
      Json member = {{"name", type.members()[i].name}, {"dtype", to_json(type.members()[i].type)}};
      if (type.kind() == Kind::Union) member["type_id"] = type.type_ids()[i];
      json[key].push_back(std::move(member));
    }
  };
  switch (type.kind()) {
    case Kind::Null:
    case Kind::Bool:
    case Kind::Utf8:
    case Kind::Binary:
    case Kind::Variant:
      break;
    case Kind::Primitive:
      json["ptype"] = ptype_name(type.ptype());
      break;
    case Kind::Decimal:
      json["precision"] = type.precision();
      json["scale"] = type.scale();
      break;
    case Kind::Struct:
      members("fields");
      break;
    case Kind::Union:
      members("variants");
      break;
    case Kind::List:
      json["element"] = to_json(type.element());
      break;
    case Kind::FixedSizeList:
      json["element"] = to_json(type.element());
      json["size"] = type.size();
      break;
    case Kind::Extension:
      json["id"] = type.id();
      json["storage"] = to_json(type.storage());
      json["metadata"] = to_hex(type.metadata());
      break;
    case Kind::Map:
      json["key"] = to_json(type.key());
      json["value"] = to_json(type.value());
      json["keys_sorted"] = type.keys_sorted();
      break;
  }
  if (type.kind() != Kind::Null && type.kind() != Kind::Extension) {
    json["nullable"] = type.nullable();
  }
  return json;
}

std::string shown(const Json& json) {
  return clipped(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

int64_t integer(const Json& json, std::string_view what, int64_t low, int64_t high) {
  // An unsigned number beyond int64 would be read as a negative one.
  const bool fits =
      json.is_number_integer() && !(json.is_number_unsigned() && json.get<uint64_t>() > INT64_MAX);
  if (!fits || json.get<int64_t>() < low || json.get<int64_t>() > high) {
    throw Error(ErrorCode::Input, fmt::format("expected {} as an integer from {} to {}, found {}",
                                              what, low, high, shown(json)));
  }
  return json.get<int64_t>();
}

DType from_json(const Json& json, int depth) {
  if (depth > limits::kSchemaDepth) {
    throw Error(ErrorCode::Input,
                fmt::format("expected at most {} nested types", limits::kSchemaDepth));
  }
  const std::string& kind = json.at("type").get_ref<const std::string&>();
  bool nullable = json.value("nullable", false);
  auto child = [&](const char* key) { return from_json(json.at(key), depth + 1); };
  const auto row = std::ranges::find(kKindRows, std::string_view(kind), &KindRow::name);
  if (row == kKindRows.end()) {
    throw Error(ErrorCode::Unsupported,
                fmt::format("DType variant {} is not known", xwalk::quoted(kind)));
  }
  std::vector<uint8_t> ids;
  auto members = [&](const char* key) {
    std::vector<Member> out;
    for (const Json& member : json.at(key)) {
      if (row->kind == Kind::Union) {
        const Json id = member.value("type_id", Json(ids.size()));
        ids.push_back(static_cast<uint8_t>(integer(id, "a type id", 0, 255)));
      }
      out.push_back(
          {member.at("name").get<std::string>(), from_json(member.at("dtype"), depth + 1)});
    }
    return out;
  };
  switch (row->kind) {
    case Kind::Null:
    case Kind::Bool:
    case Kind::Utf8:
    case Kind::Binary:
    case Kind::Variant:
      return DType::plain(row->kind, nullable);
    case Kind::Primitive:
      for (const PrimitiveRow& primitive : kPrimitiveRows) {
        if (json.at("ptype") == primitive.name) return DType::primitive(primitive.ptype, nullable);
      }
      throw Error(ErrorCode::Unsupported,
                  fmt::format("PType {} is not known", shown(json.at("ptype"))));
    case Kind::Decimal:
      return DType::decimal(static_cast<int>(integer(json.at("precision"), "precision", 0, 255)),
                            static_cast<int>(integer(json.at("scale"), "scale", -128, 127)),
                            nullable);
    case Kind::Struct:
      return DType::struct_(members("fields"), nullable);
    case Kind::Union: {
      auto variants = members("variants");
      return DType::union_(std::move(variants), std::move(ids), nullable);
    }
    case Kind::List:
      return DType::list(child("element"), nullable);
    case Kind::FixedSizeList:
      return DType::fixed_size_list(
          child("element"), static_cast<uint32_t>(integer(json.at("size"), "size", 0, UINT32_MAX)),
          nullable);
    case Kind::Extension:
      return DType::extension(json.at("id").get<std::string>(), child("storage"),
                              from_hex(json.value("metadata", std::string())));
    case Kind::Map:
      return DType::map(child("key"), child("value"), json.value("keys_sorted", false), nullable);
  }
  throw Error(ErrorCode::Internal, "a kind without a reader");
}

}  // namespace

std::string write_json(const DType& type, int indent) { return to_json(type).dump(indent); }

DType read_json(std::string_view text) {
  check_json_document(text, ErrorCode::Input);
  try {
    return from_json(Json::parse(text.begin(), text.end()), 0);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorCode::Input, "expected JSON, found text that does not parse",
                place_in_text(text, error.byte == 0 ? 0 : error.byte - 1));
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::Input,
                fmt::format("not the JSON form of a DType: {}", json_reason(error.what())));
  }
}

}  // namespace xwalk::vortex
