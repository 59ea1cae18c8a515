#include "mutations.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace xwalk::vectors {
namespace {

/// A field of a kind (of all kinds: "") or of one case, and everything below it. A name that ends
/// in `*` is a prefix.
struct Known {
  std::string_view kind;
  std::string_view field;
  std::string_view reason;
};

/// Fields that are not compared, and why.
constexpr auto kNotCompared = std::to_array<Known>({
    {"", "id", "a name"},
    {"", "name", "a name"},
    {"", "how", "where the case comes from"},
    {"", "note*", "prose"},
    {"", "error*", "the running system's message; ours are in refusals.txt"},
    {"", "living*", "the living system, where it differs"},
    {"arrow_to_lance", "arrow_schema", "the input as pyarrow prints it"},
    {"arrow_to_lance", "from_arrow/error", "the running system's message"},
    {"arrow_to_lance", "write", "files of the living system, a version of the format each"},
    {"arrow_to_vortex", "arrow_schema", "the input as pyarrow prints it"},
    {"arrow_to_vortex", "dtype_from_arrow_*",
     "the running system's message; the type itself is compared"},
    {"arrow_to_vortex", "dtype_to_arrow_*", "pyarrow's schema of a nullable root"},
    {"arrow_to_vortex", "write/dtype_proto_equals_independent_encoder", "of who made the case"},
    {"arrow_to_vortex", "write/dtype", "dtype_shown as a tree"},
    {"arrow_to_vortex", "write/error", "the running system's message"},
    {"arrow_to_vortex", "write/read_back_equal", "values of the living system"},
    {"arrow_to_vortex", "write/segments", "a file of the living system"},
    {"decimal_binary_validation", "printed_text",
     "of what is refused: the living system prints it"},
    {"dtype_flatbuffer_parse", "dtype_dict", "the input as a tree"},
    {"dtype_flatbuffer_parse", "result/error", "the running system's message"},
    {"dtype_proto_parse", "result/error", "the running system's message"},
    {"parquet_file", "annotations", "how the file was made"},
    {"parquet_file", "expected_arrow", "expect_arrow is what is expected of us"},
    {"parquet_file", "expected_rows_note", "prose"},
    {"parquet_file", "footer_tweaked", "how the file was made"},
    {"parquet_file", "out_of_spec", "prose"},
    {"parquet_file", "physical_rows", "how the file was made"},
    {"parquet_file", "readers", "what others read"},
    {"parquet_file", "rule", "prose"},
    {"proto_to_arrow", "kind_of_case", "a name"},
    {"proto_to_arrow", "logical_type", "the text of the message, prose"},
    {"proto_to_arrow", "result/error", "the running system's message"},
    {"proto_to_arrow", "result/reser_equal", "whether the two messages of the case are equal"},
    {"proto_to_arrow", "result/stage", "of the living system"},
    {"skiff_logical_error", "input", "not read if the schemas are refused"},
    {"skiff_schema-038", "registry", "not read: the reference is no reference"},
    {"skiff_schema-032", "fields", "the living system reads the schema and cannot use it"},
    {"skiff_schema-032", "has_other_columns",
     "the living system reads the schema and cannot use it"},
    {"skiff_structured", "roundtrip", "prose"},
    {"tz-004", "bytes_*", "the zone, after an integer that is refused"},
    {"tz-004", "skiff_*", "the zone, after an integer that is refused"},
    {"tz-004", "zone*", "after an integer that is refused"},
    {"tz-009", "bytes_*", "the zone, after an integer that is refused"},
    {"tz-009", "skiff_*", "the zone, after an integer that is refused"},
    {"tz-009", "zone*", "after an integer that is refused"},
    {"vortex.arrow_to_vortex-081", "dtype_from_arrow", "no file can have the type"},
    {"vortex.arrow_to_vortex-134", "dtype_from_arrow", "no file can have the type"},
    {"vortex.arrow_to_vortex-185", "dtype_from_arrow", "no file can have the type"},
    {"yson_parse_ok", "input", "input_hex for people"},
    {"yson_parse_error", "input", "input_hex for people"},
});

/// Fields that a check reads as input. It must fail if they are missing.
constexpr auto kInputs = std::to_array<Known>({
    {"", "kind", "the check"},
    {"", "type_v3", ""},
    {"", "skiff_schema", ""},
    {"", "skiff_schemas", ""},
    {"arrow_to_lance", "arrow_ipc_schema_b64", ""},
    {"arrow_to_vortex", "arrow_ipc_schema_b64", ""},
    {"column_schema", "input", ""},
    {"decimal", "precision", ""},
    {"decimal", "scale", ""},
    {"decimal", "text", ""},
    {"decimal_binary_validation", "binary_hex", ""},
    {"decimal_binary_validation", "precision", ""},
    {"decimal_binary_validation", "scale", ""},
    {"decimal_text_error", "precision", ""},
    {"decimal_text_error", "scale", ""},
    {"decimal_text_error", "text", ""},
    {"dtype_flatbuffer_parse", "flatbuffer_hex", ""},
    {"dtype_proto_parse", "proto_hex", ""},
    {"proto_to_arrow", "protos", ""},
    {"short_notation_parse", "input", ""},
    {"skiff_decode", "hex", ""},
    {"skiff_logical", "positional_yson_text", ""},
    {"skiff_schema", "registry", ""},
    {"skiff_schema", "schema", ""},
    {"type_v3_invalid", "input", ""},
    {"yson_parse_error", "input_hex", ""},
    {"yson_parse_ok", "input_hex", ""},
});

bool names(const Known& known, const Json& vector, std::string_view field) {
  const auto is = [&](const char* name) { return known.kind == vector.value(name, ""); };
  if (!known.kind.empty() && !is("kind") && !is("id")) return false;
  if (known.field.ends_with('*')) {
    return field.starts_with(known.field.substr(0, known.field.size() - 1));
  }
  return field == known.field ||
         (field.starts_with(known.field) && field[known.field.size()] == '/');
}

template <typename List>
const Known* find(const List& list, const Json& vector, std::string_view field) {
  auto found =
      std::ranges::find_if(list, [&](const Known& known) { return names(known, vector, field); });
  return found == list.end() ? nullptr : &*found;
}

bool is_hex(const std::string& text) {
  return text.size() >= 2 && text.size() % 2 == 0 &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

std::vector<Json> changed(const std::string& text, bool number) {
  if (number) return {text + "7", "1" + text};
  std::vector<std::string> out;
  if (is_hex(text)) {
    for (size_t at : {size_t{1}, text.size() / 2, text.size() - 1}) {
      out.push_back(text);
      out.back()[at] = text[at] == '0' ? '1' : '0';
    }
    out.push_back(text + "00");
    out.push_back(text.substr(0, text.size() - 2));
  } else {
    out.push_back(text + "x");
    if (!text.empty()) {
      // A byte of a longer character would be no text any more.
      if (is_ascii(text.front())) out.push_back(text.substr(1));
      const size_t middle = text.size() / 2;
      if (is_ascii(text[middle])) {
        out.push_back(text);
        out.back()[middle] = text[middle] == 'x' ? 'y' : 'x';
      }
    }
  }
  return {out.begin(), out.end()};
}

std::vector<Json> changed(const Json& value, std::string_view field) {
  switch (value.type()) {
    case Json::value_t::boolean:
      return {!value.get<bool>()};
    case Json::value_t::number_integer: {
      const auto number = value.get<int64_t>();
      std::vector<Json> out;
      if (number != std::numeric_limits<int64_t>::max()) out.emplace_back(number + 1);
      if (number != std::numeric_limits<int64_t>::min()) out.emplace_back(number - 1);
      return out;
    }
    case Json::value_t::number_unsigned:
      return {value.get<uint64_t>() + 1};
    case Json::value_t::string:
      return changed(value.get<std::string>(), field.ends_with("/number"));
    case Json::value_t::array: {
      if (value.empty()) return {Json::array({1})};
      Json more = value;
      more.push_back(value.back());
      Json less = value;
      less.erase(less.size() - 1);
      return {more, less};
    }
    case Json::value_t::object:
      if (value.empty()) return {{{"x", "x"}}};
      return {};
    case Json::value_t::null:
      return {1};
    default:
      return {};
  }
}

/// Calls `visit` with the field (its names, without the places in arrays) and the pointer of a
/// value and of all below it.
void walk(const Json& value, const std::string& field, const Json::json_pointer& at,
          const std::function<void(const std::string&, const Json::json_pointer&)>& visit) {
  if (!field.empty()) visit(field, at);
  if (value.is_array()) {
    for (size_t i = 0; i < value.size(); ++i) walk(value[i], field, at / i, visit);
  } else if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      walk(member, field.empty() ? name : fmt::format("{}/{}", field, name), at / name, visit);
    }
  }
}

}  // namespace

void Mutations::try_all(const Json& vector, const std::function<bool(const Json&)>& passes) {
  if (step_ == 0) return;
  auto seen = [&](const Json::json_pointer& at, const Json& value) {
    ++tried_;
    Json mutated = vector;
    mutated[at] = value;
    try {
      return !passes(mutated);
    } catch (const Mismatch&) {
      return true;
    } catch (const std::exception&) {
      return true;
    }
  };
  walk(vector, "", Json::json_pointer(),
       [&](const std::string& field, const Json::json_pointer& at) {
         if (find(kNotCompared, vector, field) != nullptr) return;
         const Json& whole = vector.at(at);
         std::vector<Json> values;
         if (const Known* input = find(kInputs, vector, field)) {
           // The values below are read with it.
           if (input->field == field && !whole.is_null()) values.emplace_back(nullptr);
         } else {
           values = changed(whole, field);
         }
         for (const Json& value : values) {
           if (count_++ % step_ != 0) continue;
           if (!seen(at, value)) {
             unseen_.emplace(fmt::format("{} {}", vector.value("kind", "?"), field),
                             fmt::format("{}: {} instead of {}", vector.value("id", "?"),
                                         value.dump(), whole.dump()));
           }
         }
       });
}

int Mutations::report() const {
  for (const auto& [field, example] : unseen_) {
    std::cout << fmt::format("{}: not compared: {}\n", field, example.substr(0, 300));
  }
  std::cout << fmt::format("{} changes of fields, unseen in {} fields\n", tried_, unseen_.size());
  return static_cast<int>(unseen_.size());
}

}  // namespace xwalk::vectors
