#include "xwalk/hub/cast/kernel.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/cast/checks.h"
#include "xwalk/hub/cast/nulls.h"
#include "xwalk/hub/children.h"

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
  Finding finding;
  finding.rule = rule;
  finding.path = path;
  finding.effect = effect;
  finding.lost = std::move(lost);
  findings.push_back(std::move(finding));
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

void Compiler::no_way(const Path& path, const Field& from, const Field& to) const {
  Place place;
  place.path = path;
  throw Error(ErrorCode::Unsupported,
              fmt::format("expected a type that can become {}, found {}", hub::to_string(to.type),
                          hub::to_string(from.type)),
              std::move(place));
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

KernelPtr Compiler::values(const Field& from, const Field& to, const Path& path) {
  if (source(from).null_keys) {
    note("map.key-optional", from.type.kind() == Kind::Map ? path.map_key() : path.item(),
         Effect::Refused,
         "keys may be null, which the format forbids; rows with such keys are refused")
        .witness = "null";
  }
  constexpr std::array kFamilies = {
      compile_nulls,  compile_layouts,      compile_unions,   compile_structs, compile_maps,
      compile_lists,  compile_number_texts, compile_texts,    compile_ticks,   compile_bools,
      compile_floats, compile_decimals,     compile_intervals};
  for (const auto family : kFamilies) {
    if (Compiled compiled = family(*this, from, to, path)) return std::move(*compiled);
  }
  no_way(path, from, to);
}

KernelPtr Compiler::by_meaning(const Field& from, const Meanings::Meaning& meaning, const Field& to,
                               const Path& path) {
  if (!to_meaning_) {
    const bool requested = options.meanings->requested;
    to_meaning_ = options;
    to_meaning_->meanings = nullptr;
    from_meaning_ = to_meaning_;
    to_meaning_->values_as_text = requested;
    (requested ? to_meaning_ : from_meaning_)->renames.clear();
  }
  to_meaning_->target = meaning.refine;
  from_meaning_->source = meaning.refine;
  Field between = meaning.field;
  const bool dictionaries =
      from.type.kind() == Kind::Dictionary && to.type.kind() == Kind::Dictionary;
  if (dictionaries && !is_encoded(between.type)) {
    between.type = dictionary(to.type.index_kind(), between.type);
  }
  Compiler first(*to_meaning_);
  KernelPtr kernel = first.field(from, between, path);
  Compiler second(*from_meaning_);
  kernel = chain(std::move(kernel), second.field(between, to, path));
  std::ranges::move(first.findings, std::back_inserter(findings));
  std::ranges::move(second.findings, std::back_inserter(findings));
  return kernel;
}

KernelPtr Compiler::field(const Field& from, const Field& to, const Path& path) {
  if (options.meanings) {
    const auto meant = options.meanings->at.find(path);
    if (meant != options.meanings->at.end()) return by_meaning(from, meant->second, to, path);
  }
  KernelPtr kernel = values(from, to, path);
  if (!from.nullable || to.nullable || from.type.kind() == Kind::Null) {
    if (!from.nullable && to.nullable && to.type.kind() != Kind::Null) {
      note("null.added", path, Effect::None, "the target's column may be null");
    }
    return kernel;
  }
  if (!has_validity(to.type.kind())) return kernel;
  refuse_null(path);
  return chain(std::move(kernel), require_kernel(path));
}

}  // namespace xwalk::hub::cast
