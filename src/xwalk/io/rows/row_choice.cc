#include "xwalk/io/rows/row_choice.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/filter.h"
#include "xwalk/io/rows/row_stream.h"
#include "xwalk/io/rows/wrapped_reader.h"

namespace xwalk::io {
namespace {

/// Mixes the number of a row with a seed; no two rows give the same (splitmix64 is one to one).
uint64_t mixed(uint64_t row, uint64_t seed) {
  uint64_t x = row + (seed + 1) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Returns the rows of a batch, bad or not, whose mixed numbers are at most `most`.
hub::Batch rows_up_to(hub::Batch batch, const hub::Schema& schema, uint64_t most, uint64_t seed,
                      std::vector<uint64_t>* numbers = nullptr) {
  std::vector<int64_t> kept;
  std::vector<hub::BadRow> bad;
  auto next_bad = batch.bad.begin();
  for (int64_t row = 0; row < batch.rows(); ++row) {
    const bool is_bad = next_bad != batch.bad.end() && next_bad->index == row;
    const auto number = static_cast<uint64_t>(batch.first_row + row);
    const bool keeps = mixed(number, seed) <= most;
    if (keeps && is_bad) {
      bad.push_back(std::move(*next_bad));
      Place& place = bad.back().error.place();
      if (!place.row) place.row = number;
      bad.back().index = static_cast<int64_t>(kept.size());
    }
    if (is_bad) ++next_bad;
    if (!keeps) continue;
    kept.push_back(row);
    if (numbers != nullptr) numbers->push_back(number);
  }
  batch.bad.clear();
  if (static_cast<int64_t>(kept.size()) < batch.rows()) {
    batch = hub::take_rows(batch, schema, kept);
  }
  batch.bad = std::move(bad);
  return batch;
}

/// Passes on the properties of a reader, except the number of rows.
class ChosenRows : public WrappedReader {
 public:
  using WrappedReader::WrappedReader;
  int64_t rows_taken() const override { return rows_; }
  std::optional<int64_t> total_rows() const override { return std::nullopt; }
  const hub::Schema* kept_schema() const override { return inner_->kept_schema(); }

 protected:
  int64_t rows_ = 0;
};

class SampledPiece final : public PieceOver {
 public:
  SampledPiece(std::unique_ptr<Piece> inner, const hub::Schema& schema, uint64_t most,
               uint64_t seed)
      : PieceOver(std::move(inner)), schema_(schema), most_(most), seed_(seed) {}
  hub::Batch decode() override {
    hub::Batch batch = inner_->decode();
    first_row_ = batch.first_row;
    return rows_up_to(std::move(batch), schema_, most_, seed_, &numbers_);
  }
  int64_t row_number(int64_t row) const override {
    return inner_->row_number(
        static_cast<int64_t>(numbers_[static_cast<size_t>(row - first_row_)]));
  }

 private:
  hub::Schema schema_;
  uint64_t most_;
  uint64_t seed_;
  int64_t first_row_ = 0;
  /// Of the rows that are kept, in the input.
  std::vector<uint64_t> numbers_;
};

/// Rows whose mixed numbers are at most a threshold. Their number in a piece is known once it is
/// decoded: with `counted` that happens when it is taken.
class Sampled final : public ChosenRows {
 public:
  Sampled(std::unique_ptr<SplitReader> inner, uint64_t most, uint64_t seed, bool counted)
      : ChosenRows(std::move(inner)), most_(most), seed_(seed), counted_(counted) {}

  std::unique_ptr<Piece> take() override {
    std::unique_ptr<Piece> piece = inner_->take();
    if (!counted_) rows_ = inner_->rows_taken();
    if (piece == nullptr) return nullptr;
    piece = std::make_unique<SampledPiece>(std::move(piece), inner_->schema(), most_, seed_);
    if (!counted_) return piece;
    hub::Batch batch = piece->decode();
    rows_ += batch.rows();
    return decoded(std::move(batch), std::move(piece));
  }

 private:
  uint64_t most_;
  uint64_t seed_;
  bool counted_;
};

/// Returns the threshold for mixed numbers that selects this many rows.
uint64_t threshold(std::vector<uint64_t> mixed_numbers, int64_t rows) {
  const auto nth = mixed_numbers.begin() + (rows - 1);
  std::ranges::nth_element(mixed_numbers, nth);
  return *nth;
}

/// A fixed number of rows from an unknown total: all are read before the first is returned.
class Reservoir final : public ChosenRows {
 public:
  Reservoir(std::unique_ptr<SplitReader> inner, int64_t rows, uint64_t seed, bool keeps_bytes)
      : ChosenRows(std::move(inner)), most_rows_(rows), seed_(seed), keeps_bytes_(keeps_bytes) {}

  std::unique_ptr<Piece> take() override {
    if (!filled_) fill();
    if (held_.empty()) return nullptr;
    Held held = std::move(held_.front());
    held_.pop_front();
    rows_ += held.batch.rows();
    return std::make_unique<HeldPiece>(std::move(held));
  }

 private:
  /// The row's position in its file, and its bytes.
  struct Origin {
    std::string bytes;
    std::optional<uint64_t> byte;
    std::optional<uint64_t> line;
  };
  struct Held {
    hub::Batch batch;
    /// Of its rows, in the input.
    std::vector<uint64_t> numbers;
    /// The origins of its rows by row number, if bytes are kept.
    std::map<uint64_t, Origin> origins;
    std::string file;
    int64_t rows_before = 0;  ///< of other files
  };

  class HeldPiece final : public Piece {
   public:
    explicit HeldPiece(Held held) : held_(std::move(held)), first_row_(held_.batch.first_row) {}
    hub::Batch decode() override { return std::move(held_.batch); }
    std::string_view file() const override { return held_.file; }
    int64_t row_number(int64_t row) const override {
      const uint64_t number = held_.numbers[static_cast<size_t>(row - first_row_)];
      return static_cast<int64_t>(number) - held_.rows_before;
    }
    void locate(std::vector<hub::BadRow>& rows) const override {
      for (hub::BadRow& row : rows) {
        Place& place = row.error.place();
        const auto origin = held_.origins.find(*place.row);
        if (origin == held_.origins.end() || !row.source_bytes.empty()) continue;
        row.source_bytes = origin->second.bytes;
        if (!place.byte) place.byte = origin->second.byte;
        if (!place.line) place.line = origin->second.line;
      }
    }

   private:
    Held held_;
    int64_t first_row_;
  };

  void fill() {
    filled_ = true;
    size_t count = 0;
    while (const std::unique_ptr<Piece> piece = inner_->take()) {
      Held held;
      held.batch = rows_up_to(piece->decode(), inner_->schema(), most_, seed_, &held.numbers);
      held.file = piece->file();
      const int64_t first_row = held.batch.first_row;
      held.rows_before = first_row - piece->row_number(first_row);
      for (hub::BadRow& bad : held.batch.bad) {
        if (bad.error.place().file.empty()) bad.error.place().file = held.file;
      }
      if (keeps_bytes_) held.origins = origins_of(*piece, held.numbers, held.rows_before);
      count += held.numbers.size();
      if (!held.numbers.empty()) held_.push_back(std::move(held));
      if (count > 2 * static_cast<size_t>(most_rows_)) count = thin_out();
    }
    thin_out();
  }

  static std::map<uint64_t, Origin> origins_of(const Piece& piece,
                                               const std::vector<uint64_t>& numbers,
                                               int64_t rows_before) {
    std::vector<hub::BadRow> rows;
    for (const uint64_t number : numbers) {
      hub::BadRow& row = rows.emplace_back(hub::BadRow{0, Error(ErrorCode::Input, ""), ""});
      row.error.place().row = number - static_cast<uint64_t>(rows_before);
    }
    piece.locate(rows);
    std::map<uint64_t, Origin> out;
    for (hub::BadRow& row : rows) {
      const Place& place = row.error.place();
      if (row.source_bytes.empty()) continue;
      out.emplace(*place.row, Origin{std::move(row.source_bytes), place.byte, place.line});
    }
    return out;
  }

  /// Leaves the rows of the smallest mixed numbers; returns how many there are.
  size_t thin_out() {
    std::vector<uint64_t> all;
    for (const Held& held : held_) {
      for (const uint64_t number : held.numbers) all.push_back(mixed(number, seed_));
    }
    if (all.size() <= static_cast<size_t>(most_rows_)) return all.size();
    most_ = threshold(std::move(all), most_rows_);
    for (Held& held : held_) {
      std::vector<int64_t> kept;
      std::vector<uint64_t> numbers;
      std::vector<hub::BadRow> bad;
      auto next_bad = held.batch.bad.begin();
      for (size_t row = 0; row < held.numbers.size(); ++row) {
        const bool is_bad =
            next_bad != held.batch.bad.end() && next_bad->index == static_cast<int64_t>(row);
        const bool keeps = mixed(held.numbers[row], seed_) <= most_;
        if (!keeps) {
          held.origins.erase(held.numbers[row] - static_cast<uint64_t>(held.rows_before));
        }
        if (keeps && is_bad) {
          bad.push_back(std::move(*next_bad));
          bad.back().index = static_cast<int64_t>(kept.size());
        }
        if (is_bad) ++next_bad;
        if (!keeps) continue;
        kept.push_back(static_cast<int64_t>(row));
        numbers.push_back(held.numbers[row]);
      }
      held.batch.bad.clear();
      held.batch = hub::take_rows(held.batch, inner_->schema(), kept);
      held.batch.bad = std::move(bad);
      held.numbers = std::move(numbers);
    }
    std::erase_if(held_, [](const Held& held) { return held.numbers.empty(); });
    return static_cast<size_t>(most_rows_);
  }

  int64_t most_rows_;
  uint64_t seed_;
  bool keeps_bytes_;
  uint64_t most_ = UINT64_MAX;
  bool filled_ = false;
  std::deque<Held> held_;
};

class LastRows final : public ChosenRows {
 public:
  LastRows(std::unique_ptr<SplitReader> inner, int64_t rows)
      : ChosenRows(std::move(inner)), most_rows_(rows) {}

  std::unique_ptr<Piece> take() override {
    if (!filled_) fill();
    if (pieces_.empty()) return nullptr;
    Taken first = std::move(pieces_.front());
    pieces_.pop_front();
    const int64_t rows = held_;
    held_ -= first.rows;
    rows_ += first.rows;
    if (rows <= most_rows_) return std::move(first.piece);
    hub::Batch batch = first.piece->decode();
    const int64_t over = rows - most_rows_;
    rows_ -= over;
    batch = hub::slice(std::move(batch), over, first.rows - over);
    return decoded(std::move(batch), std::move(first.piece));
  }

 private:
  struct Taken {
    std::unique_ptr<Piece> piece;
    int64_t rows = 0;
  };

  void fill() {
    filled_ = true;
    int64_t before = 0;
    while (std::unique_ptr<Piece> piece = inner_->take()) {
      const int64_t rows = inner_->rows_taken() - before;
      before += rows;
      pieces_.push_back({std::move(piece), rows});
      held_ += rows;
      while (held_ - pieces_.front().rows >= most_rows_ && pieces_.size() > 1) {
        held_ -= pieces_.front().rows;
        pieces_.pop_front();
      }
    }
    if (most_rows_ == 0) pieces_.clear();
  }

  int64_t most_rows_;
  bool filled_ = false;
  std::deque<Taken> pieces_;
  int64_t held_ = 0;
};

}  // namespace

Sample parse_sample(std::string_view text) {
  Sample out;
  const bool is_percent = text.ends_with('%');
  const std::string_view number = text.substr(0, text.size() - (is_percent ? 1 : 0));
  const char* end = number.data() + number.size();
  if (is_percent || number.find_first_of(".eE") != std::string_view::npos) {
    const double whole = is_percent ? 100 : 1;
    double share = 0;
    const auto [stop, failed] = std::from_chars(number.data(), end, share);
    if (failed == std::errc() && stop == end && share >= 0 && share <= whole) {
      out.share = share / whole;
      return out;
    }
  } else {
    int64_t rows = 0;
    const auto [stop, failed] = std::from_chars(number.data(), end, rows);
    if (failed == std::errc() && stop == end && rows >= 0) {
      out.rows = rows;
      return out;
    }
  }
  throw Error(ErrorCode::Usage,
              fmt::format("expected a number of rows, or a share such as 2.5% or 0.025, found {}",
                          quoted(text)));
}

std::unique_ptr<SplitReader> sample_rows(std::unique_ptr<SplitReader> reader, const Sample& sample,
                                         uint64_t seed, bool counted, bool keeps_bytes) {
  if (!sample.rows) {
    if (sample.share >= 1) return reader;
    if (sample.share <= 0) return limit_rows(std::move(reader), 0);
    const auto most = static_cast<uint64_t>(std::ldexp(sample.share, 64));
    return std::make_unique<Sampled>(std::move(reader), most, seed, counted);
  }
  if (*sample.rows == 0) return limit_rows(std::move(reader), 0);
  return std::make_unique<Reservoir>(std::move(reader), *sample.rows, seed, keeps_bytes);
}

std::unique_ptr<SplitReader> last_rows(std::unique_ptr<SplitReader> reader, int64_t rows) {
  return std::make_unique<LastRows>(std::move(reader), rows);
}

}  // namespace xwalk::io
