#include "xwalk/plugin/large_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <optional>
#include <string>

#include <arrow/array/array_base.h>
#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <arrow/type.h>
#include <arrow/util/config.h>
#include <parquet/exception.h>
#include <parquet/metadata.h>
#include <parquet/schema.h>

namespace xwalk::plugin {
namespace {

using arrow::ArrayData;
using arrow::Buffer;
using parquet::Encoding;

static_assert(std::endian::native == std::endian::little);

/// Pages that are kept in memory until another one is wanted.
constexpr int64_t kHeldBytes = int64_t{128} << 20;

using Note = LargeValues::Note;

/// Plain values have their size before them.
constexpr size_t kSizeBytes = 4;
constexpr size_t kNoteBytes = kSizeBytes + sizeof(Note);

uint32_t load_size(const uint8_t* from) {
  uint32_t size = 0;
  std::memcpy(&size, from, kSizeBytes);
  return size;
}

Note load_note(const uint8_t* from) {
  Note note;
  std::memcpy(&note, from, sizeof(Note));
  return note;
}

/// Returns the bytes before `begin` and notes of the `count` plain values from there on.
std::shared_ptr<Buffer> note_values(const Buffer& page, int64_t begin, int64_t count,
                                    uint32_t number, arrow::MemoryPool* pool) {
  const int64_t size = page.size();
  if (begin > size || count > (size - begin) / static_cast<int64_t>(kSizeBytes)) {
    parquet::ParquetException::EofException();
  }
  // guard(allocate): The page has that many values, as their sizes have just shown.
  PARQUET_ASSIGN_OR_THROW(
      std::unique_ptr<Buffer> out,
      arrow::AllocateBuffer(begin + count * static_cast<int64_t>(kNoteBytes), pool));
  uint8_t* to = out->mutable_data();
  if (begin > 0) std::memcpy(to, page.data(), static_cast<size_t>(begin));
  to += begin;
  int64_t at = begin;
  for (int64_t i = 0; i < count; ++i) {
    if (size - at < static_cast<int64_t>(kSizeBytes)) parquet::ParquetException::EofException();
    const uint32_t length = load_size(page.data() + at);
    at += static_cast<int64_t>(kSizeBytes);
    if (length > size - at) parquet::ParquetException::EofException();
    const Note note = {number, static_cast<uint32_t>(at), length};
    const auto note_size = static_cast<uint32_t>(sizeof(Note));
    std::memcpy(to, &note_size, kSizeBytes);
    std::memcpy(to + kSizeBytes, &note, sizeof(Note));
    to += kNoteBytes;
    at += length;
  }
  return out;
}

/// Counts the values that are not null by the levels of a page, which `levels` gives.
int64_t count_values(parquet::LevelDecoder* levels, int64_t count, int16_t max_level) {
  std::array<int16_t, 1024> some{};
  int64_t values = 0;
  while (count > 0) {
    const int got = levels->Decode(
        static_cast<int>(std::min<int64_t>(count, static_cast<int64_t>(some.size()))), some.data());
    if (got == 0) parquet::ParquetException::EofException();
    values += std::count(some.begin(), some.begin() + got, max_level);
    count -= got;
  }
  return values;
}

/// The position of a page's values, after its levels, and their number.
struct Values {
  int64_t begin = 0;
  int64_t count = 0;
};

Values values_in(const parquet::DataPageV1& page, const parquet::ColumnDescriptor& column) {
  Values values{0, page.num_values()};
  parquet::LevelDecoder levels;
  const auto start = [&](Encoding::type encoding, int16_t max_level) {
    values.begin +=
        levels.SetData(encoding, max_level, page.num_values(), page.data() + values.begin,
                       static_cast<int32_t>(page.size() - values.begin));
  };
  if (const int16_t most = column.max_repetition_level(); most > 0) {
    start(page.repetition_level_encoding(), most);
  }
  if (const int16_t most = column.max_definition_level(); most > 0) {
    start(page.definition_level_encoding(), most);
    values.count = count_values(&levels, page.num_values(), most);
  }
  return values;
}

Values values_in(const parquet::DataPageV2& page, const parquet::ColumnDescriptor& column) {
  const int64_t repetitions = page.repetition_levels_byte_length();
  const int64_t definitions = page.definition_levels_byte_length();
  if (repetitions < 0 || definitions < 0 || repetitions + definitions > page.size()) {
    parquet::ParquetException::EofException();
  }
  Values values{repetitions + definitions, page.num_values()};
  if (const int16_t most = column.max_definition_level(); most > 0) {
    parquet::LevelDecoder levels;
    levels.SetDataV2(page.definition_levels_byte_length(), most, page.num_values(),
                     page.data() + repetitions);
    values.count = count_values(&levels, page.num_values(), most);
  }
  return values;
}

bool is_indices(const parquet::DataPage& page) {
  return page.encoding() == Encoding::RLE_DICTIONARY ||
         page.encoding() == Encoding::PLAIN_DICTIONARY;
}

/// Returns a page with notes instead of its values. Indices are kept, and their dictionary has
/// notes.
std::shared_ptr<parquet::Page> noted(const std::shared_ptr<parquet::Page>& page,
                                     const parquet::ColumnDescriptor& column, uint32_t number,
                                     arrow::MemoryPool* pool) {
  if (page->type() == parquet::PageType::DICTIONARY_PAGE) {
    const auto& from = static_cast<const parquet::DictionaryPage&>(*page);
    auto notes = note_values(*page->buffer(), 0, std::max(0, from.num_values()), number, pool);
    return std::make_shared<parquet::DictionaryPage>(std::move(notes), from.num_values(),
                                                     from.encoding(), from.is_sorted());
  }
  const auto& data = static_cast<const parquet::DataPage&>(*page);
  if (is_indices(data)) return page;
  if (data.encoding() != Encoding::PLAIN) {
    throw parquet::ParquetException("expected plain values or indices of a dictionary, found ",
                                    parquet::EncodingToString(data.encoding()));
  }
  if (page->type() == parquet::PageType::DATA_PAGE) {
    const auto& from = static_cast<const parquet::DataPageV1&>(*page);
    const Values values = values_in(from, column);
    auto notes = note_values(*page->buffer(), values.begin, values.count, number, pool);
    const int64_t size = notes->size();
    return std::make_shared<parquet::DataPageV1>(std::move(notes), from.num_values(),
                                                 from.encoding(), from.definition_level_encoding(),
                                                 from.repetition_level_encoding(), size);
  }
  const auto& from = static_cast<const parquet::DataPageV2&>(*page);
  const Values values = values_in(from, column);
  auto notes = note_values(*page->buffer(), values.begin, values.count, number, pool);
  const int64_t size = notes->size();
  return std::make_shared<parquet::DataPageV2>(
      std::move(notes), from.num_values(), from.num_nulls(), from.num_rows(), from.encoding(),
      from.definition_levels_byte_length(), from.repetition_levels_byte_length(), size);
}

bool is_list(const ArrayData& data) {
  return data.type->id() == arrow::Type::LIST || data.type->id() == arrow::Type::MAP;
}

/// Walks through the leaves of an array, of which `next` is the first. `take` gets the arrays of
/// notes, each with the range of its items that the rows from `begin` to `end` hold, and returns
/// their replacement.
template <typename Take>
arrow::Result<std::shared_ptr<ArrayData>> walk(const std::shared_ptr<ArrayData>& data,
                                               int64_t begin, int64_t end,
                                               const std::vector<bool>& leaves, size_t* next,
                                               const Take& take) {
  if (data->child_data.empty()) {
    const size_t leaf = (*next)++;
    if (leaf >= leaves.size() || !leaves[leaf]) return data;
    return take(data, begin, end);
  }
  // A struct's offset does not apply to its children. A list's items are at its offsets.
  int64_t first = data->offset + begin;
  int64_t last = data->offset + end;
  if (is_list(*data)) {
    const auto* offsets = data->GetValues<int32_t>(1);
    const bool none = data->length == 0;
    first = none ? 0 : offsets[begin];
    last = none ? 0 : offsets[end];
  } else if (data->type->id() != arrow::Type::STRUCT) {
    return arrow::Status::NotImplemented("large values in ", data->type->ToString());
  }
  std::shared_ptr<ArrayData> out = data->Copy();
  for (auto& child : out->child_data) {
    ARROW_ASSIGN_OR_RAISE(child, walk(child, first, last, leaves, next, take));
  }
  return out;
}

}  // namespace

/// The pages of a chunk, with notes.
class LargeValues::Pages final : public parquet::PageReader {
 public:
  Pages(std::shared_ptr<LargeValues> values, std::shared_ptr<const Chunk> chunk)
      : values_(std::move(values)), chunk_(std::move(chunk)) {}

  std::shared_ptr<parquet::Page> NextPage() override {
    if (seen_ >= chunk_->values) return nullptr;
    uint32_t number = 0;
    const Unpacked next = values_->unpack_new(chunk_, at_, &number);
    if (next.page == nullptr) return nullptr;
    at_ = next.end;
    if (next.page->type() != parquet::PageType::DICTIONARY_PAGE) {
      seen_ += static_cast<const parquet::DataPage&>(*next.page).num_values();
    }
    return noted(next.page, *chunk_->column, number, values_->properties_.memory_pool());
  }
  void set_max_page_header_size(uint32_t /*size*/) override {}

 private:
  std::shared_ptr<LargeValues> values_;
  std::shared_ptr<const Chunk> chunk_;
  int64_t at_ = 0;
  int64_t seen_ = 0;
};

struct LargeValues::Group final : parquet::RowGroupReader::Contents {
  Group(std::shared_ptr<LargeValues> all, std::shared_ptr<parquet::ParquetFileReader> whole, int at)
      : values(std::move(all)), file(std::move(whole)), number(at), reader(file->RowGroup(at)) {}

  std::unique_ptr<parquet::PageReader> GetColumnPageReader(int leaf) override {
    if (!values->holds(number, leaf)) return reader->GetColumnPageReader(leaf);
    return std::make_unique<Pages>(values, values->open_chunk(*file->metadata(), number, leaf));
  }
  const parquet::RowGroupMetaData* metadata() const override { return reader->metadata(); }
  const parquet::ReaderProperties* properties() const override { return &values->properties_; }

  std::shared_ptr<LargeValues> values;
  std::shared_ptr<parquet::ParquetFileReader> file;
  int number;
  std::shared_ptr<parquet::RowGroupReader> reader;
};

struct LargeValues::File final : parquet::ParquetFileReader::Contents {
  File(std::shared_ptr<LargeValues> all, std::shared_ptr<parquet::ParquetFileReader> whole)
      : values(std::move(all)), file(std::move(whole)) {}

  void Close() override { file->Close(); }
  std::shared_ptr<parquet::RowGroupReader> GetRowGroup(int i) override {
    return std::make_shared<parquet::RowGroupReader>(std::make_unique<Group>(values, file, i));
  }
  std::shared_ptr<parquet::FileMetaData> metadata() const override { return file->metadata(); }
  std::shared_ptr<parquet::PageIndexReader> GetPageIndexReader() override {
    return file->GetPageIndexReader();
  }
  parquet::BloomFilterReader& GetBloomFilterReader() override {
    return file->GetBloomFilterReader();
  }

  std::shared_ptr<LargeValues> values;
  std::shared_ptr<parquet::ParquetFileReader> file;
};

std::unique_ptr<parquet::ParquetFileReader> LargeValues::over(
    std::unique_ptr<parquet::ParquetFileReader> reader) {
  auto out = std::make_unique<parquet::ParquetFileReader>();
  out->Open(std::make_unique<File>(shared_from_this(), std::move(reader)));
  return out;
}

std::shared_ptr<const LargeValues::Chunk> LargeValues::open_chunk(const parquet::FileMetaData& file,
                                                                  int group, int leaf) {
  const auto metadata = file.RowGroup(group)->ColumnChunk(leaf);
  int64_t begin = metadata->data_page_offset();
  if (metadata->has_dictionary_page() && metadata->dictionary_page_offset() > 0) {
    begin = std::min(begin, metadata->dictionary_page_offset());
  }
  PARQUET_ASSIGN_OR_THROW(const int64_t whole, file_->GetSize());
  const int64_t size = metadata->total_compressed_size();
  if (begin < 0 || size < 0 || begin > whole || size > whole - begin) {
    throw parquet::ParquetException("expected a column chunk within the file");
  }
  auto chunk = std::make_shared<Chunk>();
  PARQUET_ASSIGN_OR_THROW(chunk->bytes, file_->ReadAt(begin, size));
  chunk->column = file.schema()->Column(leaf);
  chunk->codec = metadata->compression();
  chunk->values = metadata->num_values();
  // Old versions of one writer did not say so.
  chunk->always_compressed = file.writer_version().VersionLt(
      parquet::ApplicationVersion::PARQUET_CPP_10353_FIXED_VERSION());
  return chunk;
}

LargeValues::Unpacked LargeValues::unpack_new(const std::shared_ptr<const Chunk>& chunk, int64_t at,
                                              uint32_t* number) {
  const std::lock_guard lock(mutex_);
  *number = static_cast<uint32_t>(pages_.size());
  pages_.push_back({chunk, at});
  return unpack(pages_.back(), *number);
}

std::shared_ptr<parquet::Page> LargeValues::page(uint32_t number) {
  for (const auto& [held, page] : held_) {
    if (held == number) return page;
  }
  if (number >= pages_.size()) return nullptr;
  return unpack(pages_[number], number).page;
}

LargeValues::Unpacked LargeValues::unpack(const PlacedPage& place, uint32_t number) {
  if (held_bytes_ > kHeldBytes) {
    held_.clear();
    held_bytes_ = 0;
  }
  const Chunk& chunk = *place.chunk;
  auto stream = std::make_shared<arrow::io::BufferReader>(
      arrow::SliceBuffer(chunk.bytes, std::min(place.at, chunk.bytes->size())));
  // One for each page: nothing of the page before stays with it.
  const std::unique_ptr<parquet::PageReader> reader =
#if ARROW_VERSION_MAJOR >= 26
      parquet::PageReader::Open(stream, chunk.values, chunk.codec, properties_, *chunk.column,
                                chunk.always_compressed);
#else
      parquet::PageReader::Open(stream, chunk.values, chunk.codec, properties_,
                                chunk.always_compressed);
#endif
  Unpacked out;
  out.page = reader->NextPage();
  if (out.page == nullptr) return out;
  PARQUET_ASSIGN_OR_THROW(const int64_t read, stream->Tell());
  out.end = place.at + read;
  held_.emplace_back(number, out.page);
  held_bytes_ += out.page->size();
  return out;
}

int64_t LargeValues::rows_within(const arrow::RecordBatch& batch, const std::vector<bool>& leaves,
                                 int64_t bytes) const {
  const auto bytes_of = [&](int64_t rows) {
    int64_t sum = 0;
    size_t leaf = 0;
    for (const auto& column : batch.columns()) {
      (void)walk(column->data(), 0, rows, leaves, &leaf,
                 [&](const std::shared_ptr<ArrayData>& notes, int64_t begin, int64_t end) {
                   const auto* offsets = notes->GetValues<int32_t>(1);
                   for (int64_t i = begin; i < end; ++i) {
                     if (offsets[i + 1] - offsets[i] != sizeof(Note)) continue;
                     sum += load_note(notes->buffers[2]->data() + offsets[i]).size;
                   }
                   return notes;
                 });
    }
    return sum;
  };
  int64_t rows = batch.num_rows();
  while (rows > 1 && bytes_of(rows) > bytes) rows /= 2;
  return rows;
}

arrow::Result<std::shared_ptr<arrow::RecordBatch>> LargeValues::with_values(
    const arrow::RecordBatch& batch, const std::vector<bool>& leaves) {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<ArrayData>> columns;
  size_t leaf = 0;
  for (const auto& column : batch.columns()) {
    ARROW_ASSIGN_OR_RAISE(columns.emplace_back(),
                          walk(column->data(), 0, batch.num_rows(), leaves, &leaf,
                               [&](const std::shared_ptr<ArrayData>& notes, int64_t begin,
                                   int64_t end) { return values_of(*notes, begin, end); }));
  }
  return arrow::RecordBatch::Make(batch.schema(), batch.num_rows(), std::move(columns));
}

arrow::Result<std::shared_ptr<ArrayData>> LargeValues::values_of(const ArrayData& notes,
                                                                 int64_t begin, int64_t end) {
  if (notes.type->id() != arrow::Type::BINARY) {
    return arrow::Status::NotImplemented("large values of ", notes.type->ToString());
  }
  arrow::MemoryPool* pool = properties_.memory_pool();
  const auto* places = notes.GetValues<int32_t>(1);
  const uint8_t* bytes = notes.buffers[2] != nullptr ? notes.buffers[2]->data() : nullptr;
  // Items that no row of the batch holds become empty.
  const int64_t count = notes.offset + notes.length;
  // guard(allocate): As many as the batch has values.
  ARROW_ASSIGN_OR_RAISE(
      std::shared_ptr<Buffer> offsets,
      arrow::AllocateBuffer((count + 1) * static_cast<int64_t>(sizeof(int32_t)), pool));
  auto* to = reinterpret_cast<int32_t*>(offsets->mutable_data());
  std::fill(to, to + notes.offset + begin + 1, 0);
  int64_t size = 0;
  std::vector<Note> wanted;
  for (int64_t i = begin; i < end; ++i) {
    if (places[i + 1] - places[i] == sizeof(Note)) {
      const Note note = load_note(bytes + places[i]);
      size += note.size;
      if (note.size > 0) wanted.push_back(note);
    }
    if (size > INT32_MAX) {
      return arrow::Status::NotImplemented(
          "expected lists whose values are less than 2 GiB together, found more");
    }
    to[notes.offset + i + 1] = static_cast<int32_t>(size);
  }
  std::fill(to + notes.offset + end + 1, to + count + 1, static_cast<int32_t>(size));

  // A single value is not moved.
  std::shared_ptr<Buffer> data;
  if (wanted.size() == 1) {
    ARROW_ASSIGN_OR_RAISE(data, find(wanted[0]));
  }
  if (data == nullptr || is_in_input(wanted[0].page, *data)) {
    // guard(allocate): Values of one batch have less than 2 GiB together, all of them in pages that
    // were read.
    ARROW_ASSIGN_OR_RAISE(std::unique_ptr<Buffer> copy, arrow::AllocateBuffer(size, pool));
    uint8_t* at = copy->mutable_data();
    for (const Note& note : wanted) {
      ARROW_ASSIGN_OR_RAISE(data, find(note));
      std::memcpy(at, data->data(), note.size);
      at += note.size;
    }
    data = std::move(copy);
  }
  return ArrayData::Make(notes.type, notes.length, {notes.buffers[0], offsets, data},
                         notes.null_count.load(), notes.offset);
}

arrow::Result<std::shared_ptr<Buffer>> LargeValues::find(const Note& note) {
  const std::shared_ptr<parquet::Page> from = page(note.page);
  // The input may have changed since.
  if (from == nullptr || note.offset > from->buffer()->size() ||
      note.size > from->buffer()->size() - note.offset) {
    return arrow::Status::Invalid("a page is shorter than it was");
  }
  return arrow::SliceBuffer(from->buffer(), note.offset, note.size);
}

bool LargeValues::is_in_input(uint32_t page, const Buffer& value) const {
  const Buffer& input = *pages_[page].chunk->bytes;
  return std::less_equal<>()(input.data(), value.data()) &&
         std::less<>()(value.data(), input.data() + input.size());
}

void LargeValues::forget() {
  const std::lock_guard lock(mutex_);
  pages_.clear();
  held_.clear();
  held_bytes_ = 0;
}

}  // namespace xwalk::plugin
