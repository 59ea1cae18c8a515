#include "xwalk/hub/cast/variants.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/cast/text_values.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/variant.h"
#include "xwalk/variant/transcode.h"

// VARIANT to and from YSON of any type, JSON and the layouts of VARIANT itself.

namespace xwalk::hub::cast {
namespace {

using variant::Fault;

/// Bytes of a column of 32-bit offsets, value by value.
class Column {
 public:
  explicit Column(int64_t rows) : ends_((rows + 1) * static_cast<int64_t>(sizeof(int32_t))) {
    ends_.as<int32_t>()[0] = 0;
  }
  yson::Buffer* bytes() { return &bytes_; }
  void end(int64_t row) {
    if (bytes_.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
      throw Error(ErrorCode::Unsupported, "expected at most 2 GiB in one column of a batch", {},
                  "use smaller batches: " + mention(Option::BatchRows));
    }
    ends_.as<int32_t>()[row + 1] = static_cast<int32_t>(bytes_.size());
  }
  /// Adds the buffers to an array that has validity.
  void attach_to(Array* out) {
    Buffer copy(static_cast<int64_t>(bytes_.size()));
    if (!bytes_.empty()) std::memcpy(copy.as<char>(), bytes_.view().data(), bytes_.size());
    attach(*out, ends_);
    attach(*out, copy);
  }

 private:
  Buffer ends_;
  yson::Buffer bytes_;
};

[[gnu::cold]] void refuse(int64_t row, std::string_view expected, const variant::Outcome& outcome,
                          const Path& path, const Scope& scope, const std::string& hint = {}) {
  std::string message = fmt::format("expected {}, found {}", expected, describe(outcome.fault));
  if (is_malformed(outcome.fault)) message += fmt::format(" at byte {}", outcome.byte);
  scope.refuse(row, path, message, hint);
}

/// Text or bytes to VARIANT, by `write`: write_yson_variant or write_json_variant.
template <typename Write>
KernelPtr to_variant_kernel(Type type, Path path, Write write) {
  return make_kernel(
      [type = std::move(type), path = std::move(path), write](const Array& in, const Scope& scope) {
        Column dictionaries(in.length);
        Column values(in.length);
        variant::Writer writer;
        with_text_reader(in, type, [&](auto read) {
          for (int64_t i = 0; i < in.length; ++i) {
            if (is_valid(in, i)) {
              const size_t before = values.bytes()->size();
              const variant::Outcome outcome = write(read(i), &writer, values.bytes());
              if (outcome.ok()) {
                writer.finish(dictionaries.bytes());
              } else {
                values.bytes()->truncate(before);
                refuse(i, "a value that VARIANT has", outcome, path, scope);
              }
            }
            dictionaries.end(i);
            values.end(i);
          }
          return 0;
        });
        Array out = start_like(in);
        out.children = {start(in.length), start(in.length)};
        dictionaries.attach_to(&out.children[0]);
        values.attach_to(&out.children[1]);
        return out;
      });
}

/// VARIANT to text or bytes, by `write`, which returns an Outcome.
template <typename Write>
KernelPtr from_variant_kernel(Type type, std::string_view expected, Path path, Write write) {
  return make_kernel([type = std::move(type), expected, path = std::move(path), write](
                         const Array& in, const Scope& scope) {
    Column texts(in.length);
    variant::Reader reader;
    for (int64_t i = 0; i < in.length; ++i) {
      if (is_valid(in, i)) {
        const size_t before = texts.bytes()->size();
        const variant::Outcome outcome = write(&reader, variant_at(in, type, i), texts.bytes());
        if (!outcome.ok()) {
          texts.bytes()->truncate(before);
          refuse(i, expected, outcome, path, scope);
        }
      }
      texts.end(i);
    }
    Array out = start_like(in);
    texts.attach_to(&out);
    return out;
  });
}

/// VARIANT to `any`. A value that is VARIANT null is not a value of `any`: a column has null for
/// it.
KernelPtr any_kernel(const Type& type, const Path& path) {
  const auto write = [](variant::Reader* reader, const variant::Encoded& value, yson::Buffer* out) {
    const size_t before = out->size();
    const variant::Outcome outcome =
        reader->to_yson(value, yson::Format::Binary, variant::Foreign::Refuse, out);
    const bool null = outcome.ok() && out->view().substr(before) == "#";
    return null ? variant::Outcome{Fault::Null, 0} : outcome;
  };
  return from_variant_kernel(type, "a value that YSON has", path, write);
}

KernelPtr json_kernel(const Type& type, const Path& path) {
  const auto write = [](variant::Reader* reader, const variant::Encoded& value, yson::Buffer* out) {
    return reader->to_json(value, variant::Foreign::Refuse, out);
  };
  return from_variant_kernel(type, "a value that JSON has", path, write);
}

}  // namespace

Compiled compile_variants(Compiler& compiler, const Field& from, const Field& to,
                          const Path& path) {
  const bool source = is_variant(from);
  const bool target = is_variant(to);
  if (source == target) return std::nullopt;
  const Field& text = source ? to : from;
  if (text.type.kind() != Kind::Binary && text.type.kind() != Kind::Utf8) return std::nullopt;
  const Domain domain =
      source ? domain_of(to, compiler.target(to)) : domain_of(from, compiler.source(from));
  const bool json = domain.content == Content::Json;
  if (!domain.yson && !json) return std::nullopt;
  if (target) {
    Finding& finding = compiler.note(
        "any.as-variant", path, Effect::Refused,
        json ? "stored as VARIANT, which has numbers of at most 38 digits and each key once"
             : "stored as VARIANT, which has no attributes, repeated keys or keys that aren't "
               "UTF-8");
    finding.witness = json ? "{\"a\":1,\"a\":2}" : "[<a=1>2]";
    if (!json) finding.hint = mention(Option::Any, "yson") + " keeps the bytes";
    return json ? to_variant_kernel(from.type, path, variant::write_json_variant)
                : to_variant_kernel(from.type, path, variant::write_yson_variant);
  }
  Finding& finding = compiler.note(
      json ? "variant.as-json" : "variant.as-any", path, Effect::Refused,
      json ? "stored as JSON text, which has no dates, times, UUIDs, binary, NaN or ±Inf"
           : "stored as YSON, which has no dates, times, UUIDs, floats or decimals, and no null "
             "as a whole value");
  finding.witness = "2026-01-02";
  return json ? json_kernel(from.type, path) : any_kernel(from.type, path);
}

}  // namespace xwalk::hub::cast
