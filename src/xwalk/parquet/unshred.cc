#include "xwalk/parquet/unshred.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/cast/bytes_column.h"
#include "xwalk/parquet/shredded_part.h"
#include "xwalk/variant/metadata.h"
#include "xwalk/variant/walk.h"
#include "xwalk/variant/writer.h"

namespace xwalk::parquet {
namespace {

using hub::Array;
using hub::Kind;
using hub::cast::BytesColumn;
using hub::cast::Scope;
using variant::Fault;

/// Writes a value of a column of its own type.
void write_primitive(const Array& array, const hub::Type& type, int64_t i, variant::Writer* out) {
  const Kind kind = type.kind();
  if (kind == Kind::Utf8) return out->text(array.text(i));
  if (kind == Kind::Int64) return out->int64(array.value<int64_t>(i));
  if (kind == Kind::Double) return out->real(array.value<double>(i));
  if (kind == Kind::Bool) return out->boolean(array.bit(i));
  if (kind == Kind::Int32) return out->int64(array.value<int32_t>(i));
  if (kind == Kind::Int16) return out->int64(array.value<int16_t>(i));
  if (kind == Kind::Int8) return out->int64(array.value<int8_t>(i));
  if (kind == Kind::Float) return out->real32(array.value<float>(i));
  if (kind == Kind::Binary) return out->bytes(array.text(i));
  if (kind == Kind::Date32) return out->date(array.value<int32_t>(i));
  if (kind == Kind::Time64) return out->time(array.value<int64_t>(i));
  if (kind == Kind::Decimal128) {
    return out->decimal(load_little_endian_128(array.fixed(i, 16)), type.scale());
  }
  if (kind == Kind::Timestamp) {
    return out->timestamp(array.value<int64_t>(i), type.unit() == hub::TimeUnit::Nano ? 9 : 6,
                          !type.zone().empty());
  }
  if (kind == Kind::FixedSizeBinary) {
    return out->uuid({array.fixed(i, type.size()), static_cast<size_t>(type.size())});
  }
  throw Error(ErrorCode::Internal,
              fmt::format("expected a type that variants have, found {}", hub::to_string(type)));
}

/// A part of a VARIANT, and its columns in one batch.
struct Columns {
  Columns(const ShreddedPart& of, const Array& elements) : part(&of), group(&elements) {
    value = with_values(of.value);
    typed = with_values(of.typed);
    name.text = of.name;
    if (typed == nullptr || of.form == ShreddedPart::Form::Primitive) return;
    parts.reserve(of.parts.size());
    for (size_t i = 0; i < of.parts.size(); ++i)
      parts.emplace_back(of.parts[i], typed->children[i]);
  }

  /// Returns a column, or null if it has no value.
  const Array* with_values(const std::optional<size_t>& place) const {
    if (!place) return nullptr;
    const Array& column = group->children[*place];
    return hub::count_nulls(column) == column.length ? nullptr : &column;
  }

  const ShreddedPart* part;
  const Array* group;
  const Array* value;
  const Array* typed;
  std::vector<Columns> parts;
  variant::FieldName name;
};

/// Writes the values of one batch.
class Unshredder {
 public:
  explicit Unshredder(variant::Writer* writer) : writer_(writer) {}

  /// Begins a row. Returns false if its dictionary is malformed.
  bool start(std::string_view metadata) {
    problem_.clear();
    const variant::Outcome outcome = metadata_.read(metadata);
    if (!outcome.ok()) malformed("metadata", outcome);
    return outcome.ok();
  }
  /// The error in the row, or "".
  const std::string& problem() const { return problem_; }

  /// Writes the value of an element of the columns' group; returns false, and writes nothing, if it
  /// is missing. With a `key`, the value is a field of that name, the first one if `is_first`.
  bool write(Columns& columns, int64_t index, variant::FieldName* key = nullptr,
             bool is_first = false) {
    const int64_t at = columns.group->slot(index);
    const bool has_value = columns.value != nullptr && !columns.value->is_null(at);
    const bool has_typed = columns.typed != nullptr && !columns.typed->is_null(at);
    if (!has_value && !has_typed) return false;
    if (key != nullptr) {
      writer_->item(is_first);
      writer_->key(key);
    }
    const ShreddedPart& part = *columns.part;
    if (!has_typed) {
      const variant::Outcome outcome =
          variant::Walker<variant::Writer>(metadata_, writer_).value(columns.value->text(at));
      if (!outcome.ok()) malformed(part.name, outcome);
    } else if (part.form == ShreddedPart::Form::Object) {
      write_object(columns, at, has_value);
    } else if (has_value) {
      fail(part.name, "both value and typed_value");
    } else if (part.form == ShreddedPart::Form::List) {
      write_list(columns, at);
    } else {
      write_primitive(*columns.typed, part.type, at, writer_);
    }
    return true;
  }

 private:
  void fail(std::string_view name, std::string_view found) {
    if (problem_.empty()) problem_ = fmt::format("expected a VARIANT, found {} in {}", found, name);
  }
  void malformed(std::string_view name, const variant::Outcome& outcome) {
    fail(name, fmt::format("{} at byte {}", describe(outcome.fault), outcome.byte));
  }

  void write_object(Columns& columns, int64_t at, bool has_rest) {
    writer_->begin('{');
    bool any = false;
    const int64_t field = columns.typed->slot(at);
    for (Columns& inner : columns.parts) any |= write(inner, field, &inner.name, !any);
    if (has_rest) write_rest(*columns.part, columns.value->text(at), &any);
    // What a fault left open is dropped with the row.
    if (problem_.empty()) writer_->end('}', any);
  }

  /// Writes the fields of an object that are in its `value`.
  void write_rest(const ShreddedPart& part, std::string_view rest, bool* any) {
    const size_t first = writer_->fields();
    const variant::Outcome outcome =
        variant::Walker<variant::Writer>(metadata_, writer_).fields(rest, any);
    if (outcome.fault == Fault::NotObject) {
      fail(part.name, "a value that is not an object next to shredded fields");
    } else if (!outcome.ok()) {
      malformed(part.name, outcome);
    }
    // A field that is shredded may not be in `value`, even if its columns have no value.
    for (size_t i = first; i < writer_->fields() && problem_.empty(); ++i) {
      if (is_shredded(part, writer_->field(i))) {
        fail(writer_->field(i), "a shredded field in value");
      }
    }
  }

  void write_list(Columns& columns, int64_t at) {
    writer_->begin('[');
    const Array& typed = *columns.typed;
    bool any = false;
    for (int64_t i = typed.first_item(at); i < typed.end_item(at); ++i) {
      writer_->item(!any);
      any = true;
      if (!write(columns.parts[0], i)) writer_->entity();
      if (!problem_.empty()) return;
    }
    writer_->end(']', any);
  }

  static bool is_shredded(const ShreddedPart& part, std::string_view name) {
    const auto name_at = [&](size_t i) { return std::string_view(part.parts[i].name); };
    return std::ranges::binary_search(part.by_name, name, {}, name_at);
  }

  variant::Metadata metadata_;
  variant::Writer* writer_;
  std::string problem_;
};

Array unshred(const ShreddedPart& part, size_t metadata, const Path& path, const Array& in,
              const Scope& scope) {
  BytesColumn dictionaries(in.length);
  BytesColumn values(in.length);
  variant::Writer writer;
  Unshredder unshredder(&writer);
  Columns columns(part, in);
  for (int64_t i = 0; i < in.length; ++i) {
    if (hub::is_valid(in, i)) {
      const size_t before = values.bytes()->size();
      writer.start(values.bytes());
      if (unshredder.start(in.children[metadata].text(in.slot(i))) &&
          !unshredder.write(columns, i)) {
        writer.entity();
      }
      if (unshredder.problem().empty() && writer.fault() == Fault::None) {
        writer.finish(dictionaries.bytes());
      } else {
        values.bytes()->truncate(before);
        scope.refuse(i, path,
                     unshredder.problem().empty()
                         ? fmt::format("expected a VARIANT, found {}", describe(writer.fault()))
                         : unshredder.problem());
      }
    }
    dictionaries.end(i);
    values.end(i);
  }
  Array out = hub::start_like(in);
  out.children = {hub::start(in.length), hub::start(in.length)};
  dictionaries.attach_to(&out.children[0]);
  values.attach_to(&out.children[1]);
  return out;
}

}  // namespace

hub::cast::KernelPtr unshred_kernel(const Resolved& variant) {
  return hub::cast::make_kernel([part = shredded_part_of(variant), metadata = metadata_of(variant),
                                 path = variant.path](const Array& in, const Scope& scope) {
    return unshred(part, metadata, path, in, scope);
  });
}

}  // namespace xwalk::parquet
