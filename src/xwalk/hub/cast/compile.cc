#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "xwalk/hub/cast/kernel.h"
#include "xwalk/hub/cast/nulls.h"
#include "xwalk/hub/cast/variants.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/meaning.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/variant.h"

// The way of one level: the families of kernels are asked in turn.

namespace xwalk::hub::cast {

KernelPtr Compiler::values(const Field& from, const Field& to, const Path& path) {
  if (source(from).null_keys) {
    note("map.key-optional", from.type.kind() == Kind::Map ? path.map_key() : path.item(),
         Effect::Refused,
         "keys may be null, which the format forbids; rows with such keys are rejected")
        .witness = "null";
  }
  constexpr std::array kFamilies = {
      compile_nulls, compile_layouts, compile_variants,     compile_unions,   compile_structs,
      compile_maps,  compile_lists,   compile_number_texts, compile_texts,    compile_ticks,
      compile_bools, compile_floats,  compile_decimals,     compile_intervals};
  for (const auto family : kFamilies) {
    if (Compiled compiled = family(*this, from, to, path)) return std::move(*compiled);
  }
  return no_way(path, from, to);
}

namespace {

/// Returns the first place where values have no form in a requested type; nothing if each has one.
std::optional<Disagreement> without_form(const Field& from, const Meanings::Step& step,
                                         const Refine& known, const Path& path) {
  const Disagreements found = judge(from, step.field, path, {.from = known, .to = step.refine});
  const Disagreement* worst = first_beyond(Fit::ByValue, found);
  return worst == nullptr ? std::nullopt : std::optional(*worst);
}

Error no_form(const Disagreement& found, const Field& wanted, const Path& path) {
  std::string hint;
  if (found.fit == Fit::Stored) {
    const std::string request =
        fmt::format("{}={}{}", path.text(), kStoredWord, to_string(wanted.type));
    hint = mention(Option::Cast, request) + " reads stored values as that type.";
  }
  return {ErrorCode::Unsupported, found.reason, {.path = found.path}, std::move(hint)};
}

}  // namespace

KernelPtr Compiler::by_meaning(const Field& from, const std::vector<Meanings::Step>& steps,
                               const Field& to, const Path& path) {
  if (!to_meaning_) {
    to_meaning_ = options;
    to_meaning_->meanings = nullptr;
    from_meaning_ = to_meaning_;
    to_meaning_->renames.clear();
  }
  const bool dictionaries =
      from.type.kind() == Kind::Dictionary && to.type.kind() == Kind::Dictionary;
  Field here = from;
  Refine known = options.source;
  bool renamed = false;
  KernelPtr kernel;
  const auto add_step = [&](const Field& next, CastOptions& way) {
    way.source = known;
    Compiler compiler(way);
    kernel = chain(std::move(kernel), compiler.field(here, next, path));
    std::ranges::move(compiler.findings, std::back_inserter(findings));
    if (compiler.none.first) refuse(*compiler.none.first);
  };
  for (const Meanings::Step& step : steps) {
    const bool renames = step.between == Between::Existing && !renamed;
    renamed = renamed || renames;
    CastOptions& way = renames ? *from_meaning_ : *to_meaning_;
    const bool is_cast = step.between == Between::Cast && step.below == nullptr;
    way.target = step.refine;
    way.meanings = step.below;
    way.values_as_text = is_cast;
    std::optional<Disagreement> formless;
    if (is_cast) formless = without_form(here, step, known, path);
    if (formless && formless->fit == Fit::Stored) {
      return refuse(no_form(*formless, step.field, path));
    }
    Field between = step.field;
    if (!to.metadata.find(kVariantTypes)) between.metadata.erase(kVariantTypes);
    if (dictionaries && !is_encoded(between.type)) {
      between.type = dictionary(to.type.index_kind(), between.type);
    }
    add_step(between, way);
    // The families know the reason of most types that have no way at all.
    if (formless) return refuse(no_form(*formless, step.field, path));
    here = std::move(between);
    known = step.refine;
  }
  CastOptions& way = renamed ? *to_meaning_ : *from_meaning_;
  way.target = options.target;
  way.meanings = nullptr;
  way.values_as_text = options.values_as_text;
  add_step(to, way);
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
