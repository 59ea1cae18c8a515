#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/convert/conversion.h"
#include "xwalk/io/bytes/location.h"

namespace xwalk::io {

/// The folder of the records, next to an output or below the folder of several. Readers skip names
/// with `_`.
inline constexpr const char* kRecordFolder = "_xwalk";

/// A record of one file of a resumable conversion, by which a later run decides whether the output
/// is complete. It is a JSON file below `kRecordFolder`.
struct TableRecord {
  enum class State : uint8_t {
    Begun,     ///< the conversion may write the output, or has written it without proof
    Complete,  ///< the output has all rows of the inputs
  };

  State state = State::Begun;
  /// Each input, and what identifies its contents; see `identity_of`.
  std::vector<std::pair<std::string, std::string>> inputs;
  /// `ConvertOptions::given_json`.
  std::string options;
  /// The types of the plan on both sides.
  std::string source_type;
  std::string target_type;
  /// What identifies the contents of the output.
  std::string output;
  uint64_t rows = 0;
  uint64_t rejected = 0;
  std::string first_rejected;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  /// The output was read back and has the values of the inputs.
  bool verified = false;

  /// Returns true if a conversion of these inputs with these options gives the same output.
  bool is_of(const TableRecord& other) const {
    return inputs == other.inputs && options == other.options;
  }
  /// Returns the name of an input that another record has under no name and with no such contents;
  /// null if it has all.
  const std::string* input_not_in(const TableRecord& other) const;
  /// Sets the types of a plan.
  void set_types(const crosswalk::Plan& plan);
  bool has_types_of(const crosswalk::Plan& plan) const;
};

/// Returns the name of an input that a later run in another folder finds it by.
std::string lasting_name(const Location& input);

/// Returns a text that changes if a file, a folder or an object changes: its size, and its time of
/// modification or the tag of the store; for a dataset in a store, whose objects are never changed,
/// their names. Returns "" if it does not exist. Throws Error (Io), and Usage for an input that
/// cannot be identified.
std::string identity_of(const Location& name, const StorageOptions& storage);

/// Returns the same of an input, which may be a pattern: it changes if a file of it comes or goes.
std::string identity_of_input(const Location& input, const InputOptions& options);

/// Sets in the options of a conversion what identifies the rows of each of its files, as
/// `OutputOptions::identities` has it, if the output keeps that: a number of 16 hexadecimal digits,
/// a space and the name. More files than `RowFormat::keeps_inputs` have one number together in a
/// new output. Throws Error (Usage) if they are added to an existing one, unless that is on
/// purpose: a later run could not tell that one of them was added. Nothing is set if one of the
/// files cannot be identified.
void identify_inputs(const Locations& files, const InputOptions& reading, OutputOptions* output);

/// Reads a record. Returns nothing if the file does not exist or is not a record.
std::optional<TableRecord> read_table_record(const Location& path, const StorageOptions& storage);

/// Writes a record as an output of these options, replacing an existing one. Throws Error (Io).
void write_table_record(const TableRecord& record, const Location& path,
                        const OutputOptions& options);

}  // namespace xwalk::io
