#include "xwalk/skiff/codec.h"

#include "xwalk/base/endian.h"

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
    case Form::Tuple: {
      std::vector<bool> placed(shape.children.size());
      for (size_t i = 0; i < binding.children.size(); ++i) {
        int member = binding.members[i];
        codec.members.push_back(member);
        if (member < 0) {
          Codec absent;
          absent.form = Form::Optional;
          absent.wire = WireType::Variant8;
          codec.children.push_back(std::move(absent));
          continue;
        }
        auto at = static_cast<size_t>(member);
        placed[at] = true;
        codec.children.push_back(make_codec(binding.children[i], shape.children[at], options));
      }
      for (size_t i = 0; i < placed.size(); ++i) {
        if (!placed[i]) codec.absent.push_back(static_cast<int>(i));
      }
      break;
    }
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

yt::ValueOptions codec_options(yt::UuidOrder uuid_order, yt::SpecialsAsStored specials_as_stored,
                               yt::DecimalSpecial decimal_special) {
  yt::ValueOptions options = yt::stored_form();
  options.uuid_order = uuid_order;
  options.decimal_special = decimal_special;
  options.specials_as_stored = std::move(specials_as_stored);
  return options;
}

const char* skip(const Codec& codec, const char* at, const char* end, bool* short_of_bytes) {
  auto left = [&] { return static_cast<size_t>(end - at); };
  auto too_short = [&]() -> const char* {
    *short_of_bytes = true;
    return nullptr;
  };
  size_t tag_bytes = tag_width(codec.wire);
  auto read_tag = [&](size_t* tag) {
    if (left() < tag_bytes) return false;
    *tag = tag_bytes == 1 ? load_little_endian<uint8_t>(at) : load_little_endian<uint16_t>(at);
    at += tag_bytes;
    return true;
  };
  switch (codec.form) {
    case Form::Nothing:
      return at;
    case Form::Boolean:
    case Form::Signed:
    case Form::Unsigned:
    case Form::Double:
    case Form::Uuid:
    case Form::Decimal:
    case Form::Wide:
    case Form::Zone:
      if (left() < codec.wire_width) return too_short();
      return at + codec.wire_width;
    case Form::String:
    case Form::Yson:
    case Form::YsonOf: {
      if (left() < sizeof(uint32_t)) return too_short();
      auto size = load_little_endian<uint32_t>(at);
      at += sizeof(size);
      if (left() < size) return too_short();
      return at + size;
    }
    case Form::Optional: {
      size_t tag = 0;
      if (!read_tag(&tag)) return too_short();
      if (tag == 0) return at;
      if (tag > 1 || codec.children.empty()) return nullptr;
      return skip(codec.children[0], at, end, short_of_bytes);
    }
    case Form::Present:
      return skip(codec.children[0], at, end, short_of_bytes);
    case Form::List:
    case Form::Dict: {
      size_t last = max_children(codec.wire);
      while (true) {
        size_t tag = 0;
        if (!read_tag(&tag)) return too_short();
        if (tag == last) return at;
        const Codec* item = codec.children.data();
        if (item->shares_tag) {
          if (tag >= item->children.size()) return nullptr;
          at = skip(item->children[tag], at, end, short_of_bytes);
        } else {
          if (tag != 0) return nullptr;
          at = skip(*item, at, end, short_of_bytes);
          if (at != nullptr && codec.form == Form::Dict) {
            at = skip(codec.children[1], at, end, short_of_bytes);
          }
        }
        if (at == nullptr) return nullptr;
      }
    }
    case Form::Tuple:
      for (const Codec& child : codec.children) {
        at = skip(child, at, end, short_of_bytes);
        if (at == nullptr) return nullptr;
      }
      return at;
    case Form::Variant: {
      size_t tag = 0;
      if (!read_tag(&tag)) return too_short();
      if (tag >= codec.children.size()) return nullptr;
      return skip(codec.children[tag], at, end, short_of_bytes);
    }
  }
  return nullptr;
}

}  // namespace xwalk::skiff
