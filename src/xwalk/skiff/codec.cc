#include "xwalk/skiff/codec.h"

#include "xwalk/skiff/value_walk_internal.h"

namespace xwalk::skiff {

using yt::TypeKind;

namespace {

/// Makes the codec of an alternative; in a struct of alternatives it may be in a box, which has no
/// bytes in Skiff.
Codec codec_of_alternative(const Binding& binding, const yt::Shape& shape,
                           const yt::ValueOptions& options, bool is_union) {
  if (is_union || shape.nesting != yt::Nesting::Box) return make_codec(binding, shape, options);
  Codec box;
  box.form = Form::Present;
  box.wrapped = true;
  box.children.push_back(make_codec(binding, shape.children[0], options));
  return box;
}

/// Adds the children of a tuple: a codec for each member that the type has.
void add_members(const Binding& binding, const yt::Shape& shape, const yt::ValueOptions& options,
                 Codec* codec) {
  std::vector<bool> placed(shape.children.size());
  for (size_t i = 0; i < binding.children.size(); ++i) {
    int member = binding.members[i];
    codec->members.push_back(member);
    if (member < 0) {
      codec->children.emplace_back();
      continue;
    }
    auto at = static_cast<size_t>(member);
    placed[at] = true;
    codec->children.push_back(make_codec(binding.children[i], shape.children[at], options));
  }
  for (size_t i = 0; i < placed.size(); ++i) {
    if (!placed[i]) codec->absent.push_back(static_cast<int>(i));
  }
}

}  // namespace

Codec make_codec(const Binding& binding, const yt::Shape& shape, const yt::ValueOptions& options) {
  Codec codec;
  codec.form = binding.form;
  codec.wire = binding.wire.wire();
  codec.type = shape.type;
  codec.any = binding.any;
  codec.required = binding.required;
  codec.shares_tag = binding.shares_tag;
  codec.wire_width = static_cast<uint8_t>(fixed_width(codec.wire).value_or(0));
  if (codec.form == Form::Zone) {
    codec.wire_width = static_cast<uint8_t>(*fixed_width(binding.wire.child(0).wire()) + 2);
  }
  if (shape.nesting == yt::Nesting::Scalar) codec.scalar = yt::scalar_codec(shape, options);
  const yt::IntegerRange& range = codec.scalar.range;
  switch (binding.form) {
    case Form::Signed: {
      int64_t most =
          codec.wire_width == 8 ? INT64_MAX : (int64_t{1} << (codec.wire_width * 8 - 1)) - 1;
      codec.check_range =
          !codec.any && (range.min > -most - 1 || range.max < static_cast<uint64_t>(most));
      break;
    }
    case Form::Unsigned: {
      uint64_t most =
          codec.wire_width == 8 ? UINT64_MAX : (uint64_t{1} << (codec.wire_width * 8)) - 1;
      codec.check_range = !codec.any && range.max < most;
      break;
    }
    case Form::Optional:
    case Form::Present:
      // A level that only the wire has leaves the shape as it is.
      codec.wrapped = shape.nesting == yt::Nesting::Box;
      codec.children.push_back(
          make_codec(binding.children[0], codec.wrapped ? shape.children[0] : shape, options));
      break;
    case Form::List:
      codec.children.push_back(make_codec(binding.children[0], shape.children[0], options));
      break;
    case Form::Dict:
      codec.children.push_back(make_codec(binding.children[0], shape.children[0], options));
      codec.children.push_back(make_codec(binding.children[1], shape.children[1], options));
      break;
    case Form::Tuple:
      add_members(binding, shape, options, &codec);
      break;
    case Form::Variant:
      codec.is_union = shape.is_union;
      for (size_t i = 0; i < binding.children.size(); ++i) {
        codec.children.push_back(
            codec_of_alternative(binding.children[i], shape.children[i], options, codec.is_union));
      }
      break;
    case Form::Nothing:
    case Form::Boolean:
    case Form::Double:
    case Form::String:
    case Form::Yson:
    case Form::YsonOf:
    case Form::Uuid:
    case Form::Decimal:
    case Form::Wide:
    case Form::Zone:
      break;
  }
  return codec;
}

yt::ValueOptions codec_options(yt::UuidOrder uuid_order, bool specials_as_stored,
                               yt::DecimalSpecial decimal_special) {
  yt::ValueOptions options = yt::stored_form();
  options.uuid_order = uuid_order;
  options.decimal_special = decimal_special;
  options.specials_as_stored = specials_as_stored;
  return options;
}

std::string member_name(const Codec& tuple, size_t child) {
  const auto index = static_cast<size_t>(tuple.members[child]);
  return tuple.type.is(TypeKind::Struct) ? tuple.type.members()[index].name : std::to_string(index);
}

namespace {

/// The context of a walk that checks the structure of values alone.
struct Structure {
  static constexpr bool kAppends = false;
  static constexpr bool kTrusts = false;
  bool* short_of_bytes;

  const char* cut(WireType /*wire*/, size_t /*size*/, const char* /*at*/,
                  const char* /*end*/) const {
    *short_of_bytes = true;
    return nullptr;
  }
  const char* cut_scalar(const Codec& codec, const char* at, const char* end) const {
    return cut(codec.wire, codec.wire_width, at, end);
  }
  static const char* bad_tag(const Codec& /*codec*/, size_t /*below*/, size_t /*tag*/,
                             const char* /*at*/) {
    return nullptr;
  }
  static const char* take(const Codec& /*codec*/, const char* /*at*/, const char* end) {
    return end;
  }
  template <typename Step>
  static const char* within(const Step& /*step*/) {
    return nullptr;
  }

  Structure child(size_t /*index*/) const { return *this; }
  static void open_variant(const Codec& /*codec*/, size_t /*tag*/) {}
  static void close_variant(const Codec& /*codec*/) {}
  static void close_tuple(const Codec& /*codec*/) {}
  static void close_struct() {}
  static void close_list() {}
};

}  // namespace

const char* skip(const Codec& codec, const char* at, const char* end, bool* short_of_bytes) {
  return walk_value(codec, at, end, Structure{short_of_bytes});
}

}  // namespace xwalk::skiff
