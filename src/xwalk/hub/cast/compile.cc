#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "xwalk/hub/cast/kernel.h"
#include "xwalk/hub/cast/nulls.h"
#include "xwalk/hub/cast/variants.h"
#include "xwalk/hub/children.h"
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
  if (!to.metadata.find(kVariantTypes)) between.metadata.erase(kVariantTypes);
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
