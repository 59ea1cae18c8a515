#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "xwalk/hub/evolution.h"
#include "xwalk/hub/finding.h"
#include "xwalk/lance/field_path.h"
#include "xwalk/lance/file.h"
#include "xwalk/lance/kinds.h"
#include "xwalk/lance/type.h"

namespace xwalk::lance {

/// What the evolution of a dataset depends on.
struct EvolutionState {
  Schema schema;
  /// The ids that the data files hold, one list per file, equal lists once. The next id is one
  /// above the highest of these and of the schema, so that ids of columns whose files are gone come
  /// back.
  std::vector<std::vector<int32_t>> data_files;
  /// Whether there are rows: else no change writes a file.
  bool has_rows = false;
  /// The version of the data files.
  DataVersion data_version = DataVersion::V2_2;
  /// The highest id ever given, where the dataset promises never to give one twice.
  std::optional<int32_t> max_allocated_id;
};

/// Takes the state out of a manifest file.
EvolutionState read_evolution_state(std::string_view manifest_file);

/// Returns the state of a dataset whose rows were all written with a schema, in one file. Ids that
/// it gave to columns which are gone are not in it.
EvolutionState state_of_schema(Schema schema);

/// Adds a column, or a member of the struct that `parent` names. Its ids are given here. Without
/// values the field is null in every row and no file is written.
struct AddField {
  FieldPath parent;
  Field field;
  bool with_values = false;
};
/// Drops a field and all below it; a struct or list that loses its last child goes with it.
struct DropField {
  FieldPath path;
};
struct RenameField {
  FieldPath path;
  std::string name;
};
/// Puts fields of one parent first, in this order; the others follow in theirs.
struct ReorderFields {
  std::vector<FieldPath> paths;
};
/// Changes a type within its family. The field and all below it get new ids.
struct CastField {
  FieldPath path;
  /// Type and children of this field; its name and the rest do not count.
  Field to;
};
struct SetNullable {
  FieldPath path;
  bool nullable = true;
};
/// Makes these columns the primary key, in this order, and no others.
struct SetPrimaryKey {
  std::vector<FieldPath> paths;
};
/// Makes these columns the clustering key, in this order, and no others.
struct SetClusteringKey {
  std::vector<FieldPath> paths;
};
using Operation = std::variant<AddField, DropField, RenameField, ReorderFields, CastField,
                               SetNullable, SetPrimaryKey, SetClusteringKey>;

using hub::DataWork;

struct Evolution {
  EvolutionState state;
  /// One entry per operation.
  std::vector<DataWork> work;
};

/// Applies operations one after the other, each as a call of the living system would. Throws Error
/// (Usage) for a path that is not there, with the closest name; Error (Unsupported) with the path
/// for what the living system refuses, and for a schema that would break a rule.
Evolution evolve(EvolutionState state, const std::vector<Operation>& operations);

/// Returns the next id that a new field gets.
int32_t next_field_id(const EvolutionState& state);

/// Returns what the living system does to values when it casts a column: those that end the change
/// (Refused) and those that become others (Altered), each at its path below the column.
hub::Findings cast_findings(const Field& from, const Field& to);

/// Returns true if the living system casts a column from one type to the other.
bool can_cast(const Field& from, const Field& to);

}  // namespace xwalk::lance
