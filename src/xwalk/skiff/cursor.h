#pragma once

#include <cstdint>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/skiff/type.h"

namespace xwalk::skiff {

/// Walks a schema along with the tokens of a stream of its values and refuses a token that the
/// schema does not have there. A token is a simple value (but `nothing`, which has no bytes) or a
/// tag. Tuples need no token.
class SchemaCursor {
 public:
  explicit SchemaCursor(Type root);

  /// Takes one simple value. Throws Error (Usage) if the schema has something else here.
  void take(WireType simple) {
    expect(simple);
    settle();
  }
  /// Takes one tag of a variant or repeated variant (the end tag included). Throws Error (Usage) as
  /// above, and Error (Input) for a tag beyond the children.
  void take_tag(WireType variant, uint32_t tag);

  /// Returns true before the first token of a value and after the last one.
  bool between_values() const { return stack_.empty() && (pending_ == nullptr || fresh_); }

  /// Returns the way to the token that is expected next.
  Path path() const;

 private:
  struct Frame {
    const Type* type;
    /// Tuple: the next child. Variant: the child that is open. Repeated: items so far.
    uint32_t index;
  };

  void expect(WireType wire);
  void begin_value();
  void open(const Type& type);
  void settle();

  Type root_;
  std::vector<Frame> stack_;
  /// The node whose token comes next; null when the value is complete.
  const Type* pending_ = nullptr;
  /// True while no token of the current value was taken.
  bool fresh_ = true;
};

}  // namespace xwalk::skiff
