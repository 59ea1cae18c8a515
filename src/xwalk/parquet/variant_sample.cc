#include "xwalk/parquet/variant_sample.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/variant.h"
#include "xwalk/parquet/shredding.h"
#include "xwalk/parquet/variant.h"
#include "xwalk/variant/metadata.h"
#include "xwalk/variant/walk.h"

namespace xwalk::parquet {
namespace {

/// What values have in common that one column can hold.
enum class Class : uint8_t {
  Object,
  List,
  Boolean,
  Integer,
  Float,
  Double,
  Decimal,
  Date,
  Time,
  Timestamp,
  LocalTimestamp,
  TimestampNanos,
  LocalTimestampNanos,
  String,
  Binary,
  Uuid,
};
constexpr size_t kClassCount = static_cast<size_t>(Class::Uuid) + 1;

/// Nine of ten values must have the type of their column, one of ten objects a field.
constexpr uint64_t kOneOf = 10;
/// Fields of one VARIANT that get columns, names that are counted, and levels of objects and lists.
constexpr int kMostFields = 300;
constexpr size_t kMostNames = 10'000;
constexpr int kMostLevels = 8;

std::optional<hub::Field> primitive_of(Class type, int digits, int scale) {
  using hub::Field;
  using hub::Kind;
  using hub::TimeUnit;
  switch (type) {
    case Class::Boolean:
      return Field("", Kind::Bool);
    case Class::Integer:
      return Field("", Kind::Int64);
    case Class::Float:
      return Field("", Kind::Float);
    case Class::Double:
      return Field("", Kind::Double);
    case Class::Decimal:
      return Field("", hub::decimal(128, std::max(digits, scale) <= 18 ? 18 : 38, scale));
    case Class::Date:
      return Field("", Kind::Date32);
    case Class::Time:
      return Field("", hub::time64(TimeUnit::Micro));
    case Class::Timestamp:
      return Field("", hub::timestamp(TimeUnit::Micro, "UTC"));
    case Class::LocalTimestamp:
      return Field("", hub::timestamp(TimeUnit::Micro));
    case Class::TimestampNanos:
      return Field("", hub::timestamp(TimeUnit::Nano, "UTC"));
    case Class::LocalTimestampNanos:
      return Field("", hub::timestamp(TimeUnit::Nano));
    case Class::String:
      return Field("", Kind::Utf8);
    case Class::Binary:
      return Field("", Kind::Binary);
    case Class::Uuid:
      return hub::with_extension(Field("", hub::fixed_size_binary(16)), hub::kUuidExtension);
    case Class::Object:
    case Class::List:
      break;
  }
  return std::nullopt;
}

}  // namespace

/// The values at one place: how many of each class, and the shapes of what is below.
struct VariantSample::Shape {
  std::array<uint64_t, kClassCount> counts{};
  /// Decimals with another scale than the first one.
  uint64_t other_decimals = 0;
  int scale = -1;
  int digits = 0;
  std::unique_ptr<Shape> item;
  std::map<std::string, std::unique_ptr<Shape>, std::less<>> fields;
  /// Values, nulls among them.
  uint64_t values = 0;

  uint64_t count(Class type) const { return counts.at(static_cast<size_t>(type)); }

  /// Returns the class that nine of ten values have that are not null.
  std::optional<Class> common() const {
    uint64_t all = other_decimals;
    for (const uint64_t count : counts) all += count;
    const auto most = std::ranges::max_element(counts);
    if (*most == 0 || (all - *most) * kOneOf > all) return std::nullopt;
    return static_cast<Class>(most - counts.begin());
  }

  std::optional<Node> typed_value(int levels, int* columns) const {
    const std::optional<Class> type = common();
    if (!type) return std::nullopt;
    if (const auto field = primitive_of(*type, digits, scale)) return typed_value_of(*field, {});
    if (levels == 0) return std::nullopt;
    if (*type == Class::List) return list(levels - 1, columns);
    std::vector<Node> parts;
    for (const auto& [name, shape] : fields) {
      if (shape->values * kOneOf < count(Class::Object) || *columns == 0) continue;
      --*columns;
      parts.push_back(shredded_part(name, shape->typed_value(levels - 1, columns)));
    }
    if (parts.empty()) return std::nullopt;
    return Node::group(Repetition::Optional, "typed_value", std::move(parts));
  }

 private:
  std::optional<Node> list(int levels, int* columns) const {
    std::optional<Node> typed;
    if (item != nullptr) typed = item->typed_value(levels, columns);
    if (!typed) return std::nullopt;
    return Node::group(
        Repetition::Optional, "typed_value",
        {Node::group(Repetition::Repeated, "list", {shredded_part("element", std::move(typed))})},
        LogicalType::Kind::List);
  }
};

/// Counts the parts of a value.
class VariantSample::Sink {
 public:
  explicit Sink(Shape* root) : at_(root) {}

  void begin(char bracket) {
    add(bracket == '{' ? Class::Object : Class::List);
    open_.push_back(at_);
  }
  void end(char /*bracket*/, bool /*any*/) { open_.pop_back(); }
  void item(bool /*first*/) {
    at_ = open_.back();
    if (at_ == nullptr) return;
    if (at_->item == nullptr) at_->item = std::make_unique<Shape>();
    at_ = at_->item.get();
  }
  void item_end() {}
  /// A field is an item whose name follows.
  void key(std::string_view name) {
    at_ = open_.back();
    if (at_ == nullptr) return;
    const auto found = at_->fields.find(name);
    if (found != at_->fields.end()) {
      at_ = found->second.get();
    } else if (++names_ > kMostNames) {
      at_ = nullptr;
    } else {
      at_ = at_->fields.emplace(name, std::make_unique<Shape>()).first->second.get();
    }
  }

  void entity() {
    if (at_ != nullptr) ++at_->values;
  }
  void boolean(bool /*value*/) { add(Class::Boolean); }
  void int64(int64_t /*value*/) { add(Class::Integer); }
  void real(double /*value*/) { add(Class::Double); }
  void real32(float /*value*/) { add(Class::Float); }
  void text(std::string_view /*bytes*/) { add(Class::String); }
  void bytes(std::string_view /*bytes*/) { add(Class::Binary); }
  void decimal(Int128 unscaled, int scale) {
    if (at_ == nullptr) return;
    if (at_->scale < 0) at_->scale = scale;
    if (at_->scale != scale) {
      ++at_->other_decimals;
      return entity();
    }
    while (!fits_digits(unscaled, std::max(at_->digits, 1))) ++at_->digits;
    add(Class::Decimal);
  }
  void date(int32_t /*days*/) { add(Class::Date); }
  void time(int64_t /*micros*/) { add(Class::Time); }
  void timestamp(int64_t /*ticks*/, int digits, bool utc) {
    if (digits == 6) return add(utc ? Class::Timestamp : Class::LocalTimestamp);
    add(utc ? Class::TimestampNanos : Class::LocalTimestampNanos);
  }
  void uuid(std::string_view /*bytes*/) { add(Class::Uuid); }

 private:
  void add(Class type) {
    entity();
    if (at_ != nullptr) ++at_->counts.at(static_cast<size_t>(type));
  }

  /// The place of the next value; null if its name is not counted.
  Shape* at_;
  std::vector<Shape*> open_;
  size_t names_ = 0;
};

VariantSample::VariantSample(const Schema& schema)
    : schema_(schema), columns_(resolve(schema).columns) {
  for (size_t i = variants_of(columns_).size(); i > 0; --i) {
    shapes_.push_back(std::make_unique<Shape>());
  }
}

VariantSample::~VariantSample() = default;

void VariantSample::add(const hub::Array& rows) {
  size_t next = 0;
  for (size_t i = 0; i < columns_.size(); ++i) add(columns_[i], rows.children[i], &next);
}

void VariantSample::add(const Resolved& resolved, const hub::Array& array, size_t* next) {
  if (resolved.node.logical().is(LogicalType::Kind::Variant)) {
    if (!hub::is_variant(resolved.field)) return;
    Shape* const shape = shapes_[(*next)++].get();
    variant::Metadata names;
    for (int64_t i = 0; i < array.length; ++i) {
      if (array.is_null(i)) continue;
      const variant::Encoded value = hub::variant_at(array, resolved.field.type, i);
      if (!names.read(value.metadata).ok()) continue;
      Sink sink(shape);
      (void)variant::Walker<Sink>(names, &sink).value(value.value);
    }
    return;
  }
  // Entries of a map are a struct below it.
  const bool is_map = resolved.field.type.kind() == hub::Kind::Map;
  const hub::Array& parts = is_map ? array.children[0] : array;
  for (size_t i = 0; i < resolved.children.size(); ++i) {
    add(resolved.children[i], parts.children[i], next);
  }
}

Schema VariantSample::shredded(const std::optional<std::vector<Path>>& columns) const {
  std::map<size_t, Node> typed;
  const std::vector<const Resolved*> variants = variants_of(columns_);
  for (size_t i = 0; i < variants.size(); ++i) {
    const std::string path = variants[i]->path.text();
    const bool wanted = !columns || std::ranges::any_of(*columns, [&](const Path& one) {
      return one.text() == path;
    });
    if (!wanted || is_shredded_variant(variants[i]->node)) continue;
    int left = kMostFields;
    auto node = shapes_[i]->typed_value(kMostLevels, &left);
    if (node) typed.emplace(i, *std::move(node));
  }
  return with_typed_values(schema_, typed);
}

}  // namespace xwalk::parquet
