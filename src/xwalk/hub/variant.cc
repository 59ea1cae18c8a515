#include "xwalk/hub/variant.h"

#include <algorithm>

#include "xwalk/hub/builder.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/value_at.h"
#include "xwalk/variant/sorted_json.h"
#include "xwalk/variant/transcode.h"
#include "xwalk/variant/writer.h"
#include "xwalk/yson/writer.h"

namespace xwalk::hub {

Type variant_type() {
  return struct_({Field("metadata", Kind::Binary, false), Field("value", Kind::Binary, false)});
}

bool is_variant(const Field& field) {
  if (field.extension_name() != kVariantExtension || field.type.kind() != Kind::Struct)
    return false;
  const auto& children = field.type.children();
  if (children.size() != 2) return false;
  const size_t metadata = children[0].name == "metadata" ? 0 : 1;
  return children[metadata].name == "metadata" && children[1 - metadata].name == "value" &&
         is_binary(children[0].type.kind()) && is_binary(children[1].type.kind());
}

variant::Encoded variant_at(const Array& array, const Type& type, int64_t index) {
  variant::Encoded out;
  for (size_t i = 0; i < type.children().size(); ++i) {
    const Array& bytes = array.children[i];
    const int64_t slot = array.slot(index);
    if (bytes.is_null(slot)) continue;
    const bool metadata = type.child(i).name == "metadata";
    (metadata ? out.metadata : out.value) = bytes_at(bytes, type.child(i).type, slot);
  }
  return out;
}

namespace {

Array sorted(const Array& array, const Type& type) {
  ColumnBuilder out(Field({}, type, true));
  out.reserve(array.length);
  const size_t metadata = type.child(0).name == "metadata" ? 0 : 1;
  variant::Reader reader;
  variant::Writer writer;
  yson::Buffer dictionary;
  yson::Buffer value;
  for (int64_t i = 0; i < array.length; ++i) {
    if (array.is_null(i)) {
      out.append_null();
      continue;
    }
    variant::Encoded encoded = variant_at(array, type, i);
    dictionary.clear();
    value.clear();
    if (reader.to_sorted(encoded, &writer, &value).ok()) {
      writer.finish(&dictionary);
      encoded = {dictionary.view(), value.view()};
    }
    out.child(metadata).append_bytes(encoded.metadata);
    out.child(1 - metadata).append_bytes(encoded.value);
    out.append_struct();
  }
  return out.finish();
}

Array sorted_texts(const Array& array, const Type& type) {
  ColumnBuilder out(Field({}, type, true));
  out.reserve(array.length);
  yson::Buffer text;
  for (int64_t i = 0; i < array.length; ++i) {
    if (array.is_null(i)) {
      out.append_null();
      continue;
    }
    const std::string_view bytes = bytes_at(array, type, i);
    text.clear();
    out.append_bytes(variant::write_sorted_json(bytes, &text) ? text.view() : bytes);
  }
  return out.finish();
}

}  // namespace

bool has_variant(const Field& field) {
  return is_variant(field) || std::ranges::any_of(field.type.children(), has_variant);
}

Array with_sorted_values(const Field& field, const Array& array) {
  const auto& children = field.type.children();
  if (is_variant(field)) {
    const bool is_built =
        children[0].type.kind() == Kind::Binary && children[1].type.kind() == Kind::Binary;
    return is_built ? sorted(array, field.type) : array;
  }
  if (field.type.kind() == Kind::Utf8 && field.extension_name() == kJsonExtension) {
    return sorted_texts(array, field.type);
  }
  if (array.children.size() != children.size()) return array;
  Array out = array;
  for (size_t i = 0; i < children.size(); ++i) {
    out.children[i] = with_sorted_values(children[i], array.children[i]);
  }
  return out;
}

}  // namespace xwalk::hub
