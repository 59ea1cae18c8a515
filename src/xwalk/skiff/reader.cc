#include "xwalk/skiff/reader.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::skiff {

void Reader::fail_end(WireType wire, size_t size) const {
  Place place;
  place.byte = position();
  throw Error(ErrorCode::Input,
              fmt::format("expected {} more bytes of {}, found the end after {}", size,
                          wire_name(wire), input_.available()),
              std::move(place));
}

void Reader::fail_boolean(uint8_t byte) const {
  Place place;
  place.byte = position();
  throw Error(ErrorCode::Input, fmt::format("expected boolean 0 or 1, found {}", byte),
              std::move(place));
}

void CheckedReader::finish() const {
  if (cursor_.between_values()) return;
  Place place;
  place.byte = position();
  place.path = cursor_.path();
  throw Error(ErrorCode::Usage, "expected the rest of a value, found the end", std::move(place));
}

void CheckedReader::rethrow_located() const {
  try {
    throw;
  } catch (Error& error) {
    if (!error.place().byte) error.place().byte = position();
    throw;
  }
}

namespace {

/// Depth is bounded by the schema's.
void skip_at(const Type& type, const Path& path, Reader* reader) {
  auto name = [&](size_t index) {
    const std::string& given = type.child(index).name();
    return given.empty() ? std::to_string(index) : given;
  };
  auto check_tag = [&](size_t tag) {
    if (tag < type.children().size()) return;
    Place place;
    place.byte = reader->position() - tag_width(type.wire());
    place.path = path;
    throw Error(ErrorCode::Input,
                fmt::format("expected a tag of {} below {}, found {}", wire_name(type.wire()),
                            type.children().size(), tag),
                std::move(place));
  };
  switch (type.wire()) {
    case WireType::Nothing:
      return;
    case WireType::Boolean:
      reader->read<WireType::Boolean>();
      return;
    case WireType::Int8:
    case WireType::Uint8:
      reader->read<WireType::Uint8>();
      return;
    case WireType::Int16:
    case WireType::Uint16:
      reader->read<WireType::Uint16>();
      return;
    case WireType::Int32:
    case WireType::Uint32:
      reader->read<WireType::Uint32>();
      return;
    case WireType::Int64:
    case WireType::Uint64:
    case WireType::Double:
      reader->read<WireType::Uint64>();
      return;
    case WireType::Int128:
    case WireType::Uint128:
      reader->read<WireType::Uint128>();
      return;
    case WireType::Int256:
    case WireType::Uint256:
      reader->read<WireType::Uint256>();
      return;
    case WireType::String32:
    case WireType::Yson32:
      reader->read<WireType::String32>();
      return;
    case WireType::Tuple:
      for (size_t i = 0; i < type.children().size(); ++i) {
        skip_at(type.child(i), path.field(name(i)), reader);
      }
      return;
    case WireType::Variant8:
    case WireType::Variant16: {
      size_t tag = type.wire() == WireType::Variant8 ? size_t{reader->read<WireType::Variant8>()}
                                                     : reader->read<WireType::Variant16>();
      check_tag(tag);
      skip_at(type.child(tag), type.is_optional() ? path : path.alternative(name(tag)), reader);
      return;
    }
    case WireType::RepeatedVariant8:
    case WireType::RepeatedVariant16:
      for (size_t item = 0;; ++item) {
        bool narrow = type.wire() == WireType::RepeatedVariant8;
        size_t tag = narrow ? size_t{reader->read<WireType::RepeatedVariant8>()}
                            : reader->read<WireType::RepeatedVariant16>();
        if (tag == max_children(type.wire())) return;
        check_tag(tag);
        skip_at(type.child(tag), path.item(item), reader);
      }
  }
}

}  // namespace

void skip_value(const Type& type, Reader* reader) { skip_at(type, Path(), reader); }

}  // namespace xwalk::skiff
