#include "xwalk/hub/cast/structs.h"

#include <memory>
#include <utility>

namespace xwalk::hub::cast {
namespace {

class StructKernel final : public Kernel {
 public:
  explicit StructKernel(std::vector<Member> members) : members_(std::move(members)) {}

  Array run(const Array& in, const Scope& scope) const override {
    Array out = start_like(in);
    const StructMap map(in);
    const Scope inner = validity(in) == nullptr ? scope : scope.inside(map);
    const bool nulls = count_nulls(in) > 0;
    out.children.reserve(members_.size());
    for (const Member& member : members_) {
      if (!member.source) {
        out.children.push_back(null_array(member.type, in.length));
        continue;
      }
      Array column = slice(in.children[*member.source], in.offset, in.length);
      const bool hides = nulls && member.mask && member.kernel;
      if (hides) column = masked(column, [&](int64_t i) { return is_valid(in, i); });
      Array made = cast::run(member.kernel, column, inner);
      if (hides && member.required) {
        made.buffers[0] = nullptr;
        made.null_count = 0;
      }
      out.children.push_back(std::move(made));
    }
    return out;
  }

 private:
  std::vector<Member> members_;
};

}  // namespace

KernelPtr struct_kernel(std::vector<Member> members, size_t source_count) {
  bool identity = members.size() == source_count;
  for (size_t i = 0; i < members.size(); ++i) {
    identity = identity && !members[i].kernel && members[i].source == i;
  }
  if (identity) return nullptr;
  return std::make_shared<StructKernel>(std::move(members));
}

}  // namespace xwalk::hub::cast
