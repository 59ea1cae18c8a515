#include "xwalk/parquet/explain.h"

#include <fmt/format.h>

#include "xwalk/parquet/schema.h"

namespace xwalk::parquet {
namespace {

using Kind = LogicalType::Kind;

std::string head(const Node& node) {
  NodeData data = node.data();
  data.children.clear();
  data.unknown.clear();
  std::string text = print_field_in_line(Node(std::move(data)));
  size_t end = text.find_last_not_of(" ;{}");
  return text.substr(0, end + 1);
}

std::string converted_name(int32_t number) {
  std::optional<ConvertedType> type = converted_type(number);
  return type ? std::string(to_string(*type)) : std::to_string(number);
}

/// Describes which of the two forms of an annotation decides.
std::string deciding_form(const Node& node) {
  const Annotation& written = node.annotation();
  const LogicalType& meaning = node.logical();
  if (!written.logical && !written.converted) return "no annotation: the physical type itself";
  if (meaning.is(Kind::Future)) {
    return fmt::format("annotation {} is newer than this version of xwalk and ignored",
                       meaning.future_id());
  }
  if (!meaning) {
    return written.converted ? fmt::format("ConvertedType {} is unknown: ignored",
                                           converted_name(*written.converted))
                             : "an empty annotation: the physical type itself";
  }
  std::string name = to_string(meaning);
  if (written.logical) {
    if (!written.converted) return fmt::format("LogicalType {} alone", name);
    auto expected = to_converted(meaning);
    if (expected && static_cast<int32_t>(*expected) == *written.converted) {
      return fmt::format("LogicalType {}, and ConvertedType {}", name,
                         converted_name(*written.converted));
    }
    return fmt::format("LogicalType {} wins over ConvertedType {}", name,
                       converted_name(*written.converted));
  }
  std::string text = fmt::format("ConvertedType {} alone", converted_name(*written.converted));
  if (meaning.is(Kind::Time) || meaning.is(Kind::Timestamp)) text += ": it means UTC";
  if (meaning.is(Kind::Decimal) && !written.scale) text += ": without a scale, which is then 0";
  return text;
}

std::string reason(const Resolved& part) {
  if (part.rule == Rule::Leaf) return deciding_form(part.node);
  std::string text(explain(part.rule));
  bool annotated = part.node.annotation().logical || part.node.annotation().converted;
  if (annotated && part.rule != Rule::Repeated) {
    text += fmt::format(" ({})", deciding_form(part.node));
  }
  return text;
}

void add(const Resolved& part, int depth, std::vector<Explanation>* out) {
  std::string meaning = hub::to_string(part.field.type);
  if (!part.field.extension_name().empty()) {
    meaning += fmt::format(" [{}]", part.field.extension_name());
  }
  if (!part.field.nullable) meaning += " not null";
  out->push_back({part.path, depth, head(part.node), std::move(meaning), part.rule, reason(part)});
  for (const Resolved& child : part.children) add(child, depth + 1, out);
}

}  // namespace

std::vector<Explanation> explain(const Schema& schema, const ToArrowOptions& options) {
  std::vector<Explanation> out;
  for (const Resolved& column : resolve(schema, options).columns) add(column, 0, &out);
  return out;
}

std::string to_string(const std::vector<Explanation>& explanations) {
  std::string out;
  for (const Explanation& part : explanations) {
    // guard(allocate): Types have a limit of levels.
    std::string indent(static_cast<size_t>(part.depth) * 2, ' ');
    out += fmt::format("{}{}: {} → {}\n", indent, part.path.text(), part.node, part.meaning);
    out += fmt::format("{}  {}: {}\n", indent, slug(part.rule), part.reason);
  }
  return out;
}

}  // namespace xwalk::parquet
