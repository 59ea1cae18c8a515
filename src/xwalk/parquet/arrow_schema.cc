#include "xwalk/hub/annotation.h"
#include "xwalk/parquet/hub.h"

namespace xwalk::parquet {
namespace {

using hub::Field;
using hub::Kind;
using hub::TimeUnit;
using hub::Type;

Field restore(const Field& natural, const Field& written);

std::vector<Field> restore_children(const Type& natural, const Type& written) {
  std::vector<Field> children;
  for (size_t i = 0; i < natural.children().size(); ++i) {
    children.push_back(restore(natural.child(i), written.child(i)));
  }
  return children;
}

bool same_names(const Type& a, const Type& b) {
  if (a.children().size() != b.children().size()) return false;
  for (size_t i = 0; i < a.children().size(); ++i) {
    if (a.child(i).name != b.child(i).name) return false;
  }
  return true;
}

/// Returns the type that the column had, where the file's type is what a writer makes of it; else
/// the file's type.
Type restore(const Type& natural, const Type& written) {
  switch (written.kind()) {
    case Kind::LargeUtf8:
    case Kind::Utf8View:
      return natural.kind() == Kind::Utf8 ? written : natural;
    case Kind::LargeBinary:
    case Kind::BinaryView:
      return natural.kind() == Kind::Binary ? written : natural;
    case Kind::Timestamp:
      if (natural.kind() != Kind::Timestamp || natural.zone().empty() != written.zone().empty()) {
        return natural;
      }
      if (natural.unit() == written.unit() ||
          (natural.unit() == TimeUnit::Milli && written.unit() == TimeUnit::Second)) {
        return written;
      }
      return hub::timestamp(natural.unit(), written.zone());
    case Kind::Time32:
      return natural == hub::time32(TimeUnit::Milli) ? written : natural;
    case Kind::Date64:
      return natural.kind() == Kind::Date32 ? written : natural;
    case Kind::Duration:
      return natural.kind() == Kind::Int64 ? written : natural;
    case Kind::Decimal32:
    case Kind::Decimal64:
    case Kind::Decimal128:
    case Kind::Decimal256:
      if (!hub::is_decimal(natural.kind()) || natural.precision() != written.precision() ||
          natural.scale() != written.scale()) {
        return natural;
      }
      return written;
    case Kind::List:
    case Kind::LargeList:
    case Kind::ListView:
    case Kind::LargeListView:
      if (natural.kind() != Kind::List) return natural;
      return hub::list(restore(natural.child(), written.child()), written.kind());
    case Kind::FixedSizeList:
      if (natural.kind() != Kind::List) return natural;
      return hub::fixed_size_list(restore(natural.child(), written.child()), written.size());
    case Kind::Struct:
      if (natural.kind() != Kind::Struct || !same_names(natural, written)) return natural;
      return hub::struct_(restore_children(natural, written));
    case Kind::Map: {
      if (natural.kind() != Kind::Map || written.child().type.children().size() != 2) {
        return natural;
      }
      Field entries = natural.child();
      entries.type = hub::struct_(restore_children(entries.type, written.child().type));
      return hub::map_of_entries(std::move(entries), written.flag());
    }
    case Kind::Dictionary:
      return hub::dictionary(written.index_kind(), restore(natural, written.child().type),
                             written.flag());
    default:
      return natural;
  }
}

Field restore(const Field& natural, const Field& written) {
  Field field = natural;
  field.type = restore(natural.type, written.type);
  // An extension describes one storage: without it, its name would be a lie.
  bool extension = field.type == written.type || hub::annotation_fits(field.type, written.type);
  for (const auto& [key, value] : written.metadata) {
    if (key == hub::annotation_key(kSystem) || key == kFieldId) continue;
    if (!extension && (key == hub::kExtensionName || key == hub::kExtensionMetadata)) continue;
    if (!field.metadata.find(key)) field.metadata.append(key, value);
  }
  return field;
}

}  // namespace

hub::Schema with_arrow_schema(const hub::Schema& natural, const hub::Schema& written) {
  if (natural.fields.size() != written.fields.size()) return natural;
  hub::Schema out = natural;
  for (size_t i = 0; i < natural.fields.size(); ++i) {
    out.fields[i] = restore(natural.fields[i], written.fields[i]);
  }
  for (const auto& [key, value] : written.metadata) {
    if (!out.metadata.find(key)) out.metadata.append(key, value);
  }
  return out;
}

}  // namespace xwalk::parquet
