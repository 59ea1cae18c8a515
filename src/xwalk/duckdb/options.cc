#include "xwalk/duckdb/options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/convert/named_options.h"
#include "xwalk/duckdb/table_function.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/option_names.h"

namespace xwalk::duckdb {
namespace {

using Json = nlohmann::json;

Json list_of(duckdb_value value, duckdb_value (*item)(duckdb_value, idx_t), idx_t size) {
  Json out = Json::array();
  for (idx_t i = 0; i < size; ++i) out.push_back(json_of(Value(item(value, i)).get()));
  return out;
}

Json struct_of(duckdb_value value, duckdb_logical_type type) {
  Json out = Json::object();
  for (idx_t i = 0; i < duckdb_struct_type_child_count(type); ++i) {
    const OwnedText name(duckdb_struct_type_child_name(type, i));
    out[name.get()] = json_of(Value(duckdb_get_struct_child(value, i)).get());
  }
  return out;
}

Json map_of(duckdb_value value) {
  Json out = Json::object();
  for (idx_t i = 0; i < duckdb_get_map_size(value); ++i) {
    const Value key(duckdb_get_map_key(value, i));
    out[read_text(key.get())] = json_of(Value(duckdb_get_map_value(value, i)).get());
  }
  return out;
}

constexpr const char* kRequireSchema = "xwalk_require_schema";

struct DestroyConfigOption {
  void operator()(duckdb_config_option* option) const { duckdb_destroy_config_option(option); }
};
using ConfigOption = Owned<duckdb_config_option, DestroyConfigOption>;

/// Returns the text of a value of any type.
std::string text_of(duckdb_value value) { return OwnedText(duckdb_get_varchar(value)).get(); }

}  // namespace

Json json_of(duckdb_value value) {
  if (value == nullptr || duckdb_is_null_value(value)) return nullptr;
  // The type belongs to the value.
  duckdb_logical_type type = duckdb_get_value_type(value);
  switch (duckdb_get_type_id(type)) {
    case DUCKDB_TYPE_BOOLEAN:
      return duckdb_get_bool(value);
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT: {
      // The library tells negative numbers apart by their sign alone.
      const int64_t number = duckdb_get_int64(value);
      return number < 0 ? Json(number) : Json(static_cast<uint64_t>(number));
    }
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER:
    case DUCKDB_TYPE_UBIGINT:
      return duckdb_get_uint64(value);
    case DUCKDB_TYPE_FLOAT:
    case DUCKDB_TYPE_DOUBLE:
    case DUCKDB_TYPE_DECIMAL:
      return duckdb_get_double(value);
    case DUCKDB_TYPE_VARCHAR:
      return text_of(value);
    case DUCKDB_TYPE_LIST:
      return list_of(value, duckdb_get_list_child, duckdb_get_list_size(value));
    case DUCKDB_TYPE_STRUCT:
      return struct_of(value, type);
    case DUCKDB_TYPE_MAP:
      return map_of(value);
    default:
      throw Error(ErrorCode::Usage,
                  fmt::format("expected a text, a number, a boolean, a list, a struct or a map, "
                              "found {}",
                              text_of(value)));
  }
}

std::string read_text(duckdb_value value) {
  const Json json = json_of(value);
  if (!json.is_string()) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected a path or a list of paths, found {}", json.dump()));
  }
  return json.get<std::string>();
}

std::vector<std::string> read_texts(duckdb_value value) {
  const Json json = json_of(value);
  if (!json.is_array()) return {read_text(value)};
  std::vector<std::string> out;
  for (const Json& item : json) {
    if (!item.is_string()) {
      throw Error(ErrorCode::Usage, fmt::format("expected a list of paths, found {}", json.dump()));
    }
    out.push_back(item.get<std::string>());
  }
  if (out.empty()) throw Error(ErrorCode::Usage, "expected a path, found an empty list");
  return out;
}

void register_settings(duckdb_connection connection) {
  const ConfigOption option(duckdb_create_config_option());
  duckdb_config_option_set_name(option.get(), kRequireSchema);
  duckdb_config_option_set_type(option.get(),
                                LogicalType(duckdb_create_logical_type(DUCKDB_TYPE_BOOLEAN)).get());
  duckdb_config_option_set_default_value(option.get(), Value(duckdb_create_bool(false)).get());
  duckdb_config_option_set_description(
      option.get(), "xwalk refuses rows without a schema instead of inferring one");
  if (duckdb_register_config_option(connection, option.get()) == DuckDBError) {
    throw Error(ErrorCode::Internal, "DuckDB refuses a setting of xwalk");
  }
}

void add_named_options(duckdb_table_function function) {
  const LogicalType any(duckdb_create_logical_type(DUCKDB_TYPE_ANY));
  for (const io::NamedOption& option : io::named_options()) {
    const std::string name(hub::to_string(option.option));
    duckdb_table_function_add_named_parameter(function, name.c_str(), any.get());
  }
  // DuckDB itself would only list all options.
  for (const hub::OtherName& other : hub::other_option_names()) {
    duckdb_table_function_add_named_parameter(function, std::string(other.name).c_str(), any.get());
  }
}

io::ConvertOptions read_options(duckdb_bind_info info) {
  Json given = Json::object();
  for (const hub::OtherName& other : hub::other_option_names()) {
    const std::string name(other.name);
    const Value value(duckdb_bind_get_named_parameter(info, name.c_str()));
    if (!value) continue;
    throw Error(ErrorCode::Usage, fmt::format("unknown option {}", name), {},
                fmt::format("Did you mean {}?", hub::mention(other.option, other.value)));
  }
  for (const io::NamedOption& option : io::named_options()) {
    const std::string name(hub::to_string(option.option));
    const Value value(duckdb_bind_get_named_parameter(info, name.c_str()));
    if (value) given[name] = json_of(value.get());
  }
  io::ConvertOptions options =
      io::read_named_options(given.dump(), io::OptionTexts::Parsed, hub::Interface::Sql);
  if (!options.given.contains(hub::Option::RequireSchema)) {
    const Context context = context_of(info);
    const Value setting(
        duckdb_client_context_get_config_option(context.get(), kRequireSchema, nullptr));
    options.input.require_schema = setting && duckdb_get_bool(setting.get());
  }
  return options;
}

}  // namespace xwalk::duckdb
