#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/base/error.h"

namespace xwalk::hub {

/// An option of a conversion, as the library knows it. Each interface has its own spelling of it.
enum class Option : uint8_t {
  Format,
  Schema,
  RequireSchema,
  SaveSchema,
  TargetSchema,
  Message,
  Select,
  Exclude,
  Rename,
  Cast,
  Partitions,
  Unify,
  Limit,
  Sample,
  Seed,
  Tail,
  BatchRows,
  MaxMemory,
  Threads,
  Table,
  Part,
  Version,
  Follow,
  TableIndex,
  RangeIndex,
  RowIndex,
  EndOfStream,
  Int96Unit,
  ComplexTypeMode,
  StringKeyedDictMode,
  DecimalMode,
  TimeMode,
  UuidMode,
  UuidOrder,
  TzForm,
  DecimalSpecial,
  YsonFormat,
  SkipNullValues,
  To,
  Compression,
  RowGroupRows,
  PartitionBy,
  Geoparquet,
  Durable,
  Mode,
  Key,
  Evolve,
  Annotations,
  Round,
  MergeNulls,
  DropZone,
  VariantValues,
  DuplicateKeys,
  Any,
  ClusterVersion,
  LanceVersion,
  VortexEdition,
  ForReader,
  CsvFormulas,
  Allow,
  OnError,
  Rejects,
  MaxRejects,
  Storage,
  YtAttribute,
  YtWriters,
  Verify,
  Resume,
  Jobs,
  Shred,
};

inline constexpr size_t kOptions = static_cast<size_t>(Option::Shred) + 1;

/// Returns the option's id, `merge_nulls`: its name as a keyword of Python and in JSON.
std::string_view to_string(Option option);
/// Returns the option with an id; empty for an unknown id.
std::optional<Option> option_of_id(std::string_view id);
/// Returns the option that is written `--merge-nulls` on the program's command line; nothing for
/// other text.
std::optional<Option> option_of_word(std::string_view word);
/// Returns the option as written on the program's command line: `--merge-nulls`.
std::string_view program_word(Option option);

/// Names an option in a message or a hint, with a value if it needs one: `` `round` ``, ``
/// `duplicate_keys=last` ``. `spelled` translates it to an interface's syntax.
std::string mention(Option option, std::string_view value = {});

/// Where a text that mentions options is read.
enum class Interface : uint8_t {
  Program,  ///< `--round`, `--duplicate-keys last`
  Python,   ///< `round=True`, `duplicate_keys="last"`
  Json,     ///< `"round": true`, `"duplicate_keys": "last"`
  Sql,      ///< `round => true`, `duplicate_keys => 'last'`
  Copy,     ///< as options of COPY: `ROUND true`, `DUPLICATE_KEYS 'last'`
};

/// Returns a text with its mentions of options in an interface's syntax. A value in capitals is a
/// placeholder for the caller's own value and is left as it is.
std::string spelled(std::string_view text, Interface interface);

/// Returns an error with message, hint and file in an interface's syntax. A `file` that mentions an
/// option means the text given for it.
Error spelled(const Error& error, Interface interface);

}  // namespace xwalk::hub
