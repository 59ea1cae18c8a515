#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "xwalk/hub/any_schema.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/formats/format.h"

// Options that only some formats take, as their rows say (`RowFormat::takes`).

namespace xwalk::io {

struct InputOptions;

/// The formats that use an option for reading and for writing; both empty for an option that is not
/// specific to formats.
struct TakenBy {
  std::vector<Format> read;
  std::vector<Format> written;

  bool is_read_by(std::span<const Format> formats) const;
  bool is_written_by(std::span<const Format> formats) const;
};
TakenBy taken_by(hub::Option option);

/// Returns true for an option about opening rows.
bool is_about_opening(hub::Option option);

/// Returns the names of formats, each once.
std::string names_of(std::span<const Format> formats);

/// Refuses options that none of these formats takes for an input. Throws Error (Usage).
void check_taken(const std::set<hub::Option>& given, std::span<const Format> input);

/// Refuses options that Arrow rows use only with a table schema next to them, if they have no table
/// schema. Throws Error (Usage).
void check_taken_without_table(const std::set<hub::Option>& given);

/// Refuses options that rows of a system do not take, of which only the schema is known. Throws
/// Error (Usage).
void check_taken_by(hub::System system, const InputOptions& options);

/// Refuses options of stores if no name is in a store. Throws Error (Usage).
void check_storage(const StorageOptions& storage, const Locations& names);

/// Returns the formats of a system, those of tables on a cluster among them.
std::vector<Format> formats_of(hub::System system);

}  // namespace xwalk::io
