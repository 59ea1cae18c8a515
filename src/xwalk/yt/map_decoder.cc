#include "xwalk/yt/map_decoder.h"

#include <vector>

#include "xwalk/base/text.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yt/decode_fields_internal.h"

namespace xwalk::yt {

class MapDecoder::Impl {
 public:
  Impl(const TableSchema& schema, const ValueOptions& options)
      : program_(compile_row(schema, options)), columns_(schema.columns.size()) {}

  bool decode(std::string_view map, hub::ColumnBuilder* builders, int64_t row) {
    for (size_t i = 0; i < columns_.size(); ++i) columns_[i] = &builders[i];
    const char* p = map.data();
    context_.end = p + map.size();
    context_.path.clear();
    others_.clear();
    yson::skip_space(p, context_.end);
    if (p == context_.end || *p != '{') return false;
    ++p;
    yson::Buffer* others = program_.strict ? nullptr : &others_;
    if (!decode_row(program_.row, columns_.data(), row, others, p, context_)) return false;
    yson::skip_space(p, context_.end);
    if (p != context_.end || !texts_are_valid(row)) return false;
    if (others == nullptr) return true;
    if (others_.empty()) others_.append('{');
    others_.append('}');
    builders[columns_.size()].append_bytes(others_.view());
    return true;
  }

 private:
  /// Row decoders leave the validation of columns' utf8 to the code that has the whole batch.
  bool texts_are_valid(int64_t row) const {
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (program_.row.children[i].op != Op::Utf8) continue;
      const int32_t* ends = columns_[i]->offsets() + row;
      const auto size = static_cast<size_t>(ends[1] - ends[0]);
      const auto begin = static_cast<size_t>(ends[0]);
      if (!is_valid_utf8(columns_[i]->bytes().substr(begin, size))) return false;
    }
    return true;
  }

  RowProgram program_;
  std::vector<hub::ColumnBuilder*> columns_;
  DecodeContext context_;
  yson::Buffer others_;
};

MapDecoder::MapDecoder(const TableSchema& schema, const ValueOptions& options)
    : impl_(std::make_unique<Impl>(schema, options)) {}
MapDecoder::~MapDecoder() = default;
MapDecoder::MapDecoder(MapDecoder&&) noexcept = default;

bool MapDecoder::decode(std::string_view map, hub::ColumnBuilder* builders, int64_t row) {
  return impl_->decode(map, builders, row);
}

}  // namespace xwalk::yt
