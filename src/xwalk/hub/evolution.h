#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/hub/any_schema.h"
#include "xwalk/hub/finding.h"

namespace xwalk::hub {

/// One change of a schema: its name and argument: add, cast `PATH=TYPE`; rename `PATH=NAME`; drop,
/// nullable, not-null `PATH`; reorder, primary-key `PATH,PATH,…`; others of single systems.
struct SchemaChange {
  std::string word;
  std::string text;
};

/// What a change does to the rows of a table.
struct DataWork {
  /// Ids of the columns whose values must be written into new files.
  std::vector<int32_t> written_ids;
  /// The column must hold no null, or the change fails.
  std::optional<int32_t> checked_id;
  /// What the system does to values, or removes besides: Refused for values that end the change,
  /// Altered for those that become others.
  Findings findings{};

  bool metadata_only() const { return written_ids.empty() && !checked_id; }
};

/// A schema after changes.
struct Evolved {
  AnySchema schema;
  /// The id of the next new field.
  int32_t next_id = 0;
  /// One entry per change; empty if no change of the system ever touches rows.
  std::optional<std::vector<DataWork>> work;
  /// Why the table itself would give new fields higher ids; "" if it would not.
  std::string higher_ids;
};

}  // namespace xwalk::hub
