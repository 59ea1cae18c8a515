#include "xwalk/hub/cast/variants.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/hub/array.h"
#include "xwalk/hub/cast/bytes_column.h"
#include "xwalk/hub/cast/noted_variants.h"
#include "xwalk/hub/cast/text_values.h"
#include "xwalk/hub/cast/texts.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/variant.h"
#include "xwalk/variant/leaf_types.h"
#include "xwalk/variant/transcode.h"

// VARIANT to and from YSON of any type, JSON and the layouts of VARIANT itself.

namespace xwalk::hub::cast {
namespace {

using variant::Fault;
using variant::Foreign;

[[gnu::cold]] void refuse(int64_t row, std::string_view expected, const variant::Outcome& outcome,
                          const Path& path, const Scope& scope, const std::string& hint = {}) {
  std::string message = fmt::format("expected {}, found {}", expected, describe(outcome.fault));
  if (is_malformed(outcome.fault)) message += fmt::format(" at byte {}", outcome.byte);
  scope.refuse(row, path, message, hint);
}

/// Returns true for faults that only Foreign::Refuse has.
bool is_foreign(Fault fault) {
  return (fault >= Fault::Date && fault <= Fault::DecimalDigits) || fault == Fault::TextBytes ||
         fault == Fault::NotText || fault == Fault::NotFinite || fault == Fault::Taken;
}

using Notes = std::optional<variant::LeafTypes>;

/// Returns the types that are noted for the values of a field.
Notes notes_of(const Field& field) {
  const auto text = field.metadata.find(kVariantTypes);
  return text ? variant::parse_leaf_types(*text) : std::nullopt;
}

std::string foreign_hint() {
  return mention(Option::VariantValues, "text") + " or " +
         mention(Option::VariantValues, "number") + " stores such values (needs " +
         mention(Option::Allow, "lossy") + ")";
}

/// Text or bytes to VARIANT, by `write`: write_yson_variant or write_json_variant. `hint` is for
/// sound values that VARIANT lacks.
template <typename Write>
KernelPtr to_variant_kernel(Type type, std::string hint, Path path, Write write) {
  return make_kernel([type = std::move(type), hint = std::move(hint), path = std::move(path),
                      write](const Array& in, const Scope& scope) {
    BytesColumn dictionaries(in.length);
    BytesColumn values(in.length);
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
            refuse(i, "a value that VARIANT has", outcome, path, scope,
                   is_malformed(outcome.fault) ? std::string() : hint);
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
KernelPtr from_variant_kernel(Type type, std::string_view expected, Foreign foreign, Path path,
                              Write write) {
  return make_kernel([type = std::move(type), expected, foreign, path = std::move(path), write](
                         const Array& in, const Scope& scope) {
    BytesColumn texts(in.length);
    variant::Reader reader;
    for (int64_t i = 0; i < in.length; ++i) {
      if (is_valid(in, i)) {
        const size_t before = texts.bytes()->size();
        const variant::Outcome outcome = write(&reader, variant_at(in, type, i), texts.bytes());
        if (!outcome.ok()) {
          texts.bytes()->truncate(before);
          const bool helps = foreign == Foreign::Refuse && is_foreign(outcome.fault);
          refuse(i, expected, outcome, path, scope,
                 helps ? foreign_hint() + "; a check of the rows counts them" : std::string());
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
KernelPtr any_kernel(const Type& type, Foreign foreign, Notes notes, const Path& path) {
  const auto write = [foreign, notes = std::move(notes)](variant::Reader* reader,
                                                         const variant::Encoded& value,
                                                         yson::Buffer* out) {
    const size_t before = out->size();
    const variant::Outcome outcome =
        notes ? write_noted(*notes, AnyText::Yson, value, reader->dictionary(), out)
              : reader->to_yson(value, yson::Format::Binary, foreign, out);
    const bool null = outcome.ok() && out->view().substr(before) == "#";
    return null ? variant::Outcome{Fault::Null, 0} : outcome;
  };
  return from_variant_kernel(type, "a value that YSON has", foreign, path, write);
}

KernelPtr json_kernel(const Type& type, Foreign foreign, Notes notes, const Path& path) {
  const auto write = [foreign, notes = std::move(notes)](variant::Reader* reader,
                                                         const variant::Encoded& value,
                                                         yson::Buffer* out) {
    return notes ? write_noted(*notes, AnyText::Json, value, reader->dictionary(), out)
                 : reader->to_json(value, foreign, out);
  };
  return from_variant_kernel(type, "a value that JSON has", foreign, path, write);
}

/// Describes how values of VARIANT are stored.
std::string_view message_of(bool json, Foreign foreign) {
  switch (foreign) {
    case Foreign::Refuse:
      return json ? "stored as JSON text, which has no dates, times, UUIDs, binary, NaN or ±Inf"
                  : "stored as YSON, which has no dates, times or UUIDs, and no null as a whole "
                    "value";
    case Foreign::Text:
      return json ? "stored as JSON text: dates, times, UUIDs, NaN and ±Inf become strings, "
                    "binary becomes base64"
                  : "stored as YSON: dates, times, UUIDs and decimals become strings; null as "
                    "a whole value is rejected";
    case Foreign::Number:
      return json ? "stored as JSON text: dates and times become numbers, UUIDs, NaN and ±Inf "
                    "become strings, binary becomes base64"
                  : "stored as YSON: dates and times become numbers, decimals become doubles, "
                    "UUIDs become strings; null as a whole value is rejected";
  }
  return "";
}

/// Compiles VARIANT to JSON text or to `any`.
KernelPtr from_variant(Compiler& compiler, const Field& from, const Field& to, bool json,
                       const Path& path) {
  const Foreign foreign = compiler.options.variant_values;
  const bool refuses = foreign == Foreign::Refuse;
  Finding& finding = compiler.note(json ? "variant.as-json" : "variant.as-any", path,
                                   refuses ? Effect::Refused : Effect::Altered,
                                   std::string(message_of(json, foreign)));
  finding.witness = "2026-01-02";
  if (refuses) finding.hint = foreign_hint();
  // Without a note in the target nothing says what text came from.
  if (refuses && !json) {
    compiler.note("variant.decimals-as-doubles", path, Effect::None,
                  "floats become doubles, decimals become doubles of the same digits or are "
                  "rejected");
  }
  Notes notes = refuses && to.metadata.find(kVariantTypes) ? notes_of(from) : std::nullopt;
  if (notes) {
    finding.lost +=
        "; values of the types by which the column is shredded become text and come back";
    finding.witness = "a date at a path without a noted type";
  }
  return json ? json_kernel(from.type, foreign, std::move(notes), path)
              : any_kernel(from.type, foreign, std::move(notes), path);
}

/// Compiles JSON text or `any` to VARIANT.
KernelPtr to_variant(const Field& from, bool json, std::string hint, const Path& path) {
  if (Notes notes = notes_of(from)) {
    const auto write = [json, notes = *std::move(notes)](
                           std::string_view text, variant::Writer* writer, yson::Buffer* out) {
      return read_noted(notes, json ? AnyText::Json : AnyText::Yson, text, writer, out);
    };
    return to_variant_kernel(from.type, std::move(hint), path, write);
  }
  return json ? to_variant_kernel(from.type, std::move(hint), path, variant::write_json_variant)
              : to_variant_kernel(from.type, std::move(hint), path, variant::write_yson_variant);
}

}  // namespace

Compiled compile_variants(Compiler& compiler, const Field& from, const Field& to,
                          const Path& path) {
  const bool source = is_variant(from);
  const bool target = is_variant(to);
  if (source == target) return std::nullopt;
  const Field& text = source ? to : from;
  // Values that become VARIANT may have any layout.
  const Kind kind = text.type.kind();
  const bool is_possible =
      source ? kind == Kind::Binary || kind == Kind::Utf8 : is_binary(kind) || is_utf8(kind);
  if (!is_possible) return std::nullopt;
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
    return to_variant(from, json, finding.hint, path);
  }
  KernelPtr kernel = from_variant(compiler, from, to, json, path);
  if (domain.rule == nullptr) return kernel;
  return chain(std::move(kernel), content_kernel(to.type, *domain.rule, path));
}

KernelPtr variant_check_kernel(Type type, Path path) {
  return make_kernel(
      [type = std::move(type), path = std::move(path)](const Array& in, const Scope& scope) {
        variant::Reader reader;
        for (int64_t i = 0; i < in.length; ++i) {
          if (!is_valid(in, i)) continue;
          const variant::Outcome outcome = reader.check(variant_at(in, type, i));
          if (!outcome.ok()) refuse(i, "a VARIANT", outcome, path, scope);
        }
        return in;
      });
}

}  // namespace xwalk::hub::cast
