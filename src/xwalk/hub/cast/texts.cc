#include "xwalk/hub/cast/texts.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/cast/text_values.h"
#include "xwalk/hub/cast/text_views.h"
#include "xwalk/hub/option.h"
#include "xwalk/yson/json_text.h"
#include "xwalk/yson/transcode.h"

// Text and bytes in every layout: offsets of 32 and 64 bits, views, fixed size; and bytes as lists
// of uint8.

namespace xwalk::hub::cast {
namespace {

constexpr ContentRule kUtf8 = {"UTF-8", is_valid_utf8};

/// Returns true if all values together are UTF-8 and each begins at a character, so that each is.
template <typename Offset>
bool all_utf8(const Array& in) {
  if (in.length == 0) return true;
  const OffsetReader<Offset> read(in);
  const Offset first = read.offsets[0];
  const Offset last = read.offsets[in.length];
  if (!is_valid_utf8({read.data + first, static_cast<size_t>(last - first)})) return false;
  for (int64_t i = 0; i < in.length; ++i) {
    if (read.offsets[i] < last && (read.data[read.offsets[i]] & 0xc0) == 0x80) return false;
  }
  return true;
}

}  // namespace

KernelPtr content_kernel(Type type, const ContentRule& rule, Path path) {
  return make_kernel(
      [type = std::move(type), &rule, path = std::move(path)](const Array& in, const Scope& scope) {
        if (rule.accepts == is_valid_utf8) {
          if ((type.kind() == Kind::Binary && all_utf8<int32_t>(in)) ||
              (type.kind() == Kind::LargeBinary && all_utf8<int64_t>(in))) {
            return in;
          }
        }
        with_text_reader(in, type, [&](auto read) {
          for (int64_t i = 0; i < in.length; ++i) {
            if (!is_valid(in, i) || rule.accepts(read(i))) continue;
            std::string message = fmt::format("expected {}, found {}", rule.name, clipped(read(i)));
            if (rule.fault != nullptr) message += ", " + rule.fault(read(i));
            scope.refuse(i, path, message);
          }
          return 0;
        });
        return in;
      });
}

namespace {

[[noreturn, gnu::cold]] void too_much_text() {
  throw Error(ErrorCode::Unsupported, "expected at most 2 GiB of text in one column of a batch", {},
              "use smaller batches: " + mention(Option::BatchRows));
}

/// Rejects a value of any type that did not become JSON.
[[gnu::cold]] void refuse_any(int64_t row, yson::JsonFault fault, std::string_view value,
                              const Path& path, const Scope& scope) {
  std::string message = fmt::format("expected a value that JSON has, found {}", describe(fault));
  std::string hint;
  if (fault == yson::JsonFault::Malformed) {
    message = "expected a value in YSON, found " + clipped(value);
  } else {
    yson::Buffer text;
    const char* p = value.data();
    yson::transcode(p, p + value.size(), yson::Format::Text, &text);
    constexpr size_t kShown = 60;
    message +=
        fmt::format(": {}{}", text.view().substr(0, kShown), text.size() > kShown ? "…" : "");
    hint = mention(Option::Any, "ytjson") + " keeps it, as JSON with $attributes, $value and $type";
  }
  scope.refuse(row, path, message, hint);
}

/// Converts offsets of one width to another. The bytes are shared.
template <typename From, typename To>
Array convert_text_offsets(const Array& in) {
  Array out = start_like(in);
  const From* from = in.values<From>(1);
  Buffer buffer((in.length + 1) * static_cast<int64_t>(sizeof(To)));
  To* to = buffer.as<To>();
  if (in.length == 0) {
    to[0] = 0;
    attach(out, buffer);
    attach(out, Buffer(0), nullptr);
    return out;
  }
  const From base = from[0];
  if (static_cast<int64_t>(from[in.length]) - base > std::numeric_limits<To>::max()) {
    too_much_text();
  }
  for (int64_t i = 0; i <= in.length; ++i) to[i] = static_cast<To>(from[i] - base);
  attach(out, buffer);
  out.buffers.push_back(in.raw<char>(2) + base);
  out.owners.insert(out.owners.end(), in.owners.begin(), in.owners.end());
  return out;
}

/// Copies values of any layout into an offset layout.
template <typename To>
Array copy_to_offsets(const Array& in, const Type& type) {
  Array out = start_like(in);
  Buffer buffer((in.length + 1) * static_cast<int64_t>(sizeof(To)));
  To* to = buffer.as<To>();
  to[0] = 0;
  with_text_reader(in, type, [&](auto read) {
    int64_t total = 0;
    for (int64_t i = 0; i < in.length; ++i) {
      if (is_valid(in, i)) total += static_cast<int64_t>(read(i).size());
      if (total > std::numeric_limits<To>::max()) {
        too_much_text();
      }
      to[i + 1] = static_cast<To>(total);
    }
    Buffer bytes(total);
    char* data = bytes.as<char>();
    for (int64_t i = 0; i < in.length; ++i) {
      if (to[i] == to[i + 1]) continue;
      std::memcpy(data + to[i], read(i).data(), static_cast<size_t>(to[i + 1] - to[i]));
    }
    attach(out, buffer);
    attach(out, bytes);
    return 0;
  });
  return out;
}

/// Views into the bytes of a 32-bit offset layout. All offsets must be in bounds.
Array views_of_text(const Array& in) {
  const OffsetReader<int32_t> read(in);
  Array out = start_like(in);
  Buffer buffer(in.length * static_cast<int64_t>(sizeof(View)));
  const bool outside =
      put_views({read.offsets, read.data, validity(in), in.offset, in.length}, buffer.as<View>());
  attach(out, buffer);
  Buffer length(outside ? sizeof(int64_t) : 0);
  if (outside) {
    out.buffers.push_back(read.data + read.offsets[0]);
    *length.as<int64_t>() = read.offsets[in.length] - read.offsets[0];
  }
  out.owners.insert(out.owners.end(), in.owners.begin(), in.owners.end());
  attach(out, length);
  return out;
}

/// Views into the bytes of an offset or fixed-size layout. A variadic buffer starts whenever 31
/// bits no longer suffice.
Array make_views(const Array& in, const Type& type) {
  Array out = start_like(in);
  Buffer buffer(in.length * static_cast<int64_t>(sizeof(View)));
  View* views = buffer.as<View>();
  std::vector<const char*> bases;
  std::vector<int64_t> sizes;
  with_text_reader(in, type, [&](auto read) {
    for (int64_t i = 0; i < in.length; ++i) {
      View view{};
      if (is_valid(in, i)) {
        const std::string_view value = read(i);
        if (value.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
          throw Error(ErrorCode::Unsupported, "expected a value of at most 2 GiB, found more");
        }
        view.size = static_cast<int32_t>(value.size());
        if (view.size <= kInlineBytes) {
          std::memcpy(&view.prefix, value.data(), value.size());
        } else {
          const bool reaches = !bases.empty() && value.data() >= bases.back() &&
                               value.data() - bases.back() + static_cast<int64_t>(value.size()) <=
                                   std::numeric_limits<int32_t>::max();
          if (!reaches) {
            bases.push_back(value.data());
            sizes.push_back(0);
          }
          std::memcpy(&view.prefix, value.data(), 4);
          view.buffer = static_cast<int32_t>(bases.size() - 1);
          view.offset = static_cast<int32_t>(value.data() - bases.back());
          sizes.back() = view.offset + static_cast<int64_t>(value.size());
        }
      }
      views[i] = view;
    }
    return 0;
  });
  attach(out, buffer);
  out.buffers.insert(out.buffers.end(), bases.begin(), bases.end());
  out.owners.insert(out.owners.end(), in.owners.begin(), in.owners.end());
  Buffer lengths(static_cast<int64_t>(sizes.size() * sizeof(int64_t)));
  std::ranges::copy(sizes, lengths.as<int64_t>());
  attach(out, lengths);
  return out;
}

Array copy_to_fixed(const Array& in, const Type& type, int32_t size, const Path& path,
                    const Scope& scope) {
  Array out = start_like(in);
  Buffer buffer(in.length * size);
  char* to = buffer.as<char>();
  const auto width = static_cast<size_t>(size);
  with_text_reader(in, type, [&](auto read) {
    for (int64_t i = 0; i < in.length; ++i, to += size) {
      const bool valid = is_valid(in, i);
      const std::string_view value = valid ? read(i) : std::string_view();
      if (value.size() == width) {
        std::memcpy(to, value.data(), width);
        continue;
      }
      std::memset(to, 0, width);
      if (valid) {
        scope.refuse(i, path, fmt::format("expected {} bytes, found {}", size, value.size()));
      }
    }
    return 0;
  });
  attach(out, buffer);
  return out;
}

/// Offsets over values of one size. The bytes are shared.
template <typename To>
Array offsets_over_fixed(const Array& in, int32_t size) {
  Array out = start_like(in);
  if (in.length * size > std::numeric_limits<To>::max()) {
    throw Error(ErrorCode::Unsupported, "expected at most 2 GiB of bytes in one column of a batch",
                {}, "use smaller batches: " + mention(Option::BatchRows));
  }
  Buffer buffer((in.length + 1) * static_cast<int64_t>(sizeof(To)));
  To* to = buffer.as<To>();
  for (int64_t i = 0; i <= in.length; ++i) to[i] = static_cast<To>(i * size);
  attach(out, buffer);
  out.buffers.push_back(in.raw<char>(1) + in.offset * size);
  out.owners.insert(out.owners.end(), in.owners.begin(), in.owners.end());
  return out;
}

/// Converts values of any type, stored as YSON, to JSON text with 32-bit offsets.
KernelPtr json_kernel(Type type, yson::JsonStyle style, Path path) {
  return make_kernel(
      [type = std::move(type), style, path = std::move(path)](const Array& in, const Scope& scope) {
        Array out = start_like(in);
        Buffer offsets((in.length + 1) * static_cast<int64_t>(sizeof(int32_t)));
        auto* ends = offsets.as<int32_t>();
        yson::Buffer texts;
        ends[0] = 0;
        with_text_reader(in, type, [&](auto read) {
          for (int64_t i = 0; i < in.length; ++i) {
            if (is_valid(in, i)) {
              const size_t before = texts.size();
              const yson::JsonFault fault = yson::write_json(read(i), style, &texts);
              if (fault != yson::JsonFault::None) {
                texts.truncate(before);
                refuse_any(i, fault, read(i), path, scope);
              }
              if (texts.size() > std::numeric_limits<int32_t>::max()) too_much_text();
            }
            ends[i + 1] = static_cast<int32_t>(texts.size());
          }
          return 0;
        });
        Buffer bytes(static_cast<int64_t>(texts.size()));
        if (!texts.empty()) std::memcpy(bytes.as<char>(), texts.view().data(), texts.size());
        attach(out, offsets);
        attach(out, bytes);
        return out;
      });
}

KernelPtr layout_kernel(const Type& from, const Type& to, const Path& path) {
  const Kind a = from.kind();
  const Kind b = to.kind();
  if (b == Kind::FixedSizeBinary) {
    if (a == Kind::FixedSizeBinary && from.size() == to.size()) return nullptr;
    return make_kernel([from, size = to.size(), path](const Array& in, const Scope& scope) {
      return copy_to_fixed(in, from, size, path, scope);
    });
  }
  if (is_view(b)) {
    if (is_view(a)) return nullptr;
    if (a == Kind::Utf8 || a == Kind::Binary) {
      return make_kernel([](const Array& in, const Scope&) { return views_of_text(in); });
    }
    return make_kernel([from](const Array& in, const Scope&) { return make_views(in, from); });
  }
  if (a == Kind::FixedSizeBinary) {
    return make_kernel([size = from.size(), large = is_large(b)](const Array& in, const Scope&) {
      return large ? offsets_over_fixed<int64_t>(in, size) : offsets_over_fixed<int32_t>(in, size);
    });
  }
  if (is_view(a)) {
    return make_kernel([from, large = is_large(b)](const Array& in, const Scope&) {
      return large ? copy_to_offsets<int64_t>(in, from) : copy_to_offsets<int32_t>(in, from);
    });
  }
  if (is_large(a) == is_large(b)) return nullptr;
  return make_kernel([large = is_large(b)](const Array& in, const Scope&) {
    return large ? convert_text_offsets<int32_t, int64_t>(in)
                 : convert_text_offsets<int64_t, int32_t>(in);
  });
}

bool is_byte_list(const Type& type) {
  return is_list(type.kind()) && type.child().type.kind() == Kind::Uint8;
}

/// Bytes of a 32-bit offset layout as the items of a list.
KernelPtr bytes_as_list() {
  return make_kernel([](const Array& in, const Scope&) {
    Array out = in;
    out.buffers.pop_back();
    Array items = start(in.length == 0 ? 0 : in.values<int32_t>(1)[in.length]);
    items.buffers.push_back(in.buffers[2]);
    items.owners = in.owners;
    out.children = {std::move(items)};
    return out;
  });
}

/// The items of a list of 32-bit offsets as bytes; an item must not be null.
KernelPtr list_as_bytes(Path path) {
  return make_kernel([path = std::move(path)](const Array& in, const Scope& scope) {
    const Array& items = in.children[0];
    if (count_nulls(items) > 0) {
      const auto* offsets = in.values<int32_t>(1);
      for (int64_t i = 0; i < in.length; ++i) {
        if (!is_valid(in, i)) continue;
        for (int32_t at = offsets[i]; at < offsets[i + 1]; ++at) {
          if (is_valid(items, at)) continue;
          scope.refuse(i, path.item(), "expected bytes, found a null item");
          break;
        }
      }
    }
    Array out = in;
    out.children.clear();
    out.buffers.push_back(items.length == 0 ? items.buffers[1] : items.values<uint8_t>());
    out.owners.insert(out.owners.end(), items.owners.begin(), items.owners.end());
    return out;
  });
}

Compiled compile_byte_lists(Compiler& compiler, const Field& from, const Field& to,
                            const Path& path) {
  const Field byte("item", Kind::Uint8, false);
  Field between = from;
  KernelPtr kernel;
  if (is_text_kind(from.type.kind())) {
    if (is_utf8(from.type.kind())) return std::nullopt;
    between.type = Kind::Binary;
    kernel = layout_kernel(from.type, between.type, path);
    between.type = list(byte);
    kernel = chain(std::move(kernel), bytes_as_list());
    compiler.note("type.as-storage", path, Effect::None, "bytes stored as a list of uint8");
    Findings before = std::exchange(compiler.findings, {});
    KernelPtr rest = compiler.field(between, to, path);
    // A fixed size stays fixed; the detour over offsets is not the user's business.
    const bool same_size = from.type.kind() == Kind::FixedSizeBinary &&
                           to.type.kind() == Kind::FixedSizeList &&
                           from.type.size() == to.type.size();
    for (Finding& finding : compiler.findings) {
      if (same_size && finding.rule == "size.narrowed") continue;
      before.push_back(std::move(finding));
    }
    compiler.findings = std::move(before);
    return chain(std::move(kernel), std::move(rest));
  }
  Field items = from.type.child();
  between.type = list(Field(items.name, items.type, items.nullable));
  Findings before = std::exchange(compiler.findings, {});
  kernel = compiler.field(from, between, path);
  compiler.findings = std::move(before);
  kernel = chain(std::move(kernel), list_as_bytes(path));
  compiler.note("type.as-storage", path, Effect::None, "a list of uint8 stored as bytes");
  if (items.nullable) {
    compiler.note("null.refused", path.item(), Effect::Refused, "bytes cannot contain null")
        .witness = "null";
  }
  if (to.type.kind() == Kind::FixedSizeBinary &&
      !(from.type.kind() == Kind::FixedSizeList && from.type.size() == to.type.size())) {
    compiler.note("size.narrowed", path, Effect::Refused,
                  fmt::format("every value must be {} bytes long", to.type.size()));
  }
  return chain(std::move(kernel), layout_kernel(Kind::Binary, to.type, path));
}

/// Values of any type as JSON text.
KernelPtr compile_any(Compiler& compiler, const Type& from, const Type& to, const Path& path) {
  const bool plain = compiler.options.any != AnyValues::YtJson;
  Finding& finding = compiler.note(
      "any.as-json", path, plain ? Effect::Refused : Effect::None,
      plain ? "stored as JSON text, which has no attributes, NaN, ±Inf or strings that aren't UTF-8"
            : "stored as JSON text with $attributes, $value and $type, bytes as code points");
  if (plain) {
    finding.witness = "%nan";
    finding.hint =
        mention(Option::Any, "ytjson") + " keeps them, as JSON with $attributes, $value and $type";
  }
  const yson::JsonStyle style = plain ? yson::JsonStyle::Plain : yson::JsonStyle::Living;
  return chain(json_kernel(from, style, path), layout_kernel(Kind::Utf8, to, path));
}

}  // namespace

Compiled compile_texts(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const Type& a = from.type;
  const Type& b = to.type;
  if ((is_byte_list(a) && (is_binary(b.kind()) || b.kind() == Kind::FixedSizeBinary)) ||
      (is_byte_list(b) && (is_binary(a.kind()) || a.kind() == Kind::FixedSizeBinary))) {
    return compile_byte_lists(compiler, from, to, path);
  }
  if (!is_text_kind(a.kind()) || !is_text_kind(b.kind())) return std::nullopt;
  const Domain source = domain_of(from, compiler.source(from));
  const Domain target = domain_of(to, compiler.target(to));
  const AnyValues any = compiler.options.any;
  const bool as_json = any == AnyValues::Json || any == AnyValues::YtJson;
  // A column whose type is JSON holds the values as JSON, whatever those of other columns become.
  if (source.yson &&
      (target.content == Content::Json || (as_json && target.content != Content::Bytes))) {
    KernelPtr kernel = compile_any(compiler, a, b, path);
    return target.rule == nullptr ? std::move(kernel)
                                  : chain(std::move(kernel), content_kernel(b, *target.rule, path));
  }
  if (source.length >= 0 && target.length >= 0 && source.length != target.length) {
    return compiler.no_way(path, from, to);
  }
  for (const Narrowing& narrowing : narrowings(source, target)) {
    compiler.narrow(narrowing, path);
    if (source.yson && narrowing.rule == "encoding.narrowed") {
      compiler.findings.back().hint =
          mention(Option::Any, "json") + " stores the values as JSON text";
    }
  }
  if (target.content > source.content) {
    compiler.note(
        "type.as-storage", path, Effect::None,
        target.content == Content::Bytes ? "text stored as bytes" : "JSON stored as text");
  }
  if (source.length >= 0 && target.length < 0) {
    compiler.note("size.lost", path, Effect::None,
                  fmt::format("the fixed length of {} bytes is not preserved", source.length));
  }
  const bool other_layout = a.kind() != b.kind() && is_large(a.kind()) + 2 * is_view(a.kind()) !=
                                                        is_large(b.kind()) + 2 * is_view(b.kind());
  if (other_layout && source.length < 0) compiler.note("layout.flattened", path);
  KernelPtr check;
  if (target.content < source.content) {
    check = content_kernel(a, target.content == Content::Json ? kJsonContent : kUtf8, path);
  }
  if (target.rule != nullptr && target.rule != source.rule) {
    check = chain(std::move(check), content_kernel(a, *target.rule, path));
  }
  return chain(std::move(check), layout_kernel(a, b, path));
}

}  // namespace xwalk::hub::cast
