#include "xwalk/io/formats/parquet_output.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/base64.h"
#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/hub/cast.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/path_pattern.h"
#include "xwalk/hub/variant.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/parquet/encode.h"
#include "xwalk/parquet/engine_footer.h"
#include "xwalk/parquet/file.h"
#include "xwalk/parquet/geo_metadata.h"
#include "xwalk/parquet/hub.h"
#include "xwalk/parquet/module.h"
#include "xwalk/parquet/resolve.h"
#include "xwalk/parquet/values.h"
#include "xwalk/parquet/variant.h"
#include "xwalk/parquet/variant_sample.h"

namespace xwalk::io {
namespace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

/// Passes on the engine's bytes, except the footer, in which it puts the real schema (annotations
/// and fields that the engine does not know) and the metadata.
class FooterSink : public ByteSink {
 public:
  FooterSink(std::unique_ptr<ByteSink> out, parquet::Schema schema, KeyValues metadata,
             std::shared_ptr<const parquet::GeoParquetWriter> geo)
      : out_(std::move(out)),
        schema_(std::move(schema)),
        metadata_(std::move(metadata)),
        geo_(std::move(geo)) {}

  void write(std::string_view bytes) override {
    // Pages of a column come at once, and are not copied.
    const bool goes_on = bytes.size() >= kManyBytes && !bytes.substr(2).starts_with(kSchemaField);
    if (!goes_on) held_.emplace_back(bytes);
    // The engine writes the footer, its length and the magic, each at once, last of all.
    while (held_.size() > (goes_on ? 0 : kHeld)) {
      out_->write(held_.front());
      held_.pop_front();
    }
    if (goes_on) out_->write(bytes);
  }

  void finish() override {
    std::string tail;
    for (const std::string& piece : held_) tail += piece;
    held_.clear();
    constexpr size_t kEnd = 8;
    uint32_t length = 0;
    if (tail.size() >= kEnd) {
      length = load_little_endian<uint32_t>(tail.data() + tail.size() - kEnd);
    }
    if (!tail.ends_with("PAR1") || length > tail.size() - kEnd) {
      throw Error(ErrorCode::Internal, "the engine wrote no footer at the end of the file");
    }
    if (const auto geo = geo_ != nullptr ? geo_->text() : std::nullopt) {
      metadata_.emplace_back(parquet::kGeoKey, *geo);
    }
    size_t start = tail.size() - kEnd - length;
    std::string footer = parquet::written_footer(std::string_view(tail).substr(start, length),
                                                 schema_, metadata_, XWALK_ENGINE_NAN_COUNTS);
    char size[4];
    store_little_endian(static_cast<uint32_t>(footer.size()), size);
    footer.append(size, sizeof size);
    out_->write(std::string_view(tail).substr(0, start));
    out_->write(footer + "PAR1");
    out_->finish();
  }

  uint64_t position() const override { return out_->position(); }

 private:
  static constexpr size_t kHeld = 3;
  static constexpr size_t kManyBytes = size_t{64} << 10;
  /// In a footer, after a version of one byte: the second field, a list, in Thrift's compact
  /// protocol.
  static constexpr std::string_view kSchemaField = "\x19";

  std::unique_ptr<ByteSink> out_;
  parquet::Schema schema_;
  KeyValues metadata_;
  std::shared_ptr<const parquet::GeoParquetWriter> geo_;
  std::deque<std::string> held_;
};

class ParquetOutput : public hub::BatchWriter {
 public:
  ParquetOutput(const hub::Schema& from, const parquet::Schema& schema, bool keep_repeated_keys,
                std::shared_ptr<parquet::GeoParquetWriter> geo)
      : encoder_(schema, {.storage = parquet::in_storage(from)}),
        cast_(
            hub::compile_cast(from, encoder_.schema(),
                              {.duplicate_keys = keep_repeated_keys ? hub::DuplicateKeys::Keep
                                                                    : hub::DuplicateKeys::AsTarget,
                               .target = parquet::refine})),
        geo_(std::move(geo)) {}

  void open(std::unique_ptr<ByteSink> sink, const hub::Schema& arrow,
            const EngineWriteOptions& options) {
    writer_ = open_engine_writer(std::move(sink), arrow, options);
  }

  void write(hub::Batch batch) override {
    if (batch.rows() > 0) check_has_columns(parquet::kModule, cast_.to().fields.size());
    hub::Batch cast = cast_.run(std::move(batch));
    if (!cast.bad.empty()) throw cast.bad.front().error;
    if (geo_ != nullptr) geo_->add(cast, cast_.to().fields);
    hub::Batch raw;
    raw.first_row = cast.first_row;
    raw.array = encoder_.encode(std::move(cast));
    writer_->write(std::move(raw));
  }
  void finish() override { writer_->finish(); }
  uint64_t bytes_written() const override { return writer_->bytes_written(); }

 private:
  parquet::Encoder encoder_;
  hub::CompiledCast cast_;
  /// Null if the file does not describe its columns as GeoParquet.
  std::shared_ptr<parquet::GeoParquetWriter> geo_;
  std::unique_ptr<hub::BatchWriter> writer_;
};

KeyValues metadata_of(const hub::Schema& described, bool store_schema) {
  KeyValues metadata;
  for (const auto& [key, value] : described.metadata) {
    if (key != parquet::kArrowSchemaKey) metadata.emplace_back(key, value);
  }
  if (store_schema) {
    metadata.emplace_back(parquet::kArrowSchemaKey, to_base64(arrow::write_ipc_schema(described)));
  }
  return metadata;
}

/// Has columns stored as they were elsewhere, as far as the options leave that open.
void store_alike(const hub::Storing& like, const parquet::Schema& written,
                 EngineWriteOptions* engine) {
  std::map<std::string_view, int> leaf_of;
  int leaf = 0;
  for (const parquet::Node& column : written.columns()) {
    const int next_leaf = leaf + parquet::count_leaves(column);
    const auto codec = like.compression.find(column.name());
    if (engine->compression.empty() && codec != like.compression.end()) {
      for (int at = leaf; at < next_leaf; ++at) engine->leaf_compression.emplace(at, codec->second);
    }
    if (!column.is_group()) leaf_of.emplace(column.name(), leaf);
    leaf = next_leaf;
  }
  if (engine->row_group_rows == 0) engine->row_group_rows = like.group_rows;
  for (const hub::Storing::SortKey& key : like.sorted_by) {
    const auto found = leaf_of.find(key.column);
    if (found == leaf_of.end()) break;
    engine->sorted_by.push_back({found->second, key.descending ? 1 : 0, key.nulls_first ? 1 : 0});
  }
  engine->page_index = like.page_index;
}

/// Returns a field whose shredded VARIANTs have the type that the file stores: arrow-rs refuses
/// files in which ARROW:schema and the columns differ.
hub::Field as_stored(hub::Field field, const hub::Field& stored) {
  const auto& children = field.type.children();
  const auto& there = stored.type.children();
  if (hub::is_variant(field)) {
    if (there.size() > children.size()) field.type = stored.type;
  } else if (!children.empty() && there.size() == children.size()) {
    std::vector<hub::Field> out;
    for (size_t i = 0; i < there.size(); ++i) out.push_back(as_stored(children[i], there[i]));
    field.type = with_children(field.type, std::move(out));
  }
  return field;
}

/// Returns a field whose calendar intervals are the bytes that the file stores: arrow-rs refuses
/// files in which ARROW:schema has their Arrow type.
hub::Field with_interval_bytes(hub::Field field) {
  const hub::Type& type = field.type;
  if (hub::without_encoding(type).kind() == hub::Kind::IntervalMonthDayNano) {
    const hub::Type bytes = hub::fixed_size_binary(12);
    field.type = type.kind() == hub::Kind::Dictionary
                     ? hub::dictionary(type.index_kind(), bytes, type.flag())
                     : bytes;
    return field;
  }
  if (hub::is_encoded(type)) return field;
  std::vector<hub::Field> children;
  for (const hub::Field& child : type.children()) children.push_back(with_interval_bytes(child));
  if (!std::ranges::equal(children, type.children()))
    field.type = with_children(type, std::move(children));
  return field;
}

/// Rows whose VARIANT values decide how their columns are shredded.
constexpr int64_t kSampledRows = 4096;

/// Holds the first rows until the types of their VARIANT columns are known.
class SampledOutput : public hub::BatchWriter {
 public:
  SampledOutput(std::unique_ptr<ByteSink> sink, hub::Schema schema, ParquetOutputOptions options)
      : sink_(std::move(sink)), schema_(std::move(schema)), options_(std::move(options)) {}

  void write(hub::Batch batch) override {
    if (output_ != nullptr) return output_->write(std::move(batch));
    rows_ += batch.rows();
    held_.push_back(std::move(batch));
    if (rows_ >= kSampledRows) open();
  }
  void finish() override {
    if (output_ == nullptr) open();
    output_->finish();
  }
  uint64_t bytes_written() const override {
    return output_ == nullptr ? 0 : output_->bytes_written();
  }

 private:
  void open() {
    const parquet::Schema whole =
        options_.schema ? *options_.schema : parquet::from_arrow(schema_).schema;
    const hub::Schema columns = parquet::to_arrow(whole, {.storage = parquet::in_storage(schema_)});
    const hub::CompiledCast cast = hub::compile_cast(
        schema_, columns, {.duplicate_keys = hub::DuplicateKeys::Keep, .target = parquet::refine});
    parquet::VariantSample sample(whole);
    for (const hub::Batch& batch : held_) sample.add(cast.run(batch).array);
    options_.schema = sample.shredded(sampled_columns(columns));
    options_.sampled.clear();
    output_ = open_parquet_writer(std::move(sink_), schema_, options_);
    for (hub::Batch& batch : held_) output_->write(std::move(batch));
    held_.clear();
  }

  /// Returns the columns that are sampled; nothing means all.
  std::optional<std::vector<Path>> sampled_columns(const hub::Schema& columns) const {
    std::vector<Path> out;
    for (const crosswalk::CastOption& one : options_.sampled) {
      if (one.path.empty()) return std::nullopt;
      std::ranges::move(hub::paths_like(columns, one.path, one.pattern), std::back_inserter(out));
    }
    return out;
  }

  std::unique_ptr<ByteSink> sink_;
  hub::Schema schema_;
  ParquetOutputOptions options_;
  std::vector<hub::Batch> held_;
  int64_t rows_ = 0;
  std::unique_ptr<hub::BatchWriter> output_;
};

}  // namespace

std::unique_ptr<hub::BatchWriter> open_parquet_writer(std::unique_ptr<ByteSink> sink,
                                                      const hub::Schema& schema,
                                                      const ParquetOutputOptions& options) {
  if (!options.sampled.empty()) {
    return std::make_unique<SampledOutput>(std::move(sink), schema, options);
  }
  parquet::Schema written = options.schema ? *options.schema : parquet::from_arrow(schema).schema;
  hub::Schema described = crosswalk::with_arrow_types(
      parquet::kModule, parquet::without_storage(schema), crosswalk::Restored::InPlace);
  std::shared_ptr<parquet::GeoParquetWriter> geo;
  const std::string copied(described.metadata.find(parquet::kGeoKey).value_or(""));
  if (options.geoparquet || !copied.empty()) {
    geo = std::make_shared<parquet::GeoParquetWriter>(described, copied, options.geoparquet);
    if (geo->text()) described.metadata.erase(parquet::kGeoKey);
  }
  auto output = std::make_unique<ParquetOutput>(schema, written, options.keep_repeated_keys, geo);
  parquet::EnginePlan plan = parquet::plan_write(written);
  if (std::ranges::any_of(described.fields, hub::has_variant)) {
    const hub::Schema stored = parquet::to_arrow(parquet::with_stored_variants(written));
    for (size_t i = 0; i < described.fields.size(); ++i) {
      described.fields[i] = as_stored(std::move(described.fields[i]), stored.fields.at(i));
    }
  }
  for (hub::Field& field : described.fields) field = with_interval_bytes(std::move(field));

  EngineWriteOptions engine;
  engine.compression = options.compression;
  engine.compression_level = options.compression_level;
  engine.row_group_rows = options.row_group_rows;
  engine.threads = options.threads;
  engine.footer = parquet::empty_footer(plan.written);
  engine.without_statistics = plan.without_statistics;
  store_alike(options.like, written, &engine);
  output->open(std::make_unique<FooterSink>(std::move(sink), std::move(written),
                                            metadata_of(described, options.store_schema), geo),
               plan.arrow, engine);
  return output;
}

}  // namespace xwalk::io
