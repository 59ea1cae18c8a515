#include "xwalk/crosswalk/alike_reports.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/module.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;

/// The text of the type of a column, for each name that columns like it have.
class NamedTypeText {
 public:
  /// `text` is that of `field`.
  NamedTypeText(System system, const Field& field, const std::string& text) : begin_(text) {
    if (text.empty()) return;
    Field other = field;
    other.name = hub::kLoneColumn;
    const std::string like = type_text(system, other);
    if (like == text) return;
    // Types and repetition come before the name, and none of them begins like this.
    const size_t name = like.find(fmt::format(" {}", hub::kLoneColumn));
    if (name == std::string::npos) return;
    begin_ = like.substr(0, name + 1);
    end_ = like.substr(begin_.size() + hub::kLoneColumn.size());
    named_ = true;
  }

  std::string of(const std::string& name) const {
    if (!named_) return begin_;
    std::string out;
    out.reserve(begin_.size() + name.size() + end_.size());
    return out.append(begin_).append(name).append(end_);
  }

 private:
  std::string begin_;
  std::string end_;
  bool named_ = false;
};

}  // namespace

std::vector<PathReport> with_alike(const Plan& plan, const AlikeColumns& alike,
                                   std::vector<PathReport> distinct) {
  struct Column {
    size_t begin = 0;
    size_t end = 0;
    std::optional<NamedTypeText> source;
    std::optional<NamedTypeText> target;
  };
  const std::vector<Field>& fields = plan.source_hub.fields;
  std::vector<Column> columns(fields.size());
  // The table's, and as many for each column as for the one that it is like.
  std::vector<size_t> counts(fields.size());
  for (size_t i = 0, at = 1; i < fields.size(); ++i) {
    if (alike.first(i) != i) continue;
    do {
      ++counts[i];
      ++at;
    } while (at < distinct.size() && distinct[at].path.size() > 1);
  }
  size_t count = 1;
  for (size_t i = 0; i < fields.size(); ++i) count += counts[alike.first(i)];
  std::vector<PathReport> out;
  out.reserve(count);
  out.push_back(std::move(distinct.front()));
  size_t next = 1;
  for (size_t i = 0; i < fields.size(); ++i) {
    const size_t first = alike.first(i);
    Column& column = columns[first];
    if (first == i) {
      column.begin = out.size();
      do out.push_back(std::move(distinct[next++]));
      while (next < distinct.size() && distinct[next].path.size() > 1);
      column.end = out.size();
      continue;
    }
    const std::string& name = fields[i].name;
    if (!column.source) {
      const PathReport& report = out[column.begin];
      column.source.emplace(plan.source_system, fields[first], report.source);
      column.target.emplace(plan.target_system, alike.target_of(first), report.target);
    }
    // The paths above the next one, starting with the column's.
    std::vector<Path> above;
    for (size_t k = column.begin; k < column.end; ++k) {
      const PathReport& like = out[k];
      const size_t depth = like.path.size();
      above.resize(depth - 1);
      above.push_back(depth == 1 ? Path::column(name) : above.back().below(like.path.last()));
      out.push_back({above.back(), depth == 1 ? column.source->of(name) : like.source,
                     depth == 1 ? column.target->of(name) : like.target, like.values, like.type,
                     like.labels, like.reasons});
      for (Reason& reason : out.back().reasons) {
        const std::string_view lost = alike.finding_text(i, reason.lost);
        if (lost != reason.lost) reason.lost = lost;
      }
    }
  }
  return out;
}

}  // namespace xwalk::crosswalk
