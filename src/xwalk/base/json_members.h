#pragma once

#include <string>
#include <string_view>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/json_reason.h"
#include "xwalk/base/nlohmann_json.h"

// Reading schemas that are JSON documents. Errors have the path of the field.
namespace xwalk {

using SchemaJson = nlohmann::ordered_json;

/// Throws Error (Input) with a path.
[[noreturn]] void fail_json(const Path& path, std::string message);

/// Returns at most 40 bytes of a value, in ASCII, for a message.
std::string shown_json(const SchemaJson& json);

/// Returns a member of an object. Throws Error (Input) for another value, and if it has none.
const SchemaJson& json_member(const SchemaJson& json, const char* key, const Path& path);

/// Returns a string; `what` is it called in the message. Throws Error (Input) for another value.
std::string json_string(const SchemaJson& json, const char* what, const Path& path);

/// Reads a document, which is an object, by a function. `form` is it called in messages: "an
/// Iceberg schema". Throws Error (Input).
template <typename Read>
auto read_json_object(std::string_view bytes, std::string_view form, Read read) {
  check_json_document(bytes, ErrorCode::Input);
  try {
    const SchemaJson json = SchemaJson::parse(bytes.begin(), bytes.end());
    if (!json.is_object()) fail_json({}, "expected an object, found " + shown_json(json));
    return read(json);
  } catch (const SchemaJson::parse_error& error) {
    throw Error(ErrorCode::Input, "expected JSON, found text that does not parse",
                place_in_text(bytes, error.byte == 0 ? 0 : error.byte - 1));
  } catch (const SchemaJson::exception& error) {
    std::string text = "not the JSON form of ";
    fail_json({}, text.append(form).append(": ").append(json_reason(error.what())));
  }
}

}  // namespace xwalk
