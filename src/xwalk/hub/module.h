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
#include "xwalk/hub/evolution.h"
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
  /// Returns what the form cannot hold. Null if it can hold everything.
  Findings (*lost)(const AnySchema& schema) = nullptr;
};

/// An annotation taken apart.
struct Note {
  /// The type it names.
  std::string type;
  /// Tags, which change no value.
  std::vector<std::string> tags;
};

/// Whether schemas of a system distinguish layouts of the same values (large, view).
enum class Layouts : uint8_t {
  Alike,  ///< they do not: files may keep a layout, and it means nothing
  Noted,  ///< by xwalk's annotation only
  Distinct,
};

/// The interface of a system to the rest of the library, exported by its `module.h`. Every function
/// is required unless its comment says otherwise.
struct Module {
  /// The system's name in commands, messages and annotation keys.
  std::string_view name;
  /// Another name for it; "" if it has only one.
  std::string_view other_name;
  /// The system whose types the columns have, if it is another one.
  const Module* shares_types_of = nullptr;

  // Written forms.

  /// The usual form first.
  std::span<const WrittenForm> forms;
  /// Parses a schema in any form. Throws Error (Input).
  AnySchema (*parse)(std::string_view bytes);
  /// Parses one type in the system's syntax. It becomes the only column, named `kLoneColumn` if it
  /// has no name. A schema is accepted as well. Throws Error (Input).
  AnySchema (*parse_type)(std::string_view text);
  /// Whether a type in this syntax is nullable if it does not state it. Empty if it always does.
  std::optional<bool> nullable_by_default = false;
  /// Prints the type of a schema's only column in the system's syntax, on one line.
  std::string (*type_text)(const AnySchema& schema);
  /// Place in the order of guesses at text whose system is not named: the most telling syntax
  /// comes first.
  uint8_t guess;
  /// Returns one type of every kind there is, for `parse_type`.
  std::vector<std::string_view> (*kinds)();
  /// Returns what to use instead of a type that the system lacks and people know from its
  /// neighbours, by the first word of it; "" for other words. Null if it knows no such types.
  std::string_view (*instead_of)(std::string_view word) = nullptr;

  /// Returns the findings of the specification's rules about a schema: broken rules
  /// (`is_violation`) and remarks. Null if every schema that can be expressed is valid.
  Findings (*validate)(const AnySchema& schema) = nullptr;
  /// Returns true if the system's own software refuses a schema for what a rule found, so that the
  /// conversion must stop. Null if it accepts every schema.
  bool (*refuses)(const Finding& finding) = nullptr;
  /// The same for the bytes of an inconsistent schema, which `parse` would refuse. Null if schemas
  /// cannot be inconsistent. Throws Error (Input) for bytes that are not a schema.
  Findings (*validate_bytes)(std::string_view bytes) = nullptr;

  /// Returns every reason why rows of a table with one schema may not, or only after checking their
  /// values, be read as another, by the system's own rules. Null if the ranges of the types decide.
  std::vector<CompatibilityResult> (*incompatibilities)(
      const AnySchema& written, const AnySchema& read,
      const CompatibilityOptions& options) = nullptr;

  // The hub.

  /// Throws Error (Unsupported) with the path for what Arrow cannot hold.
  Schema (*to_arrow)(const AnySchema& schema);
  /// The exact mapping, and what it takes of Arrow. `refused` gets what the system cannot hold;
  /// throws the first if it is null.
  FromArrow<AnySchema> (*from_arrow)(const Schema& schema, Refused* refused);
  /// Returns the hub schema of a target's rows that come from a source of the same system, whose
  /// values may use the system's own forms. Null if they have the types that `to_arrow` returns.
  Schema (*to_arrow_of)(const AnySchema& target, const Schema& source) = nullptr;
  Capabilities capabilities;
  /// What the system states about the values of its fields. Null if the Arrow type states
  /// everything.
  Refinement (*refine)(const Field& field) = nullptr;
  /// Whether its annotation on a field of another system narrows the values further.
  bool notes_refine = false;

  // What distinguishes its schemas and files.

  /// Whether these are the hub's own schemas.
  bool is_hub = false;
  /// Whether a file keeps the metadata of Arrow fields, and with it annotations; for Vortex, whose
  /// types have none, in a separate slot.
  bool keeps_metadata = false;
  /// Whether it does so for the items of fixed-size lists.
  bool keeps_item_metadata = true;
  /// Whether no file of it holds rows that have no columns.
  bool needs_columns = false;
  /// Whether rows may have nulls in columns that are not nullable, so that each is checked.
  bool check_required = false;
  Layouts layouts = Layouts::Alike;
  /// Applies the Arrow schema that files keep in addition to their own to the one that `to_arrow`
  /// gives; null if they keep none.
  Schema (*restore)(const Schema& natural, const Schema& written) = nullptr;

  // Labels and annotations.

  /// Metadata key of a field's id; "" if fields have no id.
  std::string_view id_key;
  /// Metadata key of a field's other labels; "" if labels are ordinary metadata.
  std::string_view labels_key;
  /// Parses the text of `labels_key`, or the annotation of a schema, which holds the table's
  /// labels. Null if the system has no labels.
  Metadata (*labels)(std::string_view text) = nullptr;
  /// Parses an annotation of a field, with or without the optional that `nullable` already
  /// expresses. Null if the annotation's text is the type.
  Note (*note)(std::string_view text, bool nullable) = nullptr;
  /// Whether annotations describe bytes on the wire, which are meaningless for another system's
  /// columns.
  bool notes_bytes = false;

  // Rules and changes.

  /// The rules that only findings about this system have.
  std::span<const Rule> rules{};
  /// Applies changes in order, as a table would. Throws Error (Usage) for a change that cannot be
  /// parsed and a missing path; Error (Unsupported) with the path for a change that the system
  /// refuses. Null if changes follow no rules.
  Evolved (*evolve)(const AnySchema& schema, const std::vector<SchemaChange>& changes) = nullptr;

  // Conversion to other systems.

  /// Whether values of any type become VARIANT if no option names another type. Not for readers
  /// that show a VARIANT as a struct of bytes.
  bool prefers_variant = false;
  /// Metadata keys that say what rows mean, and that readers of other systems' files ignore: the
  /// defaults of columns that rows lack.
  std::span<const std::string_view> own_metadata{};

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

/// Column name for a type without one.
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
  for (const std::string_view example : row.examples) {
    if (!example.empty()) out->push_back(example);
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
