#include "xwalk/hub/cast/kernel.h"
#include "xwalk/hub/cast/take.h"

// Dictionary and run-end encoding: decoded, then cast as their values.

namespace xwalk::hub::cast {
namespace {

template <typename Index>
Array decode_dictionary(const Array& in, const Type& type) {
  const Index* from = in.values<Index>(1);
  std::vector<int64_t> indices(static_cast<size_t>(in.length), -1);
  for (int64_t i = 0; i < in.length; ++i) {
    if (!is_valid(in, i)) continue;
    const auto index = static_cast<int64_t>(from[i]);
    if (index < 0 || index >= in.dictionary->length) {
      throw Error(ErrorCode::Input, "expected a dictionary index below " +
                                        std::to_string(in.dictionary->length) + ", found " +
                                        std::to_string(index));
    }
    indices[static_cast<size_t>(i)] = index;
  }
  return take(*in.dictionary, type, indices);
}

Array decode_dictionary_of(Kind index, const Array& in, const Type& type) {
  switch (index) {
    case Kind::Int8:
      return decode_dictionary<int8_t>(in, type);
    case Kind::Int16:
      return decode_dictionary<int16_t>(in, type);
    case Kind::Int32:
      return decode_dictionary<int32_t>(in, type);
    case Kind::Int64:
      return decode_dictionary<int64_t>(in, type);
    case Kind::Uint8:
      return decode_dictionary<uint8_t>(in, type);
    case Kind::Uint16:
      return decode_dictionary<uint16_t>(in, type);
    case Kind::Uint32:
      return decode_dictionary<uint32_t>(in, type);
    default:
      return decode_dictionary<uint64_t>(in, type);
  }
}

template <typename End>
Array decode_runs(const Array& in, const Type& type) {
  const Array& run_ends = in.children[0];
  const End* ends = run_ends.values<End>();
  std::vector<int64_t> indices(static_cast<size_t>(in.length));
  int64_t run = 0;
  for (int64_t i = 0; i < in.length; ++i) {
    while (run < run_ends.length && ends[run] <= in.offset + i) ++run;
    if (run >= run_ends.length || run >= in.children[1].length) {
      throw Error(ErrorCode::Input, "expected run ends up to the length of the array");
    }
    indices[static_cast<size_t>(i)] = run;
  }
  return take(in.children[1], type, indices);
}

Array decode_runs_of(Kind end, const Array& in, const Type& type) {
  switch (end) {
    case Kind::Int16:
      return decode_runs<int16_t>(in, type);
    case Kind::Int32:
      return decode_runs<int32_t>(in, type);
    default:
      return decode_runs<int64_t>(in, type);
  }
}

}  // namespace

Compiled compile_layouts(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const Kind kind = from.type.kind();
  if (kind != Kind::Dictionary && kind != Kind::RunEndEncoded) return std::nullopt;
  if (same_layout(from.type, to.type)) return KernelPtr();
  const size_t values = kind == Kind::Dictionary ? 0 : 1;
  Field decoded = from;
  decoded.type = from.type.child(values).type;
  const Type type = decoded.type;
  compiler.note("layout.flattened", path, from, to);
  KernelPtr decode;
  if (kind == Kind::Dictionary) {
    decode = make_kernel([type, index = from.type.index_kind()](const Array& in, const Scope&) {
      return decode_dictionary_of(index, in, type);
    });
  } else {
    decoded.nullable = from.nullable || from.type.child(1).nullable;
    decode =
        make_kernel([type, end = from.type.child(0).type.kind()](const Array& in, const Scope&) {
          return decode_runs_of(end, in, type);
        });
  }
  return chain(std::move(decode), compiler.field(decoded, to, path));
}

}  // namespace xwalk::hub::cast
