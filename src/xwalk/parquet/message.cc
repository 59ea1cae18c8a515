#include "xwalk/parquet/message.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/base/text_cursor.h"
#include "xwalk/hub/letter_case.h"
#include "xwalk/parquet/elements.h"
#include "xwalk/parquet/rules.h"
#include "xwalk/parquet/thrift.h"

namespace xwalk::parquet {
namespace {

using Kind = LogicalType::Kind;

/// Classes of bytes: a word ends at a blank or a punctuation mark. The carriage return is a blank
/// here; parquet-java makes it part of a word, which no one can mean.
enum class CharClass : uint8_t { Word, Blank, Mark };

constexpr std::array<CharClass, 256> make_classes() {
  std::array<CharClass, 256> classes{};
  for (unsigned char c : {' ', '\t', '\n', '\r'}) classes[c] = CharClass::Blank;
  for (unsigned char c : {',', ';', '{', '}', '(', ')', '='}) classes[c] = CharClass::Mark;
  return classes;
}
constexpr std::array<CharClass, 256> kClasses = make_classes();

CharClass class_of(char c) { return kClasses[static_cast<uint8_t>(c)]; }

bool equal_ignoring_case(std::string_view word, std::string_view lower) {
  if (word.size() != lower.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    char c = word[i] >= 'A' && word[i] <= 'Z' ? static_cast<char>(word[i] + 32) : word[i];
    if (c != lower[i]) return false;
  }
  return true;
}

std::optional<EdgeAlgorithm> algorithm_of(std::string_view word) {
  const std::string name = hub::in_upper_case(word);
  for (int i = 0; i <= static_cast<int>(EdgeAlgorithm::Karney); ++i) {
    const auto candidate = static_cast<EdgeAlgorithm>(i);
    if (name == to_string(candidate)) return candidate;
  }
  return std::nullopt;
}

const std::vector<std::string>& annotation_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const LogicalRow& row : kLogicalRows) {
      if (row.kind != Kind::None && row.kind != Kind::Future) names.emplace_back(row.name);
    }
    for (const ConvertedRow& row : kConvertedRows) names.emplace_back(row.name);
    return names;
  }();
  return kNames;
}

class Parser {
 public:
  explicit Parser(std::string_view text, bool judges = true) : cursor_(text), judges_(judges) {
    advance();
  }

  Schema message() {
    expect_word("message", "a schema that begins with 'message'");
    NodeData root;
    root.name = name();
    fields(&root, 1);
    if (token_ == ";") advance();
    end();
    return Schema(Node(std::move(root)));
  }

  Node field() {
    skip_comments();
    Node node = one_field(1, FieldEnd::OrEndOfText);
    end();
    return node;
  }

  Annotation lone_annotation() {
    Annotation parsed = annotation();
    end();
    return parsed;
  }

 private:
  [[noreturn]] void fail(std::string_view expected, std::string hint = {}) const {
    cursor_.fail(
        cursor_.at(), std::max<size_t>(1, token_.size()),
        fmt::format("expected {}, found {}", expected, at_end() ? "the end" : clipped(token_)),
        std::move(hint));
  }
  bool at_end() const { return token_.empty(); }

  void end() const {
    if (!at_end()) fail("the end of the schema");
  }

  /// Moves to the next token, which is empty at the end.
  void advance() {
    cursor_.move_to(cursor_.at() + token_.size());
    cursor_.skip_space();
    const std::string_view rest = cursor_.rest();
    size_t end = 0;
    while (end < rest.size() && class_of(rest[end]) == CharClass::Word) ++end;
    token_ = rest.substr(0, std::max<size_t>(1, end));
  }

  /// Skips `//` comments at places where no token can begin with them.
  void skip_comments() {
    while (token_.starts_with("//")) {
      token_ = cursor_.rest().substr(0, cursor_.rest().find('\n'));
      advance();
    }
  }

  bool take(std::string_view mark) {
    if (token_ != mark) return false;
    advance();
    return true;
  }
  void expect(std::string_view mark, std::string_view what) {
    if (!take(mark)) fail(what);
  }
  void expect_word(std::string_view word, std::string_view what) {
    skip_comments();
    if (!equal_ignoring_case(token_, word)) fail(what);
    advance();
  }

  std::string_view word(std::string_view what) {
    if (at_end() || class_of(token_[0]) == CharClass::Mark) fail(what);
    std::string_view found = token_;
    advance();
    return found;
  }

  /// Reads a word or a text in double quotes with \" and \\ inside.
  std::string name(std::string_view what = "a name") {
    if (!token_.starts_with('"')) return std::string(word(what));
    token_ = {};
    std::string out = cursor_.quoted_text([&](std::string* text) {
      const bool escape = cursor_.rest()[0] == '"' || cursor_.rest()[0] == '\\';
      *text += escape ? cursor_.rest()[0] : '\\';
      if (escape) cursor_.move_to(cursor_.at() + 1);
    });
    advance();
    return out;
  }

  int32_t number(std::string_view what) {
    const bool plus = token_.starts_with('+') && !token_.starts_with("+-");
    const std::optional<int64_t> value =
        integer_of(plus ? token_.substr(1) : token_, INT32_MIN, INT32_MAX);
    if (!value) fail(what);
    advance();
    return static_cast<int32_t>(*value);
  }

  bool boolean(std::string_view what) {
    bool value = equal_ignoring_case(token_, "true");
    if (!value && !equal_ignoring_case(token_, "false")) fail(what);
    advance();
    return value;
  }

  void fields(NodeData* group, int depth) {
    cursor_.check_depth(depth);
    expect("{", "'{' before the fields of a group");
    while (true) {
      skip_comments();
      if (take("}")) return;
      group->children.push_back(one_field(depth));
      // The specification's own examples close a group with "};".
      if (group->children.back().is_group()) take(";");
    }
  }

  /// What may follow a field without children.
  enum class FieldEnd : uint8_t { Semicolon, OrEndOfText };

  Repetition repetition(FieldEnd field_end) {
    for (Repetition candidate :
         {Repetition::Optional, Repetition::Required, Repetition::Repeated}) {
      if (equal_ignoring_case(token_, to_string(candidate))) {
        advance();
        return candidate;
      }
    }
    if (field_end == FieldEnd::Semicolon) fail("required, optional, repeated or '}'");
    fail("required, optional or repeated", "Name a field, as in optional int32 v (DECIMAL(9,2)).");
  }

  PhysicalType physical() {
    for (const PhysicalRow& row : kPhysicalRows) {
      if (equal_ignoring_case(token_, row.name)) {
        advance();
        return row.physical;
      }
    }
    if (equal_ignoring_case(token_, "byte_array")) {
      advance();
      return PhysicalType::ByteArray;
    }
    std::vector<std::string> expected_names = {"group"};
    for (const PhysicalRow& row : kPhysicalRows) expected_names.emplace_back(row.name);
    fail("group or a primitive type", did_you_mean(token_, expected_names));
  }

  Node one_field(int depth, FieldEnd field_end = FieldEnd::Semicolon) {
    NodeData data;
    data.repetition = repetition(field_end);
    bool group = equal_ignoring_case(token_, "group");
    if (group) {
      advance();
    } else {
      data.physical = physical();
      if (*data.physical == PhysicalType::FixedLenByteArray) {
        expect("(", "'(' and the length of fixed_len_byte_array");
        const size_t at = cursor_.at();
        data.length = number("the length of fixed_len_byte_array");
        if (data.length < 1) cursor_.expected_at(at, "a length of 1 or more");
        expect(")", "')' after the length");
      }
    }
    data.name = name();
    const size_t annotation_start = cursor_.at();
    size_t annotation_end = annotation_start;
    if (take("(")) {
      data.annotation = annotation();
      // Only an int64 has the older form: its readers would not know 12 bytes.
      if (data.physical == PhysicalType::FixedLenByteArray && data.annotation.logical &&
          data.annotation.logical->is(LogicalType::Kind::Timestamp)) {
        data.annotation.converted.reset();
      }
      annotation_end = cursor_.at() + 1;
      expect(")", "')' after the annotation");
    }
    if (!group && equal_ignoring_case(token_, "columnorder")) data.order = column_order();
    if (take("=")) data.id = number("a field id");
    if (group) {
      fields(&data, depth + 1);
    } else if (!take(";") && !(field_end == FieldEnd::OrEndOfText && at_end())) {
      fail("';' after a field");
    }
    Node node(std::move(data));
    if (judges_ && node.logical()) {
      if (auto problem = annotation_problem(node)) {
        cursor_.fail(annotation_start, annotation_end - annotation_start, problem->message,
                     problem->hint);
      }
    }
    return node;
  }

  ColumnOrder column_order() {
    advance();
    expect("(", "'(' and an order");
    for (ColumnOrder candidate :
         {ColumnOrder::TypeDefined, ColumnOrder::Ieee754Total, ColumnOrder::Int96Timestamp}) {
      if (token_ != to_string(candidate)) continue;
      advance();
      expect(")", "')' after the order");
      return candidate;
    }
    fail("TYPE_DEFINED_ORDER, IEEE_754_TOTAL_ORDER or INT96_TIMESTAMP_ORDER");
  }

  TimeUnit time_unit() {
    for (TimeUnit candidate : {TimeUnit::Millis, TimeUnit::Micros, TimeUnit::Nanos}) {
      if (!equal_ignoring_case(token_, candidate == TimeUnit::Millis   ? "millis"
                                       : candidate == TimeUnit::Micros ? "micros"
                                                                       : "nanos")) {
        continue;
      }
      advance();
      return candidate;
    }
    fail("MILLIS, MICROS or NANOS");
  }

  /// Reads an annotation up to its closing parenthesis, which stays.
  Annotation annotation() {
    const size_t start = cursor_.at();
    const std::string_view found = token_;
    if (at_end() || class_of(found[0]) == CharClass::Mark) fail("an annotation");
    std::string upper_case = hub::in_upper_case(found);
    const auto row =
        std::ranges::find(kLogicalRows, std::string_view(upper_case), &LogicalRow::name);
    advance();
    if (row == kLogicalRows.end()) return older_annotation(start, found);
    switch (row->parameters) {
      case Parameters::None:
        return row->kind;
      case Parameters::Decimal: {
        if (!judges_ && token_ != "(") return Annotation::converted_only(ConvertedType::Decimal);
        expect("(", "'(' and precision and scale of DECIMAL");
        int32_t precision = number("the precision of DECIMAL");
        // The older text form and arrow-rs leave out a scale of 0.
        int32_t scale = take(",") ? number("the scale of DECIMAL") : 0;
        expect(")", "')' after the scale");
        return LogicalType::decimal(precision, scale);
      }
      case Parameters::Time: {
        expect("(", "'(' and the unit");
        TimeUnit unit = time_unit();
        expect(",", "',' and whether it is adjusted to UTC: true or false");
        bool utc = boolean("true or false");
        expect(")", "')' after true or false");
        return row->kind == Kind::Time ? LogicalType::time(unit, utc)
                                       : LogicalType::timestamp(unit, utc);
      }
      case Parameters::Integer: {
        expect("(", "'(' and the bits of INTEGER");
        int32_t bits = number("8, 16, 32 or 64");
        expect(",", "',' and whether it is signed: true or false");
        bool is_signed = boolean("true or false");
        expect(")", "')' after true or false");
        return LogicalType::integer(bits, is_signed);
      }
      case Parameters::Variant: {
        std::optional<int> version;
        if (take("(")) {
          if (token_ != ")") {
            version = number("the version of the variant specification");
            if (*version < INT8_MIN || *version > INT8_MAX) fail("a version of 8 bits");
          }
          expect(")", "')' after the version");
        }
        return LogicalType::variant(version);
      }
      case Parameters::Geospatial:
        return geospatial(row->kind);
      case Parameters::Future: {
        expect("(", "'(' and hex digits");
        std::string bytes;
        try {
          bytes = from_hex(word("hex digits"));
          thrift::Reader reader(bytes);
          LogicalType type = read_logical_type(&reader);
          if (!reader.at_end() || !type.is(Kind::Future)) reader.fail("expected a newer type");
          expect(")", "')' after the hex digits");
          return Annotation::logical_only(type);
        } catch (Error& error) {
          if (!error.place().line) {
            error.place() = place_in_text(cursor_.text(), start, found.size());
          }
          throw;
        }
      }
    }
    throw Error(ErrorCode::Internal, "a logical type without a form");
  }

  /// Returns the ConvertedType with this name, which is not that of a logical type.
  [[nodiscard]] Annotation older_annotation(size_t start, std::string_view found) const {
    std::string upper_case = hub::in_upper_case(found);
    for (const ConvertedRow& row : kConvertedRows) {
      if (upper_case == row.name) return Annotation::converted_only(row.type);
    }
    cursor_.fail(start, found.size(),
                 fmt::format("expected an annotation, found {}", clipped(found)),
                 upper_case == "INT" ? "Did you mean INTEGER?"
                                     : did_you_mean(upper_case, annotation_names()));
  }

  /// GEOMETRY[(crs)] and GEOGRAPHY[(crs[,algorithm])]; arrow-rs writes the algorithm first.
  LogicalType geospatial(Kind kind) {
    std::optional<std::string> crs;
    std::optional<EdgeAlgorithm> edges;
    if (take("(")) {
      while (token_ != ")") {
        bool last = false;
        if (token_ != ",") {
          std::optional<EdgeAlgorithm> found =
              kind == Kind::Geography && !edges ? algorithm() : std::nullopt;
          if (found) {
            edges = found;
          } else if (!crs) {
            crs = name("a coordinate reference system");
          } else {
            fail("')'");
          }
          last = token_ != ",";
        }
        if (last) break;
        advance();
      }
      expect(")", "')' after the parameters");
    }
    return kind == Kind::Geometry ? LogicalType::geometry(std::move(crs))
                                  : LogicalType::geography(std::move(crs), edges);
  }

  std::optional<EdgeAlgorithm> algorithm() {
    const std::optional<EdgeAlgorithm> found = algorithm_of(token_);
    if (found) advance();
    return found;
  }

  TextCursor cursor_;
  /// Whether broken rules are errors.
  bool judges_;
  /// The token at the cursor; empty at the end.
  std::string_view token_;
};

bool needs_quotes(std::string_view name) {
  if (name.empty() || name[0] == '"' || name.starts_with("//")) return true;
  for (char c : name) {
    if (class_of(c) != CharClass::Word) return true;
  }
  return false;
}

void append_quoted(std::string_view name, std::string* out) {
  out->push_back('"');
  for (char c : name) {
    if (c == '"' || c == '\\') out->push_back('\\');
    out->push_back(c);
  }
  out->push_back('"');
}

void append_name(std::string_view name, std::string* out) {
  if (needs_quotes(name)) {
    append_quoted(name, out);
  } else {
    out->append(name);
  }
}

void append_annotation(const LogicalType& type, std::string* out) {
  if (!type.crs()) {
    out->append(to_string(type));
    return;
  }
  // A coordinate reference system is free text: a PROJJSON document has every separator.
  out->append(logical_row(type.kind()).name);
  out->push_back('(');
  // Nor may it have the name of an algorithm.
  if (algorithm_of(*type.crs())) {
    append_quoted(*type.crs(), out);
  } else {
    append_name(*type.crs(), out);
  }
  if (type.algorithm()) {
    out->push_back(',');
    out->append(to_string(*type.algorithm()));
  }
  out->push_back(')');
}

/// Indent of a field that is printed in one line.
constexpr int kOneLine = -1;

void append_field(const Node& node, int indent, std::string* out) {
  const bool lines = indent != kOneLine;
  const auto margin = static_cast<size_t>(lines ? indent : 0) * 2;
  out->append(margin, ' ');
  out->append(to_string(node.repetition()));
  out->push_back(' ');
  if (node.is_group()) {
    out->append("group");
  } else {
    out->append(to_string(node.physical()));
    if (node.physical() == PhysicalType::FixedLenByteArray) {
      fmt::format_to(std::back_inserter(*out), "({})", node.length());
    }
  }
  out->push_back(' ');
  append_name(node.name(), out);
  if (node.logical()) {
    out->append(" (");
    append_annotation(node.logical(), out);
    out->push_back(')');
  }
  if (node.order() != ColumnOrder::TypeDefined) {
    fmt::format_to(std::back_inserter(*out), " columnorder({})", to_string(node.order()));
  }
  if (node.id()) fmt::format_to(std::back_inserter(*out), " = {}", *node.id());
  if (!node.is_group()) {
    out->append(lines ? ";\n" : ";");
    return;
  }
  out->append(lines ? " {\n" : " {");
  for (const Node& child : node.children()) {
    if (!lines) out->push_back(' ');
    append_field(child, lines ? indent + 1 : kOneLine, out);
  }
  if (!lines) out->push_back(' ');
  out->append(margin, ' ');
  out->append(lines ? "}\n" : "}");
}

void check_size(std::string_view text) { check_schema_size(text.size()); }

}  // namespace

Schema parse_message(std::string_view text) {
  check_size(text);
  return Parser(text).message();
}

Schema parse_unjudged_message(std::string_view text) {
  check_size(text);
  return Parser(text, false).message();
}

Node parse_field(std::string_view text) {
  check_size(text);
  return Parser(text).field();
}

Annotation parse_annotation(std::string_view text) { return Parser(text).lone_annotation(); }

std::string print_field(const Node& node, int indent) {
  std::string out;
  append_field(node, indent, &out);
  return out;
}

std::string print_field_in_line(const Node& node) {
  std::string out;
  append_field(node, kOneLine, &out);
  return out;
}

std::string print_message(const Schema& schema) {
  std::string out = "message ";
  append_name(schema.name(), &out);
  out += " {\n";
  for (const Node& column : schema.columns()) append_field(column, 1, &out);
  out += "}\n";
  return out;
}

}  // namespace xwalk::parquet
