#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/hub/cast.h"
#include "xwalk/io/bytes/location.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

class Original;

/// Wraps a reader so that pieces are changed to batches of another schema. The change runs in the
/// threads that decode pieces.
using ChangeBatch = std::function<hub::Batch(hub::Batch)>;
std::unique_ptr<SplitReader> change_pieces(std::unique_ptr<SplitReader> reader, hub::Schema schema,
                                           ChangeBatch change);

/// The same for a change that looks at the piece that a batch is of.
using ChangeOfPiece = std::function<hub::Batch(hub::Batch, const Piece&)>;
std::unique_ptr<SplitReader> change_pieces(std::unique_ptr<SplitReader> reader, hub::Schema schema,
                                           ChangeOfPiece change);

/// The hint of an error about a bad row, for readers that can skip it.
inline constexpr const char* kSkipHint = "Skip such rows with `on_error=skip`.";

/// Wraps a reader so that the first bad row of a piece is thrown, with its row number, and with
/// `hint` if it has none.
std::unique_ptr<SplitReader> refuse_bad_rows(std::unique_ptr<SplitReader> reader,
                                             std::string hint = {});

/// Wraps a reader of a file in memory so that it ends with an error if the file changes meanwhile.
std::unique_ptr<SplitReader> refuse_changes(std::unique_ptr<SplitReader> reader,
                                            std::shared_ptr<const Original> file);

/// Wraps a reader so that its bad rows are left out, and counted as they go by.
std::unique_ptr<SplitReader> leave_out_bad_rows(std::unique_ptr<SplitReader> reader,
                                                std::shared_ptr<std::atomic<int64_t>> count);

/// Casts the batch of a piece. Rows that the cast rejects have their numbers in the file.
hub::Batch cast_of_piece(const hub::CompiledCast& cast, hub::Batch batch, const Piece& piece);

/// Wraps a reader so that pieces are cast, in the threads that decode them.
std::unique_ptr<SplitReader> cast_pieces(std::unique_ptr<SplitReader> reader,
                                         hub::CompiledCast cast);

/// Wraps a reader so that its notes have these before its own.
std::unique_ptr<SplitReader> add_notes(std::unique_ptr<SplitReader> reader, hub::Findings given);

/// Wraps a reader of Arrow data of another producer so that rows with values outside their type are
/// bad, with the file in the errors.
std::unique_ptr<SplitReader> check_values(std::unique_ptr<SplitReader> reader, std::string file);

/// The same for values that violate the promises of the system or an annotation, such as invalid
/// bytes in a YSON column; see hub::compile_promises.
std::unique_ptr<SplitReader> check_promises(std::unique_ptr<SplitReader> reader,
                                            const hub::Refine& refine, std::string file);

/// Wraps a reader so that it ends after `limit` rows.
std::unique_ptr<SplitReader> limit_rows(std::unique_ptr<SplitReader> reader, int64_t limit);

/// Wraps a reader so that no batch has more than `rows` rows.
std::unique_ptr<SplitReader> limit_batches(std::unique_ptr<SplitReader> reader, int64_t rows);

/// Wraps a reader so that its first row has the number `first_row`.
std::unique_ptr<SplitReader> number_rows_from(std::unique_ptr<SplitReader> reader,
                                              int64_t first_row);

/// Chains readers of one schema: that of the first, which is open already. The others are opened in
/// their turn, and the rows of each are numbered on from the one before. A reader whose columns are
/// in another order or another layout of the same types is cast; Error (Input) names a file whose
/// schema differs more, or whose values the first schema does not promise by `refine`. Errors of
/// values name their file.
using OpenReader = std::function<std::unique_ptr<SplitReader>(const Location& file)>;
std::unique_ptr<SplitReader> chain(std::unique_ptr<SplitReader> first, std::string first_file,
                                   Locations other_files, OpenReader open, hub::Refine refine);

/// Returns the cast of rows of one schema to another that keeps every value, as `chain` requires of
/// its files. Throws Error (Input) naming `file` if no such cast exists.
hub::CompiledCast same_schema(const hub::Schema& rows, const hub::Schema& first,
                              const hub::Refine& refine, const std::string& file);

/// The same for readers that `next` opens, null at the end, in the input `name`.
using NextReader = std::function<std::unique_ptr<SplitReader>()>;
std::unique_ptr<SplitReader> chain_all(std::unique_ptr<SplitReader> first, NextReader next,
                                       const std::string& name);

}  // namespace xwalk::io
