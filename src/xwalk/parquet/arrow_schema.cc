#include "xwalk/parquet/arrow_schema.h"

#include "xwalk/hub/annotation.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/parquet/resolve.h"

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

/// Returns the original type of the column if the file's type is how a writer stores it; else the
/// file's type.
Type restore(const Type& natural, const Type& written) {
  // Columns of one natural type share it.
  if (natural == written) return natural;
  const Kind kind = written.kind();
  switch (hub::kind_row(kind).form) {
    case hub::Form::Plain: {
      const bool same = (hub::is_utf8(kind) && natural.kind() == Kind::Utf8) ||
                        (hub::is_binary(kind) && natural.kind() == Kind::Binary) ||
                        (kind == Kind::Date64 && natural.kind() == Kind::Date32);
      return same ? written : natural;
    }
    case hub::Form::Timestamp:
      if (natural.kind() != Kind::Timestamp || natural.zone().empty() != written.zone().empty()) {
        return natural;
      }
      if (natural.unit() == written.unit() ||
          (natural.unit() == TimeUnit::Milli && written.unit() == TimeUnit::Second)) {
        return written;
      }
      return hub::timestamp(natural.unit(), written.zone());
    case hub::Form::Unit:
      if (kind == Kind::Time32) return natural == hub::time32(TimeUnit::Milli) ? written : natural;
      return kind == Kind::Duration && natural.kind() == Kind::Int64 ? written : natural;
    case hub::Form::Decimal:
      if (!hub::is_decimal(natural.kind()) || natural.precision() != written.precision() ||
          natural.scale() != written.scale()) {
        return natural;
      }
      return written;
    case hub::Form::List:
      if (natural.kind() != Kind::List) return natural;
      return hub::list(restore(natural.child(), written.child()), kind);
    case hub::Form::FixedSizeList:
      if (natural.kind() != Kind::List) return natural;
      return hub::fixed_size_list(restore(natural.child(), written.child()), written.size());
    case hub::Form::Struct:
      if (natural.kind() != Kind::Struct || !same_names(natural, written)) return natural;
      return hub::struct_(restore_children(natural, written));
    case hub::Form::Map: {
      if (natural.kind() != Kind::Map || written.child().type.children().size() != 2) {
        return natural;
      }
      Field entries = natural.child();
      entries.type = hub::struct_(restore_children(entries.type, written.child().type));
      return hub::map_of_entries(std::move(entries), written.flag());
    }
    case hub::Form::Dictionary:
      return hub::dictionary(written.index_kind(), restore(natural, written.child().type),
                             written.flag());
    case hub::Form::FixedSizeBinary:
    case hub::Form::Union:
    case hub::Form::RunEndEncoded:
      return natural;
  }
  return natural;
}

/// Returns true if integers are seconds or Date64: Parquet has neither, and arrow-rs (DataFusion,
/// arro3) stores them without an annotation. `with_arrow_type` makes no integers of them.
bool is_bare_integers(const Type& natural, const Type& written) {
  const Kind kind = written.kind();
  if (kind == Kind::Time32) {
    return natural.kind() == Kind::Int32 && written.unit() == TimeUnit::Second;
  }
  if (natural.kind() != Kind::Int64) return false;
  return kind == Kind::Date64 || (kind == Kind::Timestamp && written.unit() == TimeUnit::Second);
}

Field restore(const Field& natural, const Field& written) {
  Field field = natural;
  field.type = is_bare_integers(natural.type, written.type) ? written.type
                                                            : restore(natural.type, written.type);
  // An extension describes one storage: without it, its name would be a lie.
  bool extension = field.type == written.type || hub::annotation_fits(field.type, written.type);
  for (const auto& [key, value] : written.metadata) {
    if (key == kFieldId || key == hub::annotation_key(kSystem)) continue;
    if (!extension && (key == hub::kExtensionName || key == hub::kExtensionMetadata)) continue;
    if (key == hub::kExtensionMetadata && hub::same_geospatial(field, written)) {
      field.metadata.set(key, value);
    }
    if (!field.metadata.find(key)) field.metadata.append(key, value);
  }
  return field;
}

}  // namespace

hub::Type with_arrow_type(const hub::Type& natural, const hub::Type& written) {
  return restore(natural, written);
}

hub::Schema with_arrow_schema(const hub::Schema& natural, const hub::Schema& written) {
  if (natural.fields.size() != written.fields.size()) return natural;
  hub::Schema out = {{}, natural.metadata, natural.nullable_rows, natural.bare_rows};
  out.fields.reserve(natural.fields.size());
  for (size_t i = 0; i < natural.fields.size(); ++i) {
    out.fields.push_back(restore(natural.fields[i], written.fields[i]));
  }
  for (const auto& [key, value] : written.metadata) {
    if (!out.metadata.find(key)) out.metadata.append(key, value);
  }
  return out;
}

}  // namespace xwalk::parquet
