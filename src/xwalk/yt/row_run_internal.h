#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/builder.h"
#include "xwalk/yson/node.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/decode_context_internal.h"
#include "xwalk/yt/row_block_internal.h"
#include "xwalk/yt/row_decoder.h"

namespace xwalk::yt {

/// What `read_rows` returns, for a program that is compiled.
std::unique_ptr<hub::BatchReader> read_rows(std::unique_ptr<ByteSource> source,
                                            std::shared_ptr<const RowProgram> program,
                                            const ReadOptions& options);

/// Returns how many rows a batch may have: wide rows make batches of fewer rows.
int64_t batch_rows(const RowProgram& program, const ReadOptions& options);

/// Decodes a run of rows that comes in pieces, and keeps the state between them.
class RowRun {
 public:
  RowRun(std::shared_ptr<const RowProgram> program, const ReadOptions& options);

  enum class Stop : uint8_t {
    Full,   ///< as many rows as a batch may have
    Input,  ///< all bytes used but those of a row that is not complete
    Error,  ///< reading cannot go on; `error` says why
  };

  /// Decodes rows of `bytes` and moves `consumed` to the first byte not used. `last` says that
  /// nothing follows. At most `max_rows` rows are taken, and rows of at most `max_bytes` bytes.
  Stop run(std::string_view bytes, size_t* consumed, bool last, int64_t max_rows, size_t max_bytes);

  /// Rows since the last `finish`, rejected ones included.
  int64_t rows() const { return rows_; }
  bool has_error() const { return error_.has_value(); }
  const Error& error() const { return *error_; }

  /// Sets the place of the first byte that `run` is given next.
  void set_place(const RowsPlace& place);
  const RowsPlace& place() const { return place_; }
  /// Resets all state between calls and starts at a row and place.
  void restart(int64_t first_row, const RowsPlace& place);

  /// Gives the rows away as a batch.
  hub::Batch finish();

  /// What batches look like.
  const hub::Schema& schema() const { return schema_; }
  /// What control entities were met so far.
  ControlsMet met() const {
    ControlsMet met = met_;
    met.integers = context_.integers_met;
    return met;
  }

 private:
  /// Decodes some rows at once, the first at `p`; 0 leaves it to `decode_row`.
  int64_t take_rows(const char*& p, int64_t most, const char* enough);
  void start_run(std::string_view bytes, int64_t max_rows, size_t likely_bytes);
  /// Finds out from the first row whether rows are text.
  void find_form(const char* row, const char* end);
  /// Decodes one row by `decode_row`. Returns false if the run ends: at an error, or, with `p` back
  /// at the row, for more input.
  bool take_row(const char*& p, const char* end, bool last);
  /// Adds the columns of a row that the schema does not describe.
  void append_others();
  bool take_control(const char*& p, const char* end, bool last);
  /// Applies the attributes of a control entity to the rows after it. Returns why they are invalid,
  /// or nothing.
  std::optional<std::string> take_attributes(const yson::Node& entity);
  /// Adds the control attributes of the rows, and continues from there.
  void finish_controls(hub::Batch* batch, std::vector<hub::Array>* columns);
  bool refuse_row(const char* row, const char*& p, const char* end, bool last);
  /// Moves over a row of another table.
  bool skip_row(const char*& p, const char* end, bool last);
  void add_bad(const char* row, const char* row_end, int64_t index, Error error);
  void check_text(const char* end);
  /// The bytes of a row.
  struct Extent {
    const char* begin;
    const char* end;
  };
  Error make_error(std::string message, const char* at, Extent row, std::string hint = {}) const;
  Error too_long(const char* row, const char* end) const;
  void complete_rows(int64_t rows);
  /// Returns true if a column may be shorter than the rows are, with nulls to come.
  bool may_lag(const hub::ColumnBuilder& builder) const {
    return context_.required != nullptr && builder.nullable() && &builder != other_;
  }
  void advance(const char* to);
  void count_lines(const char* to) const;
  void count_ahead(const char* to);

  /// Control attributes that apply from a row on, until the next run.
  struct ControlRun {
    int64_t first;
    uint32_t table;
    hub::RowControl control;
  };

  std::shared_ptr<const RowProgram> program_;
  ReadOptions options_;
  hub::Schema schema_;
  std::vector<hub::ColumnBuilder> builders_;
  /// One per column of the table schema; null if it is not projected.
  std::vector<hub::ColumnBuilder*> columns_;
  /// What the columns point to if none is projected.
  std::unique_ptr<hub::ColumnBuilder> none_;
  hub::ColumnBuilder* other_ = nullptr;
  yson::Buffer others_;
  /// Top-level utf8 columns, whose bytes are checked all at once.
  std::vector<std::pair<hub::ColumnBuilder*, size_t>> texts_;
  int64_t text_checked_ = 0;
  /// Where each row since `text_checked_` begins and the last one ends.
  std::vector<const char*> row_starts_;

  /// Of a wide table, the columns that each row must have. Others are filled when rows are
  /// finished, so that a row costs what it has.
  std::vector<uint32_t> required_;
  DecodeContext context_;
  RowBlock block_;
  int64_t rows_ = 0;
  int64_t first_row_ = 0;
  std::vector<hub::BadRow> bad_;
  std::optional<Error> error_;
  bool after_row_ = false;
  bool table_seen_ = false;
  bool rows_seen_ = false;
  bool text_known_ = false;
  RowsPlace place_;
  /// None before the first control entity.
  std::vector<ControlRun> controls_;
  ControlsMet met_;
  /// The byte that place_ describes.
  const char* base_ = nullptr;
  /// How far lines were counted, from base_ on, for the position after the rows.
  const char* ahead_ = nullptr;
  uint64_t ahead_lines_ = 0;
  /// How far lines were counted for a message, so that many bad rows are counted once: newlines in
  /// [base_, counted_), and the byte after the last of them.
  mutable const char* counted_ = nullptr;
  mutable uint64_t counted_lines_ = 0;
  mutable const char* counted_start_ = nullptr;
};

}  // namespace xwalk::yt
