#include "xwalk/io/rows/spilled_rows.h"

#include <array>
#include <cstring>

#include "xwalk/hub/kinds.h"

namespace xwalk::io {
namespace {

/// The header before the buffers of an array.
struct Head {
  int64_t length = 0;
  int64_t null_count = 0;
  /// Bytes of each buffer, -1 for one that is not there.
  std::array<int64_t, 3> sizes{-1, -1, -1};
  /// Buffers begin where the widest values may.
  std::array<int64_t, 3> unused{};
};
constexpr uint64_t kAlignment = sizeof(Head);
static_assert(kAlignment == 64);

Head head_of(const hub::Type& type, const hub::Array& array) {
  Head head{.length = array.length, .null_count = array.null_count};
  const hub::Kind kind = type.kind();
  const hub::Form form = hub::kind_row(kind).form;
  if (hub::has_validity(kind) && array.buffers[0] != nullptr)
    head.sizes[0] = (array.length + 7) / 8;
  if (const std::optional<int> bits = hub::fixed_bits(type)) {
    head.sizes[1] = (array.length * *bits + 7) / 8;
  } else if (form == hub::Form::Union) {
    head.sizes[0] = array.length;
    if (kind == hub::Kind::DenseUnion) head.sizes[1] = array.length * 4;
  } else if (hub::buffer_count(kind) > 1) {
    const bool large = kind == hub::Kind::LargeUtf8 || kind == hub::Kind::LargeBinary ||
                       kind == hub::Kind::LargeList;
    head.sizes[1] = (array.length + 1) * (large ? 8 : 4);
    if (hub::buffer_count(kind) > 2) {
      head.sizes[2] =
          large ? array.values<int64_t>()[array.length] : array.values<int32_t>()[array.length];
    }
  }
  return head;
}

uint64_t rounded(int64_t size) {
  return (static_cast<uint64_t>(size) + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

void SpilledRows::write(const hub::Array& batch) {
  starts_.push_back(file_.size());
  put(type_, batch);
}

void SpilledRows::finish() {
  const uint64_t size = file_.size();
  mapping_ = std::make_shared<Mapping>(file_.release(), size, "a temporary file");
}

hub::Array SpilledRows::read(size_t batch) const {
  uint64_t at = starts_[batch];
  return get(type_, &at);
}

void SpilledRows::give_back(size_t batch) const {
  const uint64_t end = batch + 1 < starts_.size() ? starts_[batch + 1] : mapping_->bytes().size();
  mapping_->give_back(starts_[batch], end - starts_[batch]);
}

void SpilledRows::put(const hub::Type& type, const hub::Array& array) {
  const Head head = head_of(type, array);
  file_.write(&head, sizeof head);
  constexpr std::array<char, kAlignment> kZeros{};
  for (size_t i = 0; i < array.buffers.size(); ++i) {
    if (head.sizes[i] <= 0) continue;
    const auto size = static_cast<size_t>(head.sizes[i]);
    file_.write(array.buffers[i], size);
    file_.write(kZeros.data(), rounded(head.sizes[i]) - size);
  }
  for (size_t i = 0; i < array.children.size(); ++i) {
    put(type.child(i).type, array.children[i]);
  }
}

hub::Array SpilledRows::get(const hub::Type& type, uint64_t* at) const {
  const char* bytes = mapping_->bytes().data();
  Head head;
  std::memcpy(&head, bytes + *at, sizeof head);
  *at += sizeof head;
  hub::Array out;
  out.length = head.length;
  out.null_count = head.null_count;
  out.owners = {mapping_};
  out.buffers.resize(static_cast<size_t>(hub::buffer_count(type.kind())));
  for (size_t i = 0; i < out.buffers.size(); ++i) {
    if (head.sizes[i] < 0) continue;
    out.buffers[i] = bytes + *at;
    *at += rounded(head.sizes[i]);
  }
  for (const hub::Field& child : type.children()) out.children.push_back(get(child.type, at));
  return out;
}

}  // namespace xwalk::io
