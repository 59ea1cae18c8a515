#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/finding.h"

namespace xwalk::io {

/// A run of rows that was taken from an input and not decoded yet. It owns or shares all it needs,
/// and may outlive its reader.
class Piece {
 public:
  virtual ~Piece() = default;
  /// Turns the piece into a batch; called once, in any thread. Throws Error.
  virtual hub::Batch decode() = 0;
  /// Returns the file of the rows if there are several, else "". Also valid after `decode`.
  virtual std::string_view file() const { return {}; }
  /// Returns the number of a row in its file; `row` is its number in the batches that come from
  /// here. Valid after `decode`.
  virtual int64_t row_number(int64_t row) const { return row; }
  /// Fills in the bytes that rows have in the input, and where these begin, as far as the rows lack
  /// them. Their numbers are those in the file. Called after `decode`, in any thread. Does nothing
  /// if the input has no bytes of single rows.
  virtual void locate(std::vector<hub::BadRow>& /*rows*/) const {}
  /// Returns about how many bytes of values are in memory for the piece before it is decoded; 0 if
  /// they are few.
  virtual int64_t bytes() const { return 0; }
};

/// A piece that is decoded and then changed. The base forwards all calls.
class PieceOver : public Piece {
 public:
  explicit PieceOver(std::unique_ptr<Piece> inner) : inner_(std::move(inner)) {}
  std::string_view file() const override { return inner_->file(); }
  int64_t row_number(int64_t row) const override { return inner_->row_number(row); }
  void locate(std::vector<hub::BadRow>& rows) const override { inner_->locate(rows); }
  int64_t bytes() const override { return inner_->bytes(); }

 protected:
  std::unique_ptr<Piece> inner_;
};

class OpenedRows;

/// Layouts of columns that a caller accepts instead of the usual ones.
struct RowLayout {
  /// Columns of text or bytes may stay dictionaries if they are stored as such.
  bool dictionaries = false;
  /// The columns of `any`, by their index in the schema, that may be decoded as VARIANT.
  std::vector<size_t> variants;
};

/// A reader whose work comes in two parts: taking the next piece, by one thread at a time and in
/// order, and decoding it, by any thread. `next` does both.
class SplitReader : public hub::BatchReader {
 public:
  /// Returns the next piece, or null at the end. Throws Error.
  virtual std::unique_ptr<Piece> take() = 0;
  /// Returns how many rows the pieces taken so far hold.
  virtual int64_t rows_taken() const = 0;
  /// Returns a function that reports findings of decoding so far that are not in the schema, such
  /// as duplicate map keys that were dropped. Null if there can be none. It may outlive the reader.
  using Notes = std::function<hub::Findings()>;
  virtual Notes notes() const { return nullptr; }
  /// Returns the schema whose promises the reader has already checked; null if it has not. See
  /// hub::compile_promises.
  virtual const hub::Schema* kept_schema() const { return nullptr; }
  /// Returns the rows in a layout that the caller accepts as well; `schema` then shows it. Called
  /// at most once, before the first piece is taken. A reader that has one layout ignores it.
  virtual void lay_out(const RowLayout& /*accepted*/) {}
  /// Returns the rows of an engine that come from here as it gives them, in other layouts at most;
  /// null for all others.
  virtual std::shared_ptr<OpenedRows> opened_rows() const { return nullptr; }

  std::optional<hub::Batch> next() override {
    std::unique_ptr<Piece> piece = take();
    if (piece == nullptr) return std::nullopt;
    return piece->decode();
  }
};

/// Makes a piece of rows that are decoded already, of a file where there are several.
std::unique_ptr<Piece> decoded(hub::Batch batch, std::string file = {});

/// Makes a piece of rows of another one that was decoded.
std::unique_ptr<Piece> decoded(hub::Batch batch, std::unique_ptr<Piece> of);

/// Makes a split reader of any reader: its batches are decoded when they are taken.
std::unique_ptr<SplitReader> split(std::unique_ptr<hub::BatchReader> reader);

}  // namespace xwalk::io
