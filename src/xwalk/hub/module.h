#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/hub/any_schema.h"
#include "xwalk/hub/compatibility.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/lower.h"
#include "xwalk/hub/mapping.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// One written form of a system's schemas.
struct WrittenForm {
  std::string_view name;
  std::string (*print)(const AnySchema& schema);
  /// Bytes, not text.
  bool binary = false;
  /// Whether `Module::parse` takes it back; forms for other programs need not be.
  bool parsed = true;
  /// Tells what the form has no place for; null where it has one for all.
  Findings (*lost)(const AnySchema& schema) = nullptr;
};

/// An annotation taken apart.
struct Note {
  /// The type it names.
  std::string type;
  /// What changes no value.
  std::vector<std::string> tags;
};

/// Whether schemas of a system tell layouts of the same values apart (large, view).
enum class Layouts : uint8_t {
  Alike,  ///< they do not: files may keep a layout, and it means nothing
  Noted,  ///< by xwalk's annotation only
  Told,
};

/// What a system gives to the rest of the house: one row, exported by the system's `module.h`.
/// Every function has to be there unless its comment says otherwise.
struct Module {
  /// The system's name in commands, messages and annotation keys.
  std::string_view name;
  /// Another word for it; "" for none.
  std::string_view other_name;
  /// The system whose types the columns have, if it is another one.
  const Module* shares_types_of = nullptr;

  // Written forms.

  /// The usual form first.
  std::span<const WrittenForm> forms;
  /// Parses a schema in any form. Throws Error (Input).
  AnySchema (*parse)(std::string_view bytes);
  /// Parses one type in the system's own words; it becomes the only column, `kLoneColumn` if it has
  /// no name. A schema is taken as well. Throws Error (Input).
  AnySchema (*parse_type)(std::string_view text);
  /// Whether a type in those words may be null where they do not say; nothing where they always do.
  std::optional<bool> nullable_by_default = false;
  /// Prints the type of a schema's only column in the system's own words, in one line.
  std::string (*type_text)(const AnySchema& schema);
  /// Place in the order of guesses at text whose system is not named: the most telling syntax
  /// comes first.
  uint8_t guess;
  /// Returns one type of every kind there is, for `parse_type`.
  std::vector<std::string_view> (*kinds)();

  /// Returns what the rules of the specification say of a schema: those it breaks
  /// (`is_violation`), and what is worth knowing. Null where what can be said at all is right.
  Findings (*validate)(const AnySchema& schema) = nullptr;
  /// Whether the living system refuses a schema for what a rule found: then nothing goes on with
  /// it. Null where it takes every schema that there is.
  bool (*refuses)(const Finding& finding) = nullptr;
  /// The same for the bytes of a schema whose parts may not fit together, so that `parse` would
  /// refuse it; null where there is no such thing. Throws Error (Input) for what is no schema.
  Findings (*validate_bytes)(std::string_view bytes) = nullptr;

  /// Returns every reason why rows of a table with one schema may not, or not without a look at
  /// their values, be read as another, by the system's own rules. Null where the values that the
  /// types hold decide.
  std::vector<CompatibilityResult> (*incompatibilities)(
      const AnySchema& written, const AnySchema& read,
      const CompatibilityOptions& options) = nullptr;

  // The hub.

  /// Throws Error (Unsupported) with the path for what Arrow cannot hold.
  Schema (*to_arrow)(const AnySchema& schema);
  /// The exact mapping, and what it takes of Arrow.
  FromArrow<AnySchema> (*from_arrow)(const Schema& schema);
  /// Returns the hub schema of a target's rows that come from a source of the same system: its
  /// values may pass in forms of their own. Null where they pass as `to_arrow` says.
  Schema (*to_arrow_of)(const AnySchema& target, const Schema& source) = nullptr;
  Capabilities capabilities;
  /// What the system says of the values of its fields; null where the Arrow type says it all.
  Refinement (*refine)(const Field& field) = nullptr;
  /// Whether its annotation on a field of another system says more of the values there.
  bool notes_refine = false;

  // What distinguishes its schemas and files.

  /// Whether these are the hub's own schemas.
  bool is_hub = false;
  /// Whether a file keeps the metadata of Arrow fields, and with it annotations; for Vortex, whose
  /// types have none, in a slot beside them.
  bool keeps_metadata = false;
  /// Whether it does so for the items of fixed-size lists.
  bool keeps_item_metadata = true;
  /// Whether rows may have nulls in columns that are not nullable, so that each is looked at.
  bool check_required = false;
  Layouts layouts = Layouts::Alike;
  /// Applies the Arrow schema that files keep beside the data to the one that `to_arrow` gives;
  /// null where they keep none.
  Schema (*restore)(const Schema& natural, const Schema& written) = nullptr;

  // Labels and annotations.

  /// Metadata key of a field's id; "" where fields have none.
  std::string_view id_key;
  /// Metadata key of a field's other labels; "" where they are metadata.
  std::string_view labels_key;
  /// Takes the text of `labels_key` apart, and the annotation of a schema, which holds the table's
  /// labels; null where there is none.
  Metadata (*labels)(std::string_view text) = nullptr;
  /// Takes an annotation of a field apart, with or without the optional that `nullable` says
  /// already; null where its text is the type.
  Note (*note)(std::string_view text, bool nullable) = nullptr;
  /// Whether annotations speak of bytes on the wire, which say nothing of another system's columns.
  bool notes_bytes = false;

  /// A system stands for the address of its row.
  struct NotCopied {
    constexpr NotCopied() = default;
    NotCopied(const NotCopied&) = delete;
    NotCopied& operator=(const NotCopied&) = delete;
  };
  NotCopied not_copied{};

  /// Returns the system whose types the columns have.
  System types() const { return shares_types_of == nullptr ? *this : *shares_types_of; }
};

/// Name of the column of a type that stands alone.
inline constexpr std::string_view kLoneColumn = "value";

/// Returns what the exact mapping of a module gives as a schema of any system.
template <typename Model>
FromArrow<AnySchema> any_of(System system, FromArrow<Model> mapped) {
  return {{system, std::move(mapped.schema)}, std::move(mapped.findings)};
}

/// Adds the examples of a row of `kinds.h`, or its own name.
template <typename Row>
void add_examples(const Row& row, std::string_view name, std::vector<std::string_view>* out) {
  if (row.examples[0].empty()) out->push_back(name);
  for (const std::string_view words : row.examples) {
    if (!words.empty()) out->push_back(words);
  }
}

/// Returns the examples of all rows: `name` is the member that names a row.
template <typename Rows, typename Name>
std::vector<std::string_view> examples_of(const Rows& rows, Name name) {
  std::vector<std::string_view> out;
  for (const auto& row : rows) add_examples(row, row.*name, &out);
  return out;
}

}  // namespace xwalk::hub
