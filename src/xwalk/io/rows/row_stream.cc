#include "xwalk/io/rows/row_stream.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/meaning.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/rows/wrapped_reader.h"

namespace xwalk::io {
namespace {

/// A reader whose rows may have any layout.
class AnyLayoutReader : public WrappedReader {
 public:
  using WrappedReader::WrappedReader;
  void lay_out(const RowLayout& accepted) override { inner_->lay_out(accepted); }
};

class ChangedPiece final : public PieceOver {
 public:
  ChangedPiece(std::unique_ptr<Piece> inner, std::shared_ptr<const ChangeOfPiece> change)
      : PieceOver(std::move(inner)), change_(std::move(change)) {}
  hub::Batch decode() override { return (*change_)(inner_->decode(), *inner_); }

 private:
  std::shared_ptr<const ChangeOfPiece> change_;
};

class ChangedReader final : public AnyLayoutReader {
 public:
  /// Without a schema, rows are only looked at, in whatever layout they come.
  ChangedReader(std::unique_ptr<SplitReader> inner, std::optional<hub::Schema> schema,
                ChangeOfPiece change)
      : AnyLayoutReader(std::move(inner)),
        schema_(std::move(schema)),
        change_(std::make_shared<const ChangeOfPiece>(std::move(change))) {}

  const hub::Schema& schema() const override { return schema_ ? *schema_ : inner_->schema(); }
  void lay_out(const RowLayout& accepted) override {
    if (!schema_) inner_->lay_out(accepted);
  }
  std::unique_ptr<Piece> take() override {
    std::unique_ptr<Piece> piece = inner_->take();
    if (piece == nullptr) return nullptr;
    return std::make_unique<ChangedPiece>(std::move(piece), change_);
  }

 private:
  std::optional<hub::Schema> schema_;
  std::shared_ptr<const ChangeOfPiece> change_;
};

class NotedReader final : public AnyLayoutReader {
 public:
  NotedReader(std::unique_ptr<SplitReader> inner, hub::Findings given)
      : AnyLayoutReader(std::move(inner)), given_(std::move(given)) {}

  std::unique_ptr<Piece> take() override { return inner_->take(); }
  Notes notes() const override {
    return [given = given_, own = inner_->notes()] {
      hub::Findings all = given;
      if (own) std::ranges::move(own(), std::back_inserter(all));
      return all;
    };
  }

 private:
  hub::Findings given_;
};

class CheckedPiece final : public PieceOver {
 public:
  CheckedPiece(std::unique_ptr<Piece> inner, std::shared_ptr<const Original> source)
      : PieceOver(std::move(inner)), source_(std::move(source)) {}
  hub::Batch decode() override {
    return while_unchanged(source_, [&] { return inner_->decode(); });
  }

 private:
  std::shared_ptr<const Original> source_;
};

class CheckedReader final : public AnyLayoutReader {
 public:
  CheckedReader(std::unique_ptr<SplitReader> inner, std::shared_ptr<const Original> source)
      : AnyLayoutReader(std::move(inner)), source_(std::move(source)) {}

  std::unique_ptr<Piece> take() override {
    auto piece = while_unchanged(source_, [&] { return inner_->take(); });
    if (piece == nullptr) {
      source_->check_at_its_place(/*must_answer=*/true);
      return nullptr;
    }
    return std::make_unique<CheckedPiece>(std::move(piece), source_);
  }
  /// The consumer of the rows checks the source at the end.
  std::shared_ptr<OpenedRows> opened_rows() const override { return inner_->opened_rows(); }

 private:
  std::shared_ptr<const Original> source_;
};

/// A piece that several others are made of.
class SharedPiece final : public Piece {
 public:
  explicit SharedPiece(std::shared_ptr<Piece> piece) : piece_(std::move(piece)) {}
  hub::Batch decode() override { return piece_->decode(); }
  std::string_view file() const override { return piece_->file(); }
  int64_t row_number(int64_t row) const override { return piece_->row_number(row); }
  void locate(std::vector<hub::BadRow>& rows) const override { piece_->locate(rows); }
  int64_t bytes() const override { return piece_->bytes(); }

 private:
  std::shared_ptr<Piece> piece_;
};

/// How many rows a piece holds is known only once it is decoded, so a limit decodes when it takes.
class SmallBatchReader final : public AnyLayoutReader {
 public:
  SmallBatchReader(std::unique_ptr<SplitReader> inner, int64_t rows)
      : AnyLayoutReader(std::move(inner)), most_(rows) {}

  std::unique_ptr<Piece> take() override {
    while (at_ == batches_.size()) {
      piece_ = inner_->take();
      if (piece_ == nullptr) return nullptr;
      batches_ = hub::slices(piece_->decode(), most_);
      at_ = 0;
    }
    hub::Batch& batch = batches_[at_++];
    rows_ = batch.first_row + batch.rows();
    return decoded(std::move(batch), std::make_unique<SharedPiece>(piece_));
  }
  int64_t rows_taken() const override { return rows_; }

 private:
  int64_t most_;
  std::shared_ptr<Piece> piece_;  ///< that the batches are of
  std::vector<hub::Batch> batches_;
  size_t at_ = 0;
  int64_t rows_ = 0;
};

class LimitedReader final : public AnyLayoutReader {
 public:
  LimitedReader(std::unique_ptr<SplitReader> inner, int64_t limit)
      : AnyLayoutReader(std::move(inner)), left_(limit) {}

  std::unique_ptr<Piece> take() override {
    if (left_ <= 0) return nullptr;
    std::unique_ptr<Piece> piece = inner_->take();
    if (piece == nullptr) return nullptr;
    hub::Batch batch = piece->decode();
    if (batch.rows() > left_) batch = hub::slice(std::move(batch), 0, left_);
    left_ -= batch.rows();
    rows_ = batch.first_row + batch.rows();
    return decoded(std::move(batch), std::move(piece));
  }
  int64_t rows_taken() const override { return rows_; }
  std::optional<int64_t> total_rows() const override {
    std::optional<int64_t> total = inner_->total_rows();
    return total ? std::min(*total, rows_ + left_) : total;
  }
  // Bytes say nothing about how far a limited reader is.
  std::optional<uint64_t> total_bytes() const override { return std::nullopt; }

 private:
  int64_t left_;
  int64_t rows_ = 0;
};

class ShiftedPiece final : public PieceOver {
 public:
  ShiftedPiece(std::unique_ptr<Piece> inner, int64_t shift,
               std::shared_ptr<const std::string> file = nullptr)
      : PieceOver(std::move(inner)), shift_(shift), file_(std::move(file)) {}

  hub::Batch decode() override {
    try {
      hub::Batch batch = inner_->decode();
      batch.first_row += shift_;
      return batch;
    } catch (Error& error) {
      if (error.place().file.empty()) error.place().file = file();
      throw;
    }
  }
  std::string_view file() const override {
    return file_ ? std::string_view(*file_) : inner_->file();
  }
  int64_t row_number(int64_t row) const override {
    // Rows of one file that are counted from another number keep it.
    return file().empty() ? row : inner_->row_number(row - shift_);
  }

 private:
  int64_t shift_;
  std::shared_ptr<const std::string> file_;
};

class ShiftedReader final : public AnyLayoutReader {
 public:
  ShiftedReader(std::unique_ptr<SplitReader> inner, int64_t shift)
      : AnyLayoutReader(std::move(inner)), shift_(shift) {}

  std::unique_ptr<Piece> take() override {
    std::unique_ptr<Piece> piece = inner_->take();
    if (piece == nullptr) return nullptr;
    return std::make_unique<ShiftedPiece>(std::move(piece), shift_);
  }

 private:
  int64_t shift_;
};

}  // namespace

hub::CompiledCast same_schema(const hub::Schema& rows, const hub::Schema& first,
                              const hub::Refine& refine, const std::string& file) {
  const auto differs = [&](const std::string& how) -> Error {
    return Error(ErrorCode::Input, "expected the schema of the first input, found " + how,
                 {.file = file}, "Read files of different schemas with `unify`.");
  };
  for (const hub::Field& field : first.fields) {
    if (std::ranges::find(rows.fields, field.name, &hub::Field::name) == rows.fields.end()) {
      throw differs("no column " + xwalk::quoted(field.name));
    }
  }
  for (const hub::Field& field : rows.fields) {
    const auto other = std::ranges::find(first.fields, field.name, &hub::Field::name);
    if (other == first.fields.end()) {
      throw differs("column " + xwalk::quoted(field.name) + ", which it does not have");
    }
    const hub::Disagreements found =
        hub::judge(field, *other, Path::column(field.name), {.from = refine, .to = refine});
    if (!found.empty()) throw differs(found.front().path.text() + ": " + found.front().reason);
  }
  hub::CompiledCast cast = [&] {
    try {
      // Repeated keys are for the conversion to decide, not for the files.
      return hub::compile_cast(
          rows, first,
          {.duplicate_keys = hub::DuplicateKeys::Keep, .source = refine, .target = refine});
    } catch (const Error& error) {
      throw differs(error.place().path.text() + ": " + error.message());
    }
  }();
  for (const hub::Finding& finding : cast.findings()) {
    if (finding.rule == "member.left-out") {
      throw differs("field " + finding.path.text() + ", which it does not have");
    }
    if (finding.effect != hub::Effect::None) {
      throw differs(fmt::format("{} of another type ({})", finding.path.text(), finding.rule));
    }
    if (finding.rule == "member.added") throw differs("no field " + finding.path.text());
  }
  if (rows.fields.size() != first.fields.size()) throw differs("other columns");
  return cast;
}

namespace {

class ChainedReader final : public SplitReader {
 public:
  /// A reader that follows, and the file it reads.
  using Following = std::pair<std::unique_ptr<SplitReader>, std::string>;
  using Next = std::function<Following()>;

  ChainedReader(Following first, Next next, bool one_source,
                std::optional<uint64_t> bytes_of_others, hub::Refine refine)
      : schema_(first.first->schema()),
        refine_(std::move(refine)),
        current_(std::move(first.first)),
        file_(one_source ? nullptr : std::make_shared<const std::string>(std::move(first.second))),
        next_(std::move(next)),
        one_source_(one_source) {
    const std::optional<uint64_t> bytes_of_first = current_->total_bytes();
    if (bytes_of_first && bytes_of_others) total_bytes_ = *bytes_of_first + *bytes_of_others;
    take_notes();
  }

  const hub::Schema& schema() const override { return schema_; }

  std::unique_ptr<Piece> take() override {
    while (true) {
      std::unique_ptr<Piece> piece = current_->take();
      if (piece != nullptr) {
        return std::make_unique<ShiftedPiece>(std::move(piece), rows_before_, file_);
      }
      auto [reader, file] = next_();
      if (reader == nullptr) return nullptr;
      keep_notes();
      rows_before_ += current_->rows_taken();
      if (!one_source_) {
        bytes_before_ += current_->total_bytes().value_or(current_->bytes_read());
      }
      // Most files have the schema of the one before.
      if (!cast_ || cast_->from() != reader->schema()) {
        cast_ = same_schema(reader->schema(), schema_, refine_, file);
      }
      current_ = cast_->is_identity() ? std::move(reader) : cast_pieces(std::move(reader), *cast_);
      if (!one_source_) file_ = std::make_shared<const std::string>(std::move(file));
      take_notes();
    }
  }

  int64_t rows_taken() const override { return rows_before_ + current_->rows_taken(); }
  uint64_t bytes_read() const override { return bytes_before_ + current_->bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return total_bytes_; }
  Notes notes() const override {
    // Files that are opened later have their own notes.
    return [known = notes_] {
      const std::lock_guard lock(known->mutex);
      hub::Findings findings = known->final;
      for (const OfFile& file : known->files) add_new(file.notes(), &findings);
      return findings;
    };
  }

 private:
  /// The notes of a file whose pieces may still be decoded.
  struct OfFile {
    Notes notes;
    std::shared_ptr<const std::string> name;
  };
  struct NotesOfFiles {
    std::mutex mutex;
    std::deque<OfFile> files;  ///< in their order
    hub::Findings final;       ///< of files before these
  };

  /// Adds findings that are not in `all` yet: many files have the same ones.
  static void add_new(hub::Findings findings, hub::Findings* all) {
    for (hub::Finding& finding : findings) {
      const bool is_known = std::ranges::any_of(*all, [&](const hub::Finding& known) {
        return known.rule == finding.rule && known.path == finding.path &&
               known.lost == finding.lost;
      });
      if (!is_known) all->push_back(std::move(finding));
    }
  }

  void take_notes() {
    Notes notes = current_->notes();
    if (!notes) return;
    const std::lock_guard lock(notes_->mutex);
    notes_->files.push_back({std::move(notes), file_});
  }

  /// Makes final the notes of files that have no pieces left, so that what they are made from need
  /// not be kept. The current file has ended.
  void keep_notes() {
    const std::lock_guard lock(notes_->mutex);
    while (!notes_->files.empty()) {
      const OfFile& first = notes_->files.front();
      const long own = first.name == file_ ? 2 : 1;
      if (first.name == nullptr || first.name.use_count() > own) return;
      // What the threads that decoded its pieces have noted is visible from here on.
      std::atomic_thread_fence(std::memory_order_acquire);
      add_new(first.notes(), &notes_->final);
      notes_->files.pop_front();
    }
  }

  hub::Schema schema_;
  hub::Refine refine_;
  std::unique_ptr<SplitReader> current_;
  std::shared_ptr<const std::string> file_;  ///< of the current reader; outlives it in pieces
  Next next_;
  bool one_source_;                        ///< all count the bytes of one
  std::optional<hub::CompiledCast> cast_;  ///< of the last file, from its schema
  std::shared_ptr<NotesOfFiles> notes_ = std::make_shared<NotesOfFiles>();
  int64_t rows_before_ = 0;
  uint64_t bytes_before_ = 0;
  std::optional<uint64_t> total_bytes_;
};

}  // namespace

std::unique_ptr<SplitReader> change_pieces(std::unique_ptr<SplitReader> reader, hub::Schema schema,
                                           ChangeBatch change) {
  return change_pieces(std::move(reader), std::move(schema),
                       [change = std::move(change)](hub::Batch batch, const Piece&) {
                         return change(std::move(batch));
                       });
}

std::unique_ptr<SplitReader> change_pieces(std::unique_ptr<SplitReader> reader, hub::Schema schema,
                                           ChangeOfPiece change) {
  return std::make_unique<ChangedReader>(std::move(reader), std::move(schema), std::move(change));
}

std::unique_ptr<SplitReader> refuse_changes(std::unique_ptr<SplitReader> reader,
                                            std::shared_ptr<const Original> file) {
  return std::make_unique<CheckedReader>(std::move(reader), std::move(file));
}

std::unique_ptr<SplitReader> leave_out_bad_rows(std::unique_ptr<SplitReader> reader,
                                                std::shared_ptr<std::atomic<int64_t>> count) {
  hub::Schema schema = reader->schema();
  auto leave_out = [schema, count = std::move(count)](hub::Batch batch) {
    *count += static_cast<int64_t>(batch.bad.size());
    return hub::drop_bad_rows(std::move(batch), schema, nullptr);
  };
  return change_pieces(std::move(reader), std::move(schema), std::move(leave_out));
}

std::unique_ptr<SplitReader> refuse_bad_rows(std::unique_ptr<SplitReader> reader,
                                             std::string hint) {
  // These rows have not been checked.
  if (reader->opened_rows() != nullptr) return reader;
  auto look = [hint = std::move(hint)](hub::Batch batch, const Piece& piece) {
    if (!batch.bad.empty()) {
      hub::BadRow& first = batch.bad.front();
      if (first.error.hint().empty()) first.error.with_hint(hint);
      if (!first.error.place().row) {
        const int64_t row = piece.row_number(batch.first_row + first.index);
        first.error.place().row = static_cast<uint64_t>(row);
      }
      throw Error(first.error);
    }
    return batch;
  };
  return std::make_unique<ChangedReader>(std::move(reader), std::nullopt, std::move(look));
}

hub::Batch cast_of_piece(const hub::CompiledCast& cast, hub::Batch batch, const Piece& piece) {
  std::vector<int64_t> known;
  for (const hub::BadRow& row : batch.bad) known.push_back(row.index);
  batch = cast.run(std::move(batch));
  for (hub::BadRow& row : batch.bad) {
    if (std::ranges::binary_search(known, row.index)) continue;
    const int64_t number = piece.row_number(batch.first_row + row.index);
    row.error.place().row = static_cast<uint64_t>(number);
  }
  return batch;
}

std::unique_ptr<SplitReader> cast_pieces(std::unique_ptr<SplitReader> reader,
                                         hub::CompiledCast cast) {
  // A cast that changes no byte may still change metadata, such as annotations.
  if (cast.is_identity() && reader->schema() == cast.to()) return reader;
  hub::Schema schema = cast.to();
  return change_pieces(std::move(reader), std::move(schema),
                       [cast = std::move(cast)](hub::Batch batch, const Piece& piece) {
                         return cast_of_piece(cast, std::move(batch), piece);
                       });
}

std::unique_ptr<SplitReader> add_notes(std::unique_ptr<SplitReader> reader, hub::Findings given) {
  if (given.empty()) return reader;
  return std::make_unique<NotedReader>(std::move(reader), std::move(given));
}

namespace {

/// Wraps a reader so that rows that a check rejects are bad.
std::unique_ptr<SplitReader> look_at_values(std::unique_ptr<SplitReader> reader,
                                            hub::CompiledCast checks, std::string file) {
  if (checks.is_identity()) return reader;
  hub::Schema schema = reader->schema();
  return change_pieces(std::move(reader), std::move(schema),
                       [checks = std::move(checks), file = std::move(file)](hub::Batch batch) {
                         hub::Batch checked = checks.run(std::move(batch));
                         for (hub::BadRow& bad : checked.bad) bad.error.place().file = file;
                         return checked;
                       });
}

}  // namespace

std::unique_ptr<SplitReader> check_values(std::unique_ptr<SplitReader> reader, std::string file) {
  hub::CompiledCast checks = hub::compile_checks(reader->schema());
  return look_at_values(std::move(reader), std::move(checks), std::move(file));
}

std::unique_ptr<SplitReader> check_promises(std::unique_ptr<SplitReader> reader,
                                            const hub::Refine& refine, std::string file) {
  hub::CompiledCast checks = hub::compile_promises(reader->schema(), refine, reader->kept_schema());
  return look_at_values(std::move(reader), std::move(checks), std::move(file));
}

std::unique_ptr<SplitReader> limit_batches(std::unique_ptr<SplitReader> reader, int64_t rows) {
  return std::make_unique<SmallBatchReader>(std::move(reader), rows);
}

std::unique_ptr<SplitReader> limit_rows(std::unique_ptr<SplitReader> reader, int64_t limit) {
  return std::make_unique<LimitedReader>(std::move(reader), limit);
}

std::unique_ptr<SplitReader> number_rows_from(std::unique_ptr<SplitReader> reader,
                                              int64_t first_row) {
  return std::make_unique<ShiftedReader>(std::move(reader), first_row);
}

std::unique_ptr<SplitReader> chain(std::unique_ptr<SplitReader> first, std::string first_file,
                                   Locations other_files, OpenReader open, hub::Refine refine) {
  if (other_files.empty()) return first;
  uint64_t bytes = 0;
  bool known = true;
  for (const Location& file : other_files) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(file.name(), failed);
    known = known && !failed;
    if (!failed) bytes += size;
  }
  auto next = [files = std::move(other_files), open = std::move(open),
               at = size_t{0}]() mutable -> ChainedReader::Following {
    if (at == files.size()) return {};
    const Location& file = files[at++];
    return {open(file), file};
  };
  return std::make_unique<ChainedReader>(
      ChainedReader::Following(std::move(first), std::move(first_file)), std::move(next), false,
      known ? std::optional(bytes) : std::nullopt, std::move(refine));
}

std::unique_ptr<SplitReader> chain_all(std::unique_ptr<SplitReader> first, NextReader next,
                                       const std::string& name) {
  auto named = [next = std::move(next), name]() -> ChainedReader::Following {
    return {next(), name};
  };
  return std::make_unique<ChainedReader>(ChainedReader::Following(std::move(first), name),
                                         std::move(named), true, 0, nullptr);
}

}  // namespace xwalk::io
