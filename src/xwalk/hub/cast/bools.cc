#include <type_traits>

#include "xwalk/hub/cast/kernel.h"
#include "xwalk/hub/cast/number_types.h"
#include "xwalk/hub/extension.h"

// Bits, `arrow.bool8` and integers. Any byte of `arrow.bool8` but 0 is true, and only 1 comes back.

namespace xwalk::hub::cast {
namespace {

template <typename To>
Array widen_bits(const Array& in) {
  Array out = start_like(in);
  Buffer buffer(in.length * static_cast<int64_t>(sizeof(To)));
  To* to = buffer.as<To>();
  const auto* bits = in.raw<uint8_t>(1);
  for (int64_t i = 0; i < in.length; ++i) {
    to[i] = static_cast<To>((bits[(in.offset + i) >> 3] >> ((in.offset + i) & 7)) & 1);
  }
  attach(out, buffer);
  return out;
}

/// Packs integers to bits; only 0 and 1 fit.
template <typename From>
Array pack_bits(const Array& in, const Scope& scope, const Path& path) {
  Array out = start_like(in);
  Buffer buffer((in.length + 7) / 8);
  auto* bits = buffer.as<uint8_t>();
  std::memset(bits, 0, static_cast<size_t>((in.length + 7) / 8));
  const From* values = in.values<From>();
  unsigned other = 0;
  for (int64_t i = 0; i < in.length; ++i) {
    bits[i >> 3] = static_cast<uint8_t>(bits[i >> 3] | ((values[i] != 0 ? 1 : 0) << (i & 7)));
    other |= static_cast<unsigned>(values[i] != 0 && values[i] != 1);
  }
  attach(out, buffer);
  if (other != 0) {
    for (int64_t i = 0; i < in.length; ++i) {
      if (values[i] != 0 && values[i] != 1 && is_valid(in, i)) {
        scope.refuse(i, path, "expected 0 or 1, found " + xwalk::to_string(Int128{values[i]}));
      }
    }
  }
  return out;
}

KernelPtr from_bits(Kind to) {
  return with_integer(to, [](auto number) {
    using Bits = std::make_unsigned_t<decltype(number)>;
    return make_kernel([](const Array& in, const Scope&) { return widen_bits<Bits>(in); });
  });
}

KernelPtr to_bits(Kind from, const Path& path) {
  return with_integer(from, [&](auto number) {
    return make_kernel([path](const Array& in, const Scope& scope) {
      return pack_bits<decltype(number)>(in, scope, path);
    });
  });
}

bool is_bool8(const Field& field) {
  return field.type.kind() == Kind::Int8 && field.extension_name() == kBool8Extension;
}

void note_narrowing(Compiler& compiler, const Path& path) {
  Finding& finding =
      compiler.note("range.narrowed", path, Effect::Refused, "stores only false and true");
  finding.witness = "2";
}

}  // namespace

Compiled compile_bools(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const Kind a = from.type.kind();
  const Kind b = to.type.kind();
  const bool from_bool = a == Kind::Bool || is_bool8(from);
  const bool to_bool = b == Kind::Bool || is_bool8(to);
  if (!from_bool && !to_bool) return std::nullopt;
  if (!(from_bool || is_integer(a)) || !(to_bool || is_integer(b))) return std::nullopt;
  if (a == b && from_bool && to_bool) return KernelPtr();
  if (from_bool && !to_bool) compiler.note("type.as-storage", path);
  if (from_bool && to_bool) compiler.note("layout.flattened", path);
  if (a != Kind::Bool) note_narrowing(compiler, path);
  if (a == Kind::Bool) return from_bits(b);
  if (b == Kind::Bool) return to_bits(a, path);
  // Through bits: true and false become 1 and 0.
  return chain(to_bits(a, path), from_bits(b));
}

}  // namespace xwalk::hub::cast
