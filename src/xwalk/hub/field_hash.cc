#include "xwalk/hub/field_hash.h"

#include <cstdint>
#include <functional>
#include <string>

#include "xwalk/hub/kinds.h"

namespace xwalk::hub {
namespace {

size_t mixed(size_t hash, size_t value) {
  return (hash ^ value) * 0x9E3779B97F4A7C15U + (hash >> 29U);
}

size_t hash_of(const std::string& text) { return std::hash<std::string>()(text); }

}  // namespace

size_t hash_of(const Type& type) {
  const auto kind = static_cast<size_t>(type.kind());
  size_t hash = mixed(0, kind);
  // Types of these forms are their kind.
  if (kind_row(type.kind()).form == Form::Plain) return hash;
  for (const auto part : {static_cast<int>(type.unit()), type.precision(), type.scale(),
                          static_cast<int>(type.size()), static_cast<int>(type.flag()),
                          static_cast<int>(type.index_kind())}) {
    hash = mixed(hash, static_cast<size_t>(part));
  }
  if (!type.zone().empty()) hash = mixed(hash, hash_of(type.zone()));
  for (const int8_t code : type.type_codes()) hash = mixed(hash, static_cast<size_t>(code));
  for (const Field& child : type.children()) {
    hash = mixed(mixed(hash, hash_of(child.name)), hash_of_unnamed(child));
  }
  return hash;
}

size_t hash_of(const Metadata& metadata) {
  size_t sum = metadata.size();
  for (const auto& [key, value] : metadata) sum += mixed(hash_of(key), hash_of(value));
  return sum;
}

size_t hash_of_unnamed(const Field& field) {
  const size_t hash = mixed(hash_of(field.type), static_cast<size_t>(field.nullable));
  return field.metadata.empty() ? hash : mixed(hash, hash_of(field.metadata));
}

bool equal_unnamed(const Field& a, const Field& b) {
  return a.nullable == b.nullable && a.type == b.type && a.metadata == b.metadata;
}

}  // namespace xwalk::hub
