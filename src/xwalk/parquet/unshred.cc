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
#include "xwalk/hub/value_at.h"
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
  if (kind == Kind::Int8 || kind == Kind::Int16 || kind == Kind::Int32 || kind == Kind::Int64) {
    return out->int64(hub::integer_at(array, kind, i));
  }
  if (kind == Kind::Double) return out->real(array.value<double>(i));
  if (kind == Kind::Float) return out->real32(array.value<float>(i));
  if (kind == Kind::Bool) return out->boolean(array.bit(i));
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
              "expected a type that variants have, found " + std::string(hub::to_string(type)));
}

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

  /// Writes the value of an element of `group`; returns false, and writes nothing, if it is
  /// missing.
  bool write(const ShreddedPart& part, const Array& group, int64_t index) {
    const Columns columns = columns_of(part, group, index);
    if (!columns.any()) return false;
    write(part, columns, group.slot(index));
    return true;
  }

 private:
  /// The columns that have a value of an element.
  struct Columns {
    const Array* value;
    const Array* typed;
    bool any() const { return value != nullptr || typed != nullptr; }
  };

  static Columns columns_of(const ShreddedPart& part, const Array& group, int64_t index) {
    const int64_t at = group.slot(index);
    const auto column = [&](const std::optional<size_t>& place) {
      const Array* found = place ? &group.children[*place] : nullptr;
      return found == nullptr || found->is_null(at) ? nullptr : found;
    };
    return {column(part.value), column(part.typed)};
  }

  void write(const ShreddedPart& part, const Columns& columns, int64_t at) {
    std::string_view value;
    if (columns.value != nullptr) value = columns.value->text(at);
    if (columns.typed == nullptr) {
      const variant::Outcome outcome =
          variant::Walker<variant::Writer>(metadata_, writer_).value(value);
      if (!outcome.ok()) malformed(part.name, outcome);
      return;
    }
    if (part.form == ShreddedPart::Form::Object) {
      return write_object(part, *columns.typed, at, columns.value != nullptr ? &value : nullptr);
    }
    if (columns.value != nullptr) fail(part.name, "both value and typed_value");
    if (part.form == ShreddedPart::Form::List) {
      write_list(part.parts[0], *columns.typed, at);
    } else {
      write_primitive(*columns.typed, part.type, at, writer_);
    }
  }

  void fail(std::string_view name, std::string_view found) {
    if (problem_.empty()) problem_ = fmt::format("expected a VARIANT, found {} in {}", found, name);
  }
  void malformed(std::string_view name, const variant::Outcome& outcome) {
    fail(name, fmt::format("{} at byte {}", describe(outcome.fault), outcome.byte));
  }

  void write_object(const ShreddedPart& part, const Array& typed, int64_t at,
                    const std::string_view* rest) {
    writer_->begin('{');
    bool any = false;
    const int64_t field = typed.slot(at);
    for (size_t i = 0; i < part.parts.size(); ++i) {
      const ShreddedPart& inner = part.parts[i];
      const Array& group = typed.children[i];
      const Columns columns = columns_of(inner, group, field);
      if (!columns.any()) continue;
      writer_->item(!any);
      any = true;
      writer_->key(name_of(inner));
      write(inner, columns, group.slot(field));
    }
    if (rest != nullptr) {
      const size_t first = writer_->fields();
      const variant::Outcome outcome =
          variant::Walker<variant::Writer>(metadata_, writer_).fields(*rest, &any);
      if (outcome.fault == Fault::Type) {
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
    // What a fault left open is dropped with the row.
    if (problem_.empty()) writer_->end('}', any);
  }

  void write_list(const ShreddedPart& item, const Array& typed, int64_t at) {
    writer_->begin('[');
    const Array& items = typed.children[0];
    bool any = false;
    for (int64_t i = typed.first_item(at); i < typed.end_item(at); ++i) {
      writer_->item(!any);
      any = true;
      if (!write(item, items, i)) writer_->entity();
      if (!problem_.empty()) return;
    }
    writer_->end(']', any);
  }

  variant::FieldName* name_of(const ShreddedPart& part) {
    if (names_.size() <= part.number) names_.resize(part.number + 1);
    variant::FieldName& name = names_[part.number];
    name.text = part.name;
    return &name;
  }

  static bool is_shredded(const ShreddedPart& part, std::string_view name) {
    const auto name_at = [&](size_t i) { return std::string_view(part.parts[i].name); };
    return std::ranges::binary_search(part.by_name, name, {}, name_at);
  }

  variant::Metadata metadata_;
  variant::Writer* writer_;
  /// The names of shredded fields, by the numbers of their parts.
  std::vector<variant::FieldName> names_;
  std::string problem_;
};

Array unshred(const ShreddedPart& part, size_t metadata, const Path& path, const Array& in,
              const Scope& scope) {
  BytesColumn dictionaries(in.length);
  BytesColumn values(in.length);
  variant::Writer writer;
  Unshredder unshredder(&writer);
  for (int64_t i = 0; i < in.length; ++i) {
    if (hub::is_valid(in, i)) {
      const size_t before = values.bytes()->size();
      writer.start(values.bytes());
      if (unshredder.start(in.children[metadata].text(in.slot(i))) &&
          !unshredder.write(part, in, i)) {
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
