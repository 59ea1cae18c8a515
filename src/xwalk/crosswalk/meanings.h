#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/crosswalk/column_casts.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/meaning.h"
#include "xwalk/hub/names.h"

namespace xwalk::crosswalk {

/// Returns what is known about the values of a source: what its system says and, if annotations are
/// believed, what the annotations of other systems add.
hub::Refine source_refinement(System from, bool annotations);

/// The same with the names of labels and the epochs that `meant` gives fields, for `hub::judge`.
hub::Refine judged_refinement(System system, bool annotations);

/// Returns true for bytes that hold values of any type as YSON, by the annotation of a system.
bool holds_yson(const hub::Field& field);

/// The rule of a path whose stored values are read as values of another meaning.
inline constexpr std::string_view kMeaningRule = "meaning.changed";

/// Returns how casts change values of a system's rows before the target stores them; null for no
/// casts.
std::shared_ptr<const hub::Meanings> meanings_of(System source, const hub::Schema& rows,
                                                 Casts casts);

/// Returns how values of columns become those of the types that annotations name; null if no
/// annotation names another type.
std::shared_ptr<const hub::Meanings> meanings_of_annotations(System system,
                                                             const hub::Schema& rows);

/// Returns how values of a source change when they are added to the rows of a target. `cast` is the
/// source with requested types, which `casts` lead to; `meaning` is the schema that the reader of
/// the existing rows gives, `renames` are new names for the source's columns.
std::shared_ptr<const hub::Meanings> meanings_of_rows(
    const hub::Schema& source, const hub::Schema& cast,
    const std::shared_ptr<const hub::Meanings>& casts, const AnySchema& target,
    const hub::Schema& meaning, const hub::Renames& renames);

/// Columns of rows, or of a schema, of a system.
struct JudgedColumns {
  System system;
  /// As the system's reader gives them: types that only an annotation names are still stored types.
  const hub::Schema& schema;
  /// Whether annotations are believed.
  bool annotations = true;
};

/// Returns columns with the types that annotations name, for `hub::judge`.
hub::Schema meant(const JudgedColumns& columns);

/// Two schemas whose columns are compared in pairs.
class ColumnJudge {
 public:
  /// `renames` has the names of members of `from` in `to`; null if they have the same names. It
  /// must outlive this.
  ColumnJudge(const JudgedColumns& from, const JudgedColumns& to,
              const hub::Renames* renames = nullptr);

  /// Judges whether values of a column of `from` may become values of one of `to`.
  hub::Disagreements judge(size_t from, size_t to) const;

  const hub::Field& from(size_t column) const { return from_.fields[column]; }
  const hub::Field& to(size_t column) const { return to_.fields[column]; }

 private:
  hub::Schema from_;
  hub::Schema to_;
  hub::JudgeOptions options_;
};

/// Returns the first place where a column has another meaning in two schemas; nothing if each
/// column that both have means the same, at every depth.
std::optional<hub::Disagreement> other_meaning(const JudgedColumns& from, const JudgedColumns& to);

/// Refuses rows of a file whose columns have another meaning than those of the first file, or that
/// no type could hold together with them. Throws Error (Input) naming `file`.
void check_one_meaning(const JudgedColumns& first, const JudgedColumns& rows,
                       const std::string& file);

/// Refuses to merge two schemas whose columns have different meanings. Values of one may hold those
/// of the other, and values of any type hold all. Throws Error (Input) with the path.
void check_mergeable(const JudgedColumns& first, const JudgedColumns& second);

/// Returns the request that may give a column the type of an existing one; nothing if none does, or
/// none can be read. `target` is the system whose notation the type is in.
std::optional<CastOption> cast_to(const hub::Disagreement& found, const hub::Field& wanted,
                                  System target);

/// Returns a request as a sentence.
std::string cast_hint(const CastOption& request);

}  // namespace xwalk::crosswalk
