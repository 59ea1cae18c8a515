#include "xwalk/yt/json_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/file_ranges.h"
#include "xwalk/io/formats/format_word.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/formats/table_rows.h"
#include "xwalk/io/rows/piece_writer.h"
#include "xwalk/yson/block_masks.h"
#include "xwalk/yt/infer.h"
#include "xwalk/yt/module.h"
#include "xwalk/yt/value_path.h"

namespace xwalk::io {
namespace {

using Block = std::unique_ptr<yson::Buffer>;

/// What pieces share with their reader: decoders and blocks of bytes, which go round among the
/// threads.
struct Shared {
  Shared(std::string name, const yt::TableSchema& schema, const yt::ReadOptions& read)
      : file(std::move(name)), options(read), decoder(schema, read) {}

  std::unique_ptr<yt::JsonRowDecoder> take_decoder() {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return std::make_unique<yt::JsonRowDecoder>(decoder);
    std::unique_ptr<yt::JsonRowDecoder> out = std::move(idle.back());
    idle.pop_back();
    return out;
  }
  /// `used` is null after the first decoder was used, by the thread that takes pieces.
  void give(std::unique_ptr<yt::JsonRowDecoder> used) {
    const std::lock_guard lock(mutex);
    const bool is_first = used == nullptr;
    if (is_first) {
      first_strings = decoder.strings();
    } else {
      idle.push_back(std::move(used));
    }
    yt::JsonTranscoder::Strings strings = first_strings;
    for (const auto& one : idle) {
      strings.as_bytes += one->strings().as_bytes;
      strings.as_text += one->strings().as_text;
    }
    const std::lock_guard lock_met(met->mutex);
    met->strings = strings;
    if (is_first) met->controls = decoder.met();
  }
  void give_block(Block block) {
    const std::lock_guard lock(mutex);
    blocks.push_back(std::move(block));
  }
  Block take_block() {
    const std::lock_guard lock(mutex);
    if (blocks.empty()) return std::make_unique<yson::Buffer>();
    Block out = std::move(blocks.back());
    blocks.pop_back();
    out->clear();
    return out;
  }

  std::string file;
  yt::ReadOptions options;
  /// The master copy of all decoders, also used for rows after control entities.
  yt::JsonRowDecoder decoder;
  std::mutex mutex;
  std::vector<std::unique_ptr<yt::JsonRowDecoder>> idle;
  std::vector<Block> blocks;
  yt::JsonTranscoder::Strings first_strings;
  std::shared_ptr<RowsMet> met = std::make_shared<RowsMet>();
};

/// Whole lines, and their position.
struct Lines {
  Block block;
  std::string_view text;
  yt::RowsPlace place;
  int64_t first_row = 0;
};

class JsonPiece final : public Piece {
 public:
  /// `batch` are the rows, if they were decoded when the lines were taken.
  JsonPiece(std::shared_ptr<Shared> shared, Lines lines, std::optional<hub::Batch> batch = {})
      : shared_(std::move(shared)), lines_(std::move(lines)), batch_(std::move(batch)) {}
  ~JsonPiece() override { shared_->give_block(std::move(lines_.block)); }
  JsonPiece(const JsonPiece&) = delete;
  JsonPiece& operator=(const JsonPiece&) = delete;

  hub::Batch decode() override {
    if (batch_) return *std::move(batch_);
    std::unique_ptr<yt::JsonRowDecoder> decoder = shared_->take_decoder();
    hub::Batch batch = decoder->decode(lines_.text, lines_.first_row, lines_.place);
    shared_->give(std::move(decoder));
    return batch;
  }
  void locate(std::vector<hub::BadRow>& rows) const override {
    const std::vector<std::string_view> all = yt::rows_in_lines(
        lines_.text, shared_->options.values, shared_->options.table, lines_.place.table);
    const auto first_row = static_cast<uint64_t>(lines_.first_row);
    size_t counted = 0;
    uint64_t newlines = 0;
    for (hub::BadRow& row : rows) {
      Place& place = row.error.place();
      if (*place.row < first_row || *place.row - first_row >= all.size()) continue;
      const std::string_view line = all[*place.row - first_row];
      if (row.source_bytes.empty()) row.source_bytes = line;
      const auto offset = static_cast<size_t>(line.data() - lines_.text.data());
      if (!place.byte) place.byte = lines_.place.byte + offset;
      if (place.line || offset < counted) continue;
      newlines += yson::count_newlines(lines_.text.substr(counted, offset - counted));
      counted = offset;
      place.line = lines_.place.line.value_or(1) + newlines;
    }
  }

 private:
  std::shared_ptr<Shared> shared_;
  Lines lines_;
  std::optional<hub::Batch> batch_;
};

/// Reads lines in pieces of whole lines, which any thread decodes. Lines after a control entity are
/// decoded when they are taken, because they depend on the entities before. All bytes are copied
/// before they are examined, because a mapped file may change.
class JsonReader final : public SplitReader {
 public:
  JsonReader(std::unique_ptr<Source> source, const yt::TableSchema& schema,
             const yt::ReadOptions& options, const std::optional<Part>& part)
      : source_(part ? part_source(std::move(source), *part) : std::move(source)),
        shared_(std::make_shared<Shared>(source_->name(), schema, options)),
        most_lines_(shared_->decoder.batch_rows()),
        piece_bytes_(piece_bytes(schema, options)) {
    place_.file = source_->name();
    if (!part) return;
    place_.byte = part->first;
    place_.line = part->line;
    rows_ = static_cast<int64_t>(part->first_row);
  }

  const hub::Schema& schema() const override { return shared_->decoder.schema(); }

  std::unique_ptr<Piece> take() override {
    Lines lines;
    do {
      if (!take_lines(&lines)) return nullptr;
      lines.place = place_;
      lines.first_row = rows_;
      count(lines.text);
    } while (lines_with_value_ == 0);
    // How many rows are of one table is known once they are decoded.
    if (!controls_ && !shared_->options.table) {
      rows_ += lines_with_value_;
      return std::make_unique<JsonPiece>(shared_, std::move(lines));
    }
    const yt::RowsPlace& before = shared_->decoder.end();
    lines.place.table = before.table;
    lines.place.control = before.control;
    hub::Batch batch = shared_->decoder.decode(lines.text, rows_, lines.place);
    shared_->give(nullptr);
    rows_ += batch.rows();
    return std::make_unique<JsonPiece>(shared_, std::move(lines), std::move(batch));
  }

  int64_t rows_taken() const override { return rows_; }
  uint64_t bytes_read() const override { return source_->position(); }
  std::optional<uint64_t> total_bytes() const override { return source_->size(); }
  /// What control entities said and no column has, and whether strings look as if they were
  /// encoded.
  Notes notes() const override {
    return [met = shared_->met, options = shared_->options] {
      const std::lock_guard lock(met->mutex);
      hub::Findings notes = control_notes(met->controls, options);
      const yt::JsonTranscoder::Strings& strings = met->strings;
      if (strings.as_bytes > 0 && strings.as_text == 0) {
        hub::Finding& note = notes.emplace_back();
        note.rule = "encoding.narrowed";
        note.lost = fmt::format(
            "{} strings look as if each character were a byte, as YTsaurus writes them; "
            "<encode_utf8=%true>json reads them so",
            strings.as_bytes);
      }
      return notes;
    };
  }

 private:
  /// Takes the next lines; false at the end.
  bool take_lines(Lines* lines) {
    Block block = shared_->take_block();
    const std::string_view left = rest_.view().substr(used_);
    size_t end = first_lines(left);
    if (end > 0) {
      block->append(left.substr(0, end));
      used_ += end;
    } else {
      block->append(left);
      rest_.clear();
      used_ = 0;
      end = after_last_line(block->view());
      while (end == 0 && !ended_) {
        const size_t before = block->size();
        fill(block.get());
        end = after_last_line(block->view().substr(before));
        if (end > 0) end += before;
        if (end == 0 && block->size() > shared_->options.row_bytes) refuse_long();
      }
      if (ended_ && end == 0) end = block->size();
      if (end == 0) return false;
      // Lines beyond the size of a batch wait for the next one.
      if (const size_t some = first_lines(block->view().substr(0, end)); some > 0) end = some;
      rest_.append(block->view().substr(end));
    }
    (void)block->reserve(yt::JsonTranscoder::kPadding);
    lines->text = block->view().substr(0, end);
    lines->block = std::move(block);
    if (place_.byte == 0 && *place_.line == 1 && lines->text.starts_with(yt::kByteOrderMark)) {
      lines->text.remove_prefix(yt::kByteOrderMark.size());
      place_.byte = yt::kByteOrderMark.size();
    }
    return true;
  }

  static size_t after_last_line(std::string_view text) {
    const size_t newline = text.rfind('\n');
    return newline == std::string_view::npos ? 0 : newline + 1;
  }

  /// Returns the bytes of as many lines as a batch may have, or 0 if there are fewer.
  size_t first_lines(std::string_view text) const {
    if (most_lines_ >= limits::kBatchRows || std::ssize(text) / 2 < most_lines_) return 0;
    size_t end = 0;
    for (int64_t i = 0; i < most_lines_; ++i) {
      end = text.find('\n', end) + 1;
      if (end == 0) return 0;
    }
    return end;
  }

  /// Adds bytes up to the next full chunk.
  void fill(yson::Buffer* block) {
    size_t wanted = piece_bytes_ - block->size() % piece_bytes_;
    while (wanted > 0) {
      char* const begin = block->reserve(wanted + yt::JsonTranscoder::kPadding);
      const size_t count = source_->read(begin, wanted);
      ended_ = count == 0;
      if (ended_) return;
      block->set_end(begin + count);
      wanted -= count;
    }
  }

  /// Counts lines without parsing them, and moves the position past them.
  void count(std::string_view text) {
    lines_with_value_ = 0;
    for (std::string_view left = text; !left.empty();) {
      const auto* const newline =
          static_cast<const char*>(std::memchr(left.data(), '\n', left.size()));
      const size_t size =
          newline == nullptr ? left.size() : static_cast<size_t>(newline - left.data());
      const std::string_view line = left.substr(0, size);
      if (!yt::is_blank_line(line)) ++lines_with_value_;
      if (line.size() > shared_->options.row_bytes) refuse_long();
      controls_ = controls_ || yt::is_control_line(line);
      left.remove_prefix(newline == nullptr ? size : size + 1);
      *place_.line += newline == nullptr ? 0 : 1;
    }
    place_.byte += text.size();
  }

  [[noreturn]] void refuse_long() const {
    throw Error(ErrorCode::Input,
                fmt::format("expected a row of at most {} bytes, found a longer one",
                            shared_->options.row_bytes),
                {.file = source_->name(),
                 .byte = place_.byte,
                 .row = static_cast<uint64_t>(rows_ + lines_with_value_)},
                fmt::format("Raise the limit with {}.", hub::mention(hub::Option::MaxMemory, "N")));
  }

  std::unique_ptr<Source> source_;
  std::shared_ptr<Shared> shared_;
  /// Bytes after the lines that were taken; the first `used_` of them were taken since.
  yson::Buffer rest_;
  size_t used_ = 0;
  int64_t most_lines_;
  size_t piece_bytes_;
  yt::RowsPlace place_;
  int64_t rows_ = 0;
  int64_t lines_with_value_ = 0;
  bool controls_ = false;
  bool ended_ = false;
};

class JsonWriter final : public SplitWriter {
 public:
  JsonWriter(std::unique_ptr<ByteSink> sink, const yt::TableSchema& schema,
             const yt::ValueOptions& options, const hub::RowControl& after_row)
      : sink_(std::move(sink)), encoder_(schema, options), last_(after_row) {}

  std::vector<hub::BadRow> encode(hub::Batch batch, yson::Buffer* out) const override {
    return encode_rows(batch, out, [&](const hub::Batch& rows, yson::Buffer* to) {
      return encoder_.encode(rows, to);
    });
  }
  bool takes_dictionary(size_t column) const override { return encoder_.takes_dictionary(column); }
  void write_encoded(std::string_view bytes) override { sink_->write(bytes); }
  void follow(const BatchEnds& ends) override {
    yt::check_follows(last_, ends.first, ends.row);
    last_ = ends.last;
  }
  void finish() override { sink_->finish(); }
  uint64_t bytes_written() const override { return sink_->position(); }

 private:
  std::unique_ptr<ByteSink> sink_;
  yt::JsonRowEncoder encoder_;
  hub::RowControl last_;  ///< control attributes of the last row
};

constexpr std::array<std::string_view, 3> kExtensions = {".jsonl", ".ndjson", ".json"};

OpenFile open(const Location& path, Source* opened, const InputOptions& options, Input* input) {
  find_table_schema(kJsonRows, path, opened, options, input);
  yt::ReadOptions read = read_options(options, *input);
  read.values = yt::json_values(read.values);
  return [schema = *input->table_schema, read = std::move(read), part = options.part](
             const Location&, std::unique_ptr<Source> source,
             const std::vector<Path>& selection) -> std::unique_ptr<SplitReader> {
    return std::make_unique<JsonReader>(std::move(source), schema, of_columns(read, selection),
                                        part);
  };
}

void infer(Source& source, const InputOptions& options, yt::SchemaInference* inference) {
  inference->add_json(source, yt::json_values(options.values),
                      limits::row_bytes(options.max_memory));
}

std::unique_ptr<hub::BatchWriter> write(std::unique_ptr<ByteSink> sink, const WritePlan& plan,
                                        const OutputOptions& options) {
  yt::ValueOptions values = yt::json_values(options.values);
  values.specials_as_stored = plan.special_decimals;
  return std::make_unique<JsonWriter>(std::move(sink), table_schema_of(plan), values,
                                      plan.after_row.value_or(hub::RowControl()));
}

/// Adds a finding about values that JSON rows cannot hold to a path, or to the table if the column
/// has another name there.
void add_reason(crosswalk::Plan* plan, const Path& path, crosswalk::Reason reason) {
  auto report = std::ranges::find(plan->paths, path, &crosswalk::PathReport::path);
  if (report == plan->paths.end()) report = plan->paths.begin();
  report->values = std::max(report->values, reason.values);
  report->reasons.push_back(std::move(reason));
}

/// Looks for values of a type that JSON has no form for.
void judge_type(const yt::Type& tagged, const Path& path, const yt::ValueOptions& values,
                crosswalk::Plan* plan) {
  const yt::Type& type = yt::without_tags(tagged);
  const yt::JsonForm& form = values.json;
  const auto checked = [&](std::string_view rule, std::string lost, std::string witness,
                           std::string hint) {
    add_reason(
        plan, path,
        {rule, hub::Values::Checked, "", std::move(lost), std::move(witness), std::move(hint)});
  };
  switch (type.composition()) {
    case yt::Composition::Optional:
      return judge_type(type.item(), yt::optional_value_path(type, path), values, plan);
    case yt::Composition::List:
      return judge_type(type.item(), path.item(), values, plan);
    case yt::Composition::Dict:
      judge_type(type.key(), path.map_key(), values, plan);
      return judge_type(type.value(), path.map_value(), values, plan);
    case yt::Composition::Struct:
    case yt::Composition::Tuple:
      for (size_t i = 0; i < type.members().size(); ++i) {
        const yt::Member& member = type.members()[i];
        judge_type(member.type, path.field(member.name.empty() ? std::to_string(i) : member.name),
                   values, plan);
      }
      return;
    case yt::Composition::Variant:
      for (size_t i = 0; i < type.members().size(); ++i) {
        judge_type(type.members()[i].type, yt::alternative_path(type, i, path), values, plan);
      }
      return;
    case yt::Composition::None:
    case yt::Composition::Tagged:
      break;
  }
  const bool any = type.is(yt::TypeKind::Yson);
  const bool bytes =
      type.content() == yt::Content::Bytes || type.content() == yt::Content::Zoned ||
      (type.content() == yt::Content::Decimal && values.decimal_mode == yt::DecimalMode::Binary) ||
      (type.content() == yt::Content::Uuid && values.uuid_mode == yt::UuidMode::Binary);
  if ((bytes || any) && !form.encode_utf8) {
    checked("encoding.narrowed", "JSON stores only strings that are UTF-8", R"("\xff")",
            "<encode_utf8=%true>json stores each byte as a character");
  }
  const bool specials =
      form.not_finite != yt::NotFinite::Quoted && !form.stringify && !form.annotate_with_types;
  if (type.content() == yt::Content::Real && specials) {
    const bool unquoted = form.not_finite == yt::NotFinite::Unquoted;
    checked("range.narrowed", unquoted ? "cannot store NaN" : "cannot store NaN or ±Inf", "nan",
            "<stringify_nan_and_infinity=%true;encode_utf8=%false>json stores them as words");
  }
  if (any && form.plain) {
    checked("metadata.lost", "plain JSON cannot store attributes", "<a=1>#",
            "YTsaurus's JSON, <encode_utf8=%false>json, stores them");
    add_reason(plan, path,
               {"metadata.lost", hub::Values::Kept, "",
                "in plain JSON, unsigned numbers come back as signed ones where they fit", "5u",
                "YTsaurus's JSON, <encode_utf8=%false>json, marks them"});
  }
}

void judge(const OutputOptions& options, crosswalk::Plan* plan) {
  const auto* table = plan->target.get_if<yt::TableSchema>();
  if (table == nullptr) return;
  const yt::ValueOptions values = yt::json_values(options.values);
  for (const yt::ColumnSchema& column : table->columns) {
    judge_type(column.type, Path::column(column.name), values, plan);
  }
}

/// Rows are appended after a whole line.
std::string between(const Location& path, WritePlan*) {
  const auto source = open_source(path);
  char last = '\n';
  std::string block(size_t{64} << 10, '\0');
  while (const size_t count = source->read(block.data(), block.size())) last = block[count - 1];
  return last == '\n' ? "" : "\n";
}

}  // namespace

std::vector<Part> json_parts(Source& source, const Location&, uint64_t bytes) {
  const auto contents = source.contents();
  if (!contents || contents->size() <= bytes) return {};
  std::vector<Part> parts;
  uint64_t at = 0;
  uint64_t row = 0;
  uint64_t number = 1;
  for (std::string_view left = *contents; !left.empty(); ++number) {
    const size_t newline = left.find('\n');
    const std::string_view line = left.substr(0, newline);
    const bool marked = at == 0 && line.starts_with(yt::kByteOrderMark);
    if (yt::is_control_line(line.substr(marked ? yt::kByteOrderMark.size() : 0))) return {};
    if (parts.empty() || parts.back().count >= bytes) {
      if (!parts.empty()) source.consumed(parts.back().first, parts.back().count);
      Part& part = parts.emplace_back();
      part.first = at;
      part.first_row = row;
      part.line = number;
    }
    const size_t size = newline == std::string_view::npos ? left.size() : newline + 1;
    const uint64_t rows = yt::is_blank_line(line) ? 0 : 1;
    parts.back().count += size;
    parts.back().rows += rows;
    row += rows;
    at += size;
    left.remove_prefix(size);
  }
  return parts;
}

constinit const RowFormat kJsonRows = {
    .word = "json",
    .name = "json",
    .system = yt::kModule,
    .about = ", JSON lines",
    .extensions = kExtensions,
    .take_attributes = [](const yson::Node& node, const std::string&,
                          FormatWord* out) { out->values = yt::parse_json_format(node); },
    .open = open,
    .infer = infer,
    .takes = kTableRowsTake,
    .takes_to_write = kTableRowsTakeToWrite,
    .compressed_by_name = true,
    .by_bytes = true,
    .parts = json_parts,
    .judge = judge,
    .write = write,
    .adding = Adding::ToFile,
    .schema_there = table_schema_there,
    .between = between,
    .side_text = table_schema_text,
    .side_canonical = canonical_table_schema,
};

}  // namespace xwalk::io
