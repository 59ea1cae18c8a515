#include "xwalk/hub/cast/kernel.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/type_texts.h"

namespace xwalk::hub::cast {

void Refusals::add(int64_t row, const Path& path, std::string message, std::string hint) {
  if (seen_[static_cast<size_t>(row)] && !every_) return;
  seen_[static_cast<size_t>(row)] = true;
  Place place;
  place.row = static_cast<uint64_t>(first_row_ + row);
  place.path = path;
  bad_.push_back(
      {row, Error(ErrorCode::Input, std::move(message), std::move(place), std::move(hint)), {}});
}

std::vector<BadRow> Refusals::take(std::vector<BadRow> before) {
  std::ranges::stable_sort(bad_, {}, &BadRow::index);
  std::vector<BadRow> all;
  std::ranges::merge(std::make_move_iterator(before.begin()), std::make_move_iterator(before.end()),
                     std::make_move_iterator(bad_.begin()), std::make_move_iterator(bad_.end()),
                     std::back_inserter(all), {}, &BadRow::index, &BadRow::index);
  if (every_) return all;
  // What the source said about a row comes first, and stays.
  const auto same_row = [](const BadRow& a, const BadRow& b) { return a.index == b.index; };
  all.erase(std::unique(all.begin(), all.end(), same_row), all.end());
  return all;
}

std::optional<int64_t> Scope::row_of(int64_t index) const {
  std::optional<int64_t> at = index;
  for (const Scope* scope = this; scope != nullptr && at; scope = scope->outer) {
    if (scope->map != nullptr) at = scope->map->holder(*at);
  }
  return at;
}

void Scope::refuse(int64_t index, const Path& path, const std::string& message,
                   const std::string& hint) const {
  if (const std::optional<int64_t> row = row_of(index)) refusals->add(*row, path, message, hint);
}

KernelPtr chain(KernelPtr first, KernelPtr second) {
  if (!first) return second;
  if (!second) return first;
  return make_kernel(
      [first = std::move(first), second = std::move(second)](const Array& in, const Scope& scope) {
        return second->run(first->run(in, scope), scope);
      });
}

Finding& Compiler::note(std::string_view rule, const Path& path, Effect effect, std::string lost) {
  findings.push_back({.rule = rule, .path = path, .effect = effect, .lost = std::move(lost)});
  return findings.back();
}

void Compiler::refuse_null(const Path& path) {
  note("null.refused", path, Effect::Refused, "the target's column cannot be null").witness =
      "null";
}

void Compiler::renamed(const Field& from, const Field& to, const std::string& why,
                       const Path& path) {
  if (from.name == to.name) return;
  note("name.changed", path, Effect::None,
       fmt::format("becomes {}{}{}", quoted(to.name), why.empty() ? "" : ": ", why));
}

void Compiler::narrow(const Narrowing& narrowing, const Path& path, bool altered) {
  Finding& finding =
      note(narrowing.rule, path, altered ? Effect::Altered : Effect::Refused, narrowing.lost);
  finding.witness = narrowing.witness;
  if (!altered && narrowing.option) {
    const bool keys = *narrowing.option == Option::DuplicateKeys;
    finding.hint = keys ? mention(*narrowing.option, "last") + " keeps the last value of each key"
                        : mention(*narrowing.option) + " rounds such values";
    finding.hint += " instead (needs " + mention(Option::Allow, "lossy") + ")";
  }
}

KernelPtr Compiler::refuse(const Error& why) {
  if (!none.first) none.first = why;
  if (column.first != nullptr) column.first->emplace(column.second, why);
  return nullptr;
}

KernelPtr Compiler::no_way(const Path& path, const Field& from, const Field& to) {
  const auto [expected, found] = texts_apart(to, from);
  return refuse({ErrorCode::Unsupported,
                 fmt::format("expected a type that can become {}, found {}", expected, found),
                 {.path = path}});
}

bool same_layout(const Type& from, const Type& to) {
  if (from.kind() != to.kind()) return false;
  if (fixed_bits(from) != fixed_bits(to) || from.size() != to.size()) return false;
  if (from.kind() == Kind::Dictionary && from.index_kind() != to.index_kind()) return false;
  if (!std::ranges::equal(from.type_codes(), to.type_codes())) return false;
  return std::ranges::equal(from.children(), to.children(), [](const Field& a, const Field& b) {
    return a.name == b.name && (b.nullable || !a.nullable) && same_layout(a.type, b.type);
  });
}

}  // namespace xwalk::hub::cast
