#include "xwalk/skiff/cursor.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::skiff {

SchemaCursor::SchemaCursor(Type root) : root_(std::move(root)) { begin_value(); }

void SchemaCursor::begin_value() {
  fresh_ = true;
  open(root_);
}

void SchemaCursor::open(const Type& type) {
  if (type.wire() != WireType::Nothing && type.wire() != WireType::Tuple) {
    pending_ = &type;
    return;
  }
  if (type.wire() == WireType::Tuple) stack_.push_back({&type, 0});
  settle();
}

void SchemaCursor::settle() {
  pending_ = nullptr;
  while (!stack_.empty()) {
    Frame& top = stack_.back();
    if (is_repeated(top.type->wire())) {
      pending_ = top.type;
      return;
    }
    if (top.type->wire() == WireType::Tuple && top.index < top.type->children().size()) {
      const Type& child = top.type->child(top.index++);
      if (child.wire() == WireType::Nothing) continue;
      if (child.wire() == WireType::Tuple) {
        stack_.push_back({&child, 0});
        continue;
      }
      pending_ = &child;
      return;
    }
    stack_.pop_back();
  }
}

void SchemaCursor::expect(WireType wire) {
  if (pending_ == nullptr) begin_value();
  if (pending_ == nullptr || pending_->wire() != wire) {
    Place place;
    place.path = path();
    throw Error(ErrorCode::Usage,
                fmt::format("expected {} by the schema, found {}",
                            pending_ == nullptr ? "no token" : wire_name(pending_->wire()),
                            wire_name(wire)),
                std::move(place));
  }
  fresh_ = false;
}

void SchemaCursor::take_tag(WireType variant, uint32_t tag) {
  expect(variant);
  const Type* type = pending_;
  bool repeated = is_repeated(variant);
  // An open repeated variant is the top frame already, unless this is its first tag: then the top
  // frame is another node, or the same shared node opened as its own descendant, which cannot be.
  bool opened = repeated && !stack_.empty() && stack_.back().type == type;
  if (repeated && tag == max_children(variant)) {
    if (opened) stack_.pop_back();
    settle();
    return;
  }
  if (tag >= type->children().size()) {
    Place place;
    place.path = path();
    throw Error(ErrorCode::Input,
                fmt::format("expected a tag of {} below {}, found {}", wire_name(variant),
                            type->children().size(), tag),
                std::move(place));
  }
  if (opened) {
    ++stack_.back().index;
  } else {
    stack_.push_back({type, repeated ? 0 : tag});
  }
  open(type->child(tag));
}

Path SchemaCursor::path() const {
  Path path;
  auto named = [](const Type& type, size_t index) {
    return type.name().empty() ? std::to_string(index) : type.name();
  };
  for (const Frame& frame : stack_) {
    WireType wire = frame.type->wire();
    if (wire == WireType::Tuple) {
      size_t index = frame.index == 0 ? 0 : frame.index - 1;
      if (index < frame.type->children().size()) {
        path = path.field(named(frame.type->child(index), index));
      }
    } else if (is_repeated(wire)) {
      path = path.item(frame.index);
    } else if (!frame.type->is_optional()) {
      path = path.alternative(named(frame.type->child(frame.index), frame.index));
    }
  }
  return path;
}

}  // namespace xwalk::skiff
