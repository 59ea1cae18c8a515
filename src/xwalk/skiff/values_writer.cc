#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/skiff/encode.h"
#include "xwalk/skiff/hub.h"
#include "xwalk/skiff/rows.h"
#include "xwalk/skiff/values.h"

namespace xwalk::skiff {
namespace {

/// Rows written at a time: their bytes and cursors stay in the cache.
constexpr size_t kBlockRows = 1024;

/// Writes the rows of one table, a block at a time: sizes of the rows first, then one column after
/// the other into its places.
class RowsWriter : public hub::BatchWriter {
 public:
  RowsWriter(std::unique_ptr<ByteSink> sink, const Schema& schema, const WriteOptions& options)
      : sink_(std::move(sink)), options_(options) {
    if (options.table >= schema.format.tables.size()) {
      throw Error(ErrorCode::Usage, fmt::format("expected a table below {}, found {}",
                                                schema.format.tables.size(), options.table));
    }
    table_ = bind_table(schema.format.tables[options.table], schema.table_schema(options.table),
                        Flow::Write);
    arrow_ = to_arrow(table_);
    for (size_t i = 0; i < table_.columns.size(); ++i) {
      plans_.push_back(make_plan(table_.columns[i].binding, arrow_.fields[i]));
    }
    scratch_.resize(plans_.size() + 1);
    for (const Slot& slot : table_.layout.slots) add_step(slot);
  }

  void write(hub::Batch batch) override {
    if (!batch.bad.empty()) {
      throw Error(ErrorCode::Internal, "expected a batch without bad rows, found some");
    }
    std::vector<ArrayView> views(arrow_.fields.size());
    if (static_cast<size_t>(batch.array->n_children) != views.size()) {
      throw Error(ErrorCode::Usage, fmt::format("expected {} columns, found {}", views.size(),
                                                batch.array->n_children));
    }
    for (size_t i = 0; i < views.size(); ++i) {
      view_array(arrow_.fields[i], *batch.array->children[i], &views[i]);
      // An offset of the batch itself counts for every column.
      views[i].offset += batch.array->offset;
    }
    for (int64_t from = 0; from < batch.rows(); from += static_cast<int64_t>(kBlockRows)) {
      rows_ = std::min(kBlockRows, static_cast<size_t>(batch.rows() - from));
      first_ = from;
      write_block(views);
      written_rows_ += static_cast<int64_t>(rows_);
    }
  }

  void finish() override {
    if (options_.end_of_stream) sink_->write(std::string_view("\xff\xff", 2));
    sink_->finish();
  }

  uint64_t bytes_written() const override { return sink_->position(); }

 private:
  enum class Kernel : uint8_t { Integer, Real, Boolean, Bytes, Scratch, Nothing, Constant };
  struct Step {
    Kernel kernel = Kernel::Scratch;
    bool optional = false;
    bool required = false;
    /// Place among the columns, and of the bytes made beforehand.
    size_t column = 0;
    const Plan* value = nullptr;
    Role role = Role::Dense;
  };

  void add_step(const Slot& slot) {
    Step step;
    step.role = slot.role;
    if (slot.role != Role::Dense) {
      bool prepared =
          slot.role == Role::Sparse || slot.role == Role::RowIndex || slot.role == Role::RangeIndex;
      step.kernel = prepared ? Kernel::Scratch : Kernel::Bytes;
      if (slot.role == Role::KeySwitch) step.kernel = Kernel::Constant;
      if (slot.role == Role::Other) step.column = arrow_.fields.size() - 1;
      if (prepared) {
        step.column = scratch_.size();
        scratch_.emplace_back();
      }
      steps_.push_back(step);
      return;
    }
    step.column = dense_++;
    const Plan* value = &plans_[step.column];
    if (value->form == Form::Optional && !value->wrapped) {
      step.optional = true;
      step.required = value->required;
      value = &value->children[0];
    } else if (value->form == Form::Present && !value->wrapped && value->wire != WireType::Yson32) {
      value = &value->children[0];
    }
    step.value = value;
    bool plain_text =
        value->form == Form::String && !yt::is_tz(value->kind) && value->kind != yt::TypeKind::Uuid;
    if (value->form == Form::Nothing && !step.optional) {
      step.kernel = Kernel::Nothing;
    } else if (value->any && value->form != Form::Yson) {
      step.kernel = Kernel::Scratch;
    } else if (value->form == Form::Signed || value->form == Form::Unsigned) {
      step.kernel = Kernel::Integer;
    } else if (value->form == Form::Double) {
      step.kernel = Kernel::Real;
    } else if (value->form == Form::Boolean) {
      step.kernel = Kernel::Boolean;
    } else if (plain_text || value->form == Form::Yson) {
      step.kernel = Kernel::Bytes;
    }
    steps_.push_back(step);
  }

  void write_block(const std::vector<ArrayView>& views) {
    sizes_.fill(2);
    for (const Step& step : steps_) measure(step, views);
    size_t total = 0;
    for (size_t i = 0; i < rows_; ++i) {
      cursors_[i] = total;
      total += sizes_[i];
    }
    if (total > capacity_) {
      capacity_ = std::max(total, 2 * capacity_);
      buffer_ = std::make_unique_for_overwrite<char[]>(capacity_);
    }
    auto tag = static_cast<uint16_t>(options_.table);
    for (size_t i = 0; i < rows_; ++i) {
      std::memcpy(buffer_.get() + cursors_[i], &tag, sizeof(tag));
      cursors_[i] += sizeof(tag);
    }
    for (const Step& step : steps_) scatter(step, views);
    sink_->write({buffer_.get(), total});
  }

  [[noreturn]] void refuse(const Step& step, size_t row, Refusal refusal) {
    Place place;
    place.row = static_cast<uint64_t>(written_rows_) + row;
    std::string name(kOtherColumns);
    if (step.column < table_.columns.size()) name = table_.columns[step.column].name;
    place.path = Path::column(name);
    refuse_at(std::move(place), refusal,
              step.column < table_.columns.size()
                  ? to_string(table_.columns[step.column].binding.wire.named(""))
                  : std::string("yson32"));
  }

  [[noreturn]] static void refuse_at(Place place, Refusal refusal, const std::string& wire) {
    switch (refusal) {
      case Refusal::Null:
        throw Error(ErrorCode::Input,
                    fmt::format("expected a value, which {} requires, found null", wire),
                    std::move(place));
      case Refusal::Range:
        throw Error(ErrorCode::Input,
                    fmt::format("expected a value in the range of the column and of {}, found "
                                "another",
                                wire),
                    std::move(place));
      default:
        throw Error(ErrorCode::Input,
                    fmt::format("expected a value that {} carries, found another", wire),
                    std::move(place));
    }
  }

  /// Fills `present_` and refuses nulls without a place.
  void find_nulls(const Step& step, const ArrayView& view) {
    if (!view.has_nulls) {
      present_.fill(1);
      return;
    }
    for (size_t i = 0; i < rows_; ++i) {
      present_[i] = view.is_null(first_ + static_cast<int64_t>(i)) ? 0 : 1;
    }
    if (step.optional && !step.required) return;
    for (size_t i = 0; i < rows_; ++i) {
      if (present_[i] == 0) refuse(step, i, Refusal::Null);
    }
  }

  void measure_fixed(const Step& step, const ArrayView& view, size_t width) {
    find_nulls(step, view);
    if (!step.optional) {
      for (size_t i = 0; i < rows_; ++i) sizes_[i] += width;
    } else {
      for (size_t i = 0; i < rows_; ++i) sizes_[i] += 1 + present_[i] * width;
    }
  }

  void measure(const Step& step, const std::vector<ArrayView>& views) {
    switch (step.kernel) {
      case Kernel::Nothing:
        return;
      case Kernel::Constant:
        for (size_t i = 0; i < rows_; ++i) sizes_[i] += 1;
        return;
      case Kernel::Integer:
      case Kernel::Real:
      case Kernel::Boolean:
        measure_fixed(step, views[step.column], step.value->wire_width);
        return;
      case Kernel::Bytes: {
        const ArrayView& view = views[step.column];
        measure_fixed(step, view, 4);
        const int32_t* offsets = view.offsets + view.offset + first_;
        for (size_t i = 0; i < rows_; ++i) {
          // What lies under a null is not written.
          sizes_[i] += present_[i] != 0 ? static_cast<size_t>(offsets[i + 1] - offsets[i]) : 0;
        }
        return;
      }
      case Kernel::Scratch:
        prepare(step, views);
        return;
    }
  }

  /// Makes the bytes of a column without a kernel.
  void prepare(const Step& step, const std::vector<ArrayView>& views) {
    Scratch& scratch = scratch_[step.column];
    scratch.bytes.clear();
    for (size_t i = 0; i < rows_; ++i) {
      size_t before = scratch.bytes.size();
      int64_t row = first_ + static_cast<int64_t>(i);
      if (step.role == Role::Dense) {
        Refusal refusal =
            encoder_.encode(plans_[step.column], views[step.column], row, &scratch.bytes);
        if (refusal != Refusal::None) refuse(step, i, refusal);
      } else if (step.role == Role::Sparse) {
        prepare_sparse(views, i, row, &scratch.bytes);
      } else {
        bool explicit_index = written_rows_ == 0 && i == 0;
        scratch.bytes.push_back(explicit_index ? 1 : 0);
        if (explicit_index) scratch.bytes.append(8, '\0');
      }
      scratch.sizes[i] = static_cast<uint32_t>(scratch.bytes.size() - before);
      sizes_[i] += scratch.sizes[i];
    }
  }

  void prepare_sparse(const std::vector<ArrayView>& views, size_t index, int64_t row,
                      std::string* out) {
    for (size_t i = table_.dense_columns; i < table_.columns.size(); ++i) {
      const BoundColumn& column = table_.columns[i];
      if (views[i].is_null(row) && column.nullable) continue;
      out->push_back(static_cast<char>(column.tag));
      out->push_back(static_cast<char>(column.tag >> 8));
      Refusal refusal = encoder_.encode(plans_[i], views[i], row, out);
      if (refusal == Refusal::None) continue;
      Step step;
      step.column = i;
      refuse(step, index, refusal);
    }
    out->append("\xff\xff");
  }

  /// Writes the tags of optional values and leaves the cursors behind them.
  void scatter_tags(const Step& step, const ArrayView& view) {
    find_nulls(step, view);
    if (!step.optional) return;
    for (size_t i = 0; i < rows_; ++i) {
      buffer_[cursors_[i]++] = static_cast<char>(present_[i]);
    }
  }

  template <typename Wire, typename Load>
  void scatter_fixed(const Step& step, const Load& load_value) {
    char* out = buffer_.get();
    if (!step.optional) {
      for (size_t i = 0; i < rows_; ++i) {
        auto value = static_cast<Wire>(load_value(i));
        std::memcpy(out + cursors_[i], &value, sizeof(value));
        cursors_[i] += sizeof(value);
      }
      return;
    }
    for (size_t i = 0; i < rows_; ++i) {
      if (present_[i] == 0) continue;
      auto value = static_cast<Wire>(load_value(i));
      std::memcpy(out + cursors_[i], &value, sizeof(value));
      cursors_[i] += sizeof(value);
    }
  }

  template <typename Load>
  void scatter_words(const Step& step, const Load& load_value) {
    switch (step.value->wire_width) {
      case 1:
        scatter_fixed<int8_t>(step, load_value);
        return;
      case 2:
        scatter_fixed<int16_t>(step, load_value);
        return;
      case 4:
        scatter_fixed<int32_t>(step, load_value);
        return;
      default:
        scatter_fixed<int64_t>(step, load_value);
        return;
    }
  }

  void scatter_integers(const Step& step, const ArrayView& view) {
    const char* values = view.values + (view.offset + first_) * view.width;
    const Plan& plan = *step.value;
    auto run = [&](auto zero) {
      using Value = decltype(zero);
      auto load_value = [&](size_t i) {
        Value value;
        std::memcpy(&value, values + i * sizeof(Value), sizeof(Value));
        return static_cast<int64_t>(value);
      };
      // Whether every value of the Arrow type fits is known from the types alone in most cases.
      bool all_fit = plan.wire_width >= sizeof(Value) && !narrowed<Value>(plan);
      if (!all_fit) {
        for (size_t i = 0; i < rows_; ++i) {
          if (present_[i] != 0 && !integer_fits(plan, load_value(i))) {
            refuse(step, i, Refusal::Range);
          }
        }
      }
      scatter_words(step, load_value);
    };
    switch (view.kind) {
      case hub::Kind::Int8:
        run(int8_t{});
        return;
      case hub::Kind::Int16:
        run(int16_t{});
        return;
      case hub::Kind::Int32:
      case hub::Kind::Date32:
        run(int32_t{});
        return;
      case hub::Kind::Uint8:
        run(uint8_t{});
        return;
      case hub::Kind::Uint16:
        run(uint16_t{});
        return;
      case hub::Kind::Uint32:
        run(uint32_t{});
        return;
      case hub::Kind::Uint64:
        run(uint64_t{});
        return;
      default:
        run(int64_t{});
        return;
    }
  }

  /// Returns true if the logical type holds fewer values than the Arrow type.
  template <typename Value>
  static bool narrowed(const Plan& plan) {
    if constexpr (std::is_signed_v<Value>) {
      constexpr int64_t kMax = std::numeric_limits<Value>::max();
      return plan.form == Form::Unsigned || plan.range.min > -kMax - 1 ||
             plan.range.max < static_cast<uint64_t>(kMax);
    } else {
      return plan.range.max < std::numeric_limits<Value>::max();
    }
  }

  void scatter(const Step& step, const std::vector<ArrayView>& views) {
    switch (step.kernel) {
      case Kernel::Nothing:
        return;
      case Kernel::Constant:
        for (size_t i = 0; i < rows_; ++i) buffer_[cursors_[i]++] = 0;
        return;
      case Kernel::Integer:
        scatter_tags(step, views[step.column]);
        scatter_integers(step, views[step.column]);
        return;
      case Kernel::Real: {
        const ArrayView& view = views[step.column];
        scatter_tags(step, view);
        const char* values = view.values + (view.offset + first_) * view.width;
        if (view.width == sizeof(double)) {
          scatter_fixed<double>(step, [&](size_t i) {
            double value;
            std::memcpy(&value, values + i * sizeof(value), sizeof(value));
            return value;
          });
        } else {
          scatter_fixed<double>(step, [&](size_t i) {
            float value;
            std::memcpy(&value, values + i * sizeof(value), sizeof(value));
            return value;
          });
        }
        return;
      }
      case Kernel::Boolean: {
        const ArrayView& view = views[step.column];
        scatter_tags(step, view);
        scatter_fixed<uint8_t>(step, [&](size_t i) {
          int64_t at = view.offset + first_ + static_cast<int64_t>(i);
          return (static_cast<unsigned char>(view.values[at >> 3]) >> (at & 7)) & 1;
        });
        return;
      }
      case Kernel::Bytes: {
        const ArrayView& view = views[step.column];
        scatter_tags(step, view);
        const int32_t* offsets = view.offsets + view.offset + first_;
        for (size_t i = 0; i < rows_; ++i) {
          if (present_[i] == 0) continue;
          auto size = static_cast<uint32_t>(offsets[i + 1] - offsets[i]);
          char* out = buffer_.get() + cursors_[i];
          std::memcpy(out, &size, sizeof(size));
          if (size > 0) std::memcpy(out + sizeof(size), view.bytes + offsets[i], size);
          cursors_[i] += sizeof(size) + size;
        }
        return;
      }
      case Kernel::Scratch: {
        const Scratch& scratch = scratch_[step.column];
        const char* from = scratch.bytes.data();
        for (size_t i = 0; i < rows_; ++i) {
          std::memcpy(buffer_.get() + cursors_[i], from, scratch.sizes[i]);
          cursors_[i] += scratch.sizes[i];
          from += scratch.sizes[i];
        }
        return;
      }
    }
  }

  struct Scratch {
    std::string bytes;
    std::array<uint32_t, kBlockRows> sizes;
  };

  std::unique_ptr<ByteSink> sink_;
  WriteOptions options_;
  BoundTable table_;
  hub::Schema arrow_;
  std::vector<Plan> plans_;
  std::vector<Step> steps_;
  std::vector<Scratch> scratch_;
  size_t dense_ = 0;
  ValueEncoder encoder_;
  std::array<size_t, kBlockRows> sizes_{};
  std::array<size_t, kBlockRows> cursors_{};
  std::array<uint8_t, kBlockRows> present_{};
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
  size_t rows_ = 0;
  int64_t first_ = 0;
  int64_t written_rows_ = 0;
};

}  // namespace

std::unique_ptr<hub::BatchWriter> write_rows(std::unique_ptr<ByteSink> sink, const Schema& schema,
                                             const WriteOptions& options) {
  return std::make_unique<RowsWriter>(std::move(sink), schema, options);
}

}  // namespace xwalk::skiff
