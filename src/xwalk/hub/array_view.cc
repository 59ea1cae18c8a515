#include "xwalk/hub/array_view.h"

#include "xwalk/base/error.h"

namespace xwalk::hub {
namespace {

void expect_shape(bool fits, const Field& field) {
  if (fits) return;
  throw Error(ErrorCode::Internal,
              "expected an array of " + to_string(field.type) + ", found one of another shape");
}

const char* buffer(const ArrowArray& array, int64_t index) {
  return static_cast<const char*>(array.buffers[index]);
}

}  // namespace

ArrayView view_array(const ArrowArray& array, const Field& field) {
  ArrayView view;
  view.length = array.length;
  view.offset = array.offset;
  int64_t buffers = 2;
  switch (field.type.kind()) {
    case Kind::Null:
      expect_shape(array.n_buffers == 0 || array.n_buffers == 1, field);
      return view;
    case Kind::Utf8:
    case Kind::Binary:
      buffers = 3;
      break;
    case Kind::List:
    case Kind::Map:
    case Kind::DenseUnion:
      break;
    case Kind::Struct:
      buffers = 1;
      break;
    case Kind::LargeUtf8:
    case Kind::Utf8View:
    case Kind::LargeBinary:
    case Kind::BinaryView:
    case Kind::LargeList:
    case Kind::ListView:
    case Kind::LargeListView:
    case Kind::FixedSizeList:
    case Kind::SparseUnion:
    case Kind::Dictionary:
    case Kind::RunEndEncoded:
      throw Error(ErrorCode::Unsupported,
                  "expected a type with plain layout, found " + to_string(field.type));
    default:
      break;
  }
  expect_shape(array.n_buffers == buffers, field);
  if (field.type.kind() == Kind::DenseUnion) {
    view.values = buffer(array, 0);
    view.offsets = static_cast<const int32_t*>(array.buffers[1]);
  } else {
    if (array.null_count != 0) view.validity = static_cast<const uint8_t*>(array.buffers[0]);
    if (field.type.kind() == Kind::List || field.type.kind() == Kind::Map) {
      view.offsets = static_cast<const int32_t*>(array.buffers[1]);
    } else if (buffers == 3) {
      view.offsets = static_cast<const int32_t*>(array.buffers[1]);
      view.bytes = buffer(array, 2);
    } else if (buffers == 2) {
      view.values = buffer(array, 1);
    }
  }
  auto children = field.type.children();
  expect_shape(array.n_children == static_cast<int64_t>(children.size()), field);
  view.children.reserve(children.size());
  for (size_t i = 0; i < children.size(); ++i) {
    view.children.push_back(view_array(*array.children[i], children[i]));
  }
  return view;
}

}  // namespace xwalk::hub
