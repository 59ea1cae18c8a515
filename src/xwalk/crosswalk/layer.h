#pragma once

#include <string>
#include <string_view>

#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

using hub::Child;

/// Returns the type without its children's types and metadata: one layer. Members keep their names.
hub::Type own_layer(const hub::Type& type);

/// Returns the same without the members of structs and unions, which are compared one by one.
hub::Type bare_layer(const hub::Type& type);

/// Returns the text of a type without the field's name and the semicolon of Parquet's notation:
/// `optional int64 (TIMESTAMP(MICROS,true))`.
std::string without_field_name(std::string_view text);
/// Returns the text of a type with another name of the field; texts without one stay as they are.
std::string with_field_name(std::string text, std::string_view name);

/// Returns the same for people: of a CRS in PROJJSON only its code or name.
std::string shown_type(std::string_view text);

/// Returns the type of a field with `…` instead of its children's types: `List<…>`. `text` is its
/// whole type_text.
std::string layer_text(System system, const hub::Field& field, std::string_view text);
/// The same where the type_text of the first child, of a map its key, is known.
std::string layer_text(const hub::Field& field, std::string_view text, std::string_view child);

/// Returns the type without properties of its layout: large offsets, views.
hub::Type without_layout(const hub::Type& type);

/// Returns true if two fields store values alike, at every depth: types and extensions are the
/// same, nullability, notes and layouts aside.
bool has_type(const hub::Field& a, const hub::Field& b);

/// Returns true if at most the layouts of two fields differ, and the notes on them (`xwalk:arrow`),
/// at every depth: every value of one is one of the other.
bool is_other_layout(const hub::Field& a, const hub::Field& b);

}  // namespace xwalk::crosswalk
