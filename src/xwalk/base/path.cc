#include "xwalk/base/path.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "xwalk/base/text.h"

namespace xwalk {
namespace {

using Kind = Path::Step::Kind;

bool is_plain(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return is_ascii_alnum(c) || c == '_' || c == '$' || c == '-';
  });
}

std::string printed(std::string_view name) {
  return is_plain(name) ? std::string(name) : quoted(name);
}

size_t mixed(size_t hash, size_t value) {
  return hash ^ (value + 0x9E3779B97F4A7C15U + (hash << 6) + (hash >> 2));
}

}  // namespace

std::string Path::Step::text() const {
  switch (kind) {
    case Kind::Field:
      return printed(name);
    case Kind::Item:
      return "[]";
    case Kind::ItemAt:
      return '[' + std::to_string(index) + ']';
    case Kind::MapKey:
      return "{key}";
    case Kind::MapValue:
      return "{value}";
    case Kind::Alternative:
      return '<' + printed(name) + '>';
  }
  return {};
}

Path Path::below(Step step) const {
  auto node = std::make_shared<Node>();
  node->above = node_;
  node->size = size() + 1;
  node->hash = mixed(mixed(Hash()(*this), static_cast<size_t>(step.kind) + step.index),
                     std::hash<std::string>()(step.name));
  node->step = std::move(step);
  return Path(std::move(node));
}

Path Path::column(std::string_view name) { return Path().field(name); }
Path Path::field(std::string_view name) const { return below({Kind::Field, std::string(name), 0}); }
Path Path::item() const { return below({Kind::Item, {}, 0}); }
Path Path::item(size_t index) const { return below({Kind::ItemAt, {}, index}); }
Path Path::map_key() const { return below({Kind::MapKey, {}, 0}); }
Path Path::map_value() const { return below({Kind::MapValue, {}, 0}); }
Path Path::alternative(std::string_view name) const {
  return below({Kind::Alternative, std::string(name), 0});
}

std::vector<const Path::Step*> Path::steps() const {
  std::vector<const Step*> out(size());
  const Node* node = node_.get();
  for (size_t i = out.size(); i-- > 0; node = node->above.get()) out[i] = &node->step;
  return out;
}

Path Path::in_schema() const {
  Path out;
  for (const Step* step : steps()) {
    out = step->kind == Kind::ItemAt ? out.item() : out.below(*step);
  }
  return out;
}

std::string Path::text() const {
  if (size() == 1) return last().text();
  std::string out;
  for (const Step* step : steps()) {
    if (step->kind == Kind::Field && !out.empty()) out += '.';
    out += step->text();
  }
  return out;
}

bool operator==(const Path& a, const Path& b) {
  const Path::Node* left = a.node_.get();
  const Path::Node* right = b.node_.get();
  // Paths from the same walk share their upper steps, so the comparison ends there.
  for (; left != right; left = left->above.get(), right = right->above.get()) {
    if (left == nullptr || right == nullptr || left->hash != right->hash ||
        left->size != right->size || !(left->step == right->step)) {
      return false;
    }
  }
  return true;
}

}  // namespace xwalk
