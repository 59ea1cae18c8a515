// Options by name, as hosts give them, a few of all there are: each with a value of its kind, which
// is taken where a choice or a flag says it all, or with one of another kind. What is refused is
// the user's, and names the option.

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/convert/named_options.h"
#include "xwalk/io/formats/format_word.h"

namespace xwalk::fuzz {
namespace {

using io::OptionValue;

/// Values of some options, and values that no option accepts.
constexpr std::array<std::string_view, 30> kWords = {
    "yson",
    "json",
    "skiff",
    "parquet",
    "arrow-stream",
    "<format=binary>yson",
    "<format=text;complex_type_mode=positional>yson",
    "<encode_utf8=%false>json",
    "<table_skiff_schemas=[{wire_type=tuple;children=[{wire_type=int64;name=a}]}]>skiff",
    "<a=1>parquet",
    "<>[]",
    "<table_skiff_schemas=1>skiff",
    "<format=odd>yson",
    "iceberg",
    "csv",
    "zstd:9",
    "snappy",
    "lz4:x",
    "brotli:99",
    "none",
    "25.4",
    "newest",
    "2.1",
    "stable",
    "core2025.10.0",
    "10",
    "2.5%",
    "101%",
    "-3",
    ""};
constexpr std::array<std::string_view, 10> kNumbers = {
    "0",     "1",          "65536",        "-1", "2.5", "4294967296", "9223372036854775808",
    "1e400", "\"512MiB\"", "\"8 parsecs\""};
constexpr std::array<std::string_view, 10> kObjects = {
    R"({"first":1,"count":2,"first_row":3,"rows":4})",
    R"({"first":1,"count":2,"first_row":3,"rows":4,"line":5,"column":6,"binary":true})",
    R"({"first":-1,"count":2})",
    R"({"a":"int64","b.c":"string"})",
    R"({"a":"b","c[]":"d"})",
    R"({"a":"","{":1})",
    R"({"optimize_for":"scan","ttl":5,"flag":true,"no":"<"})",
    R"({"region":"here","anonymous":"true"})",
    R"({"secret_key":"x"})",
    R"({})"};

std::string quoted_word(std::string_view word) { return '"' + std::string(word) + '"'; }

std::string any_text(Choices* choices) {
  std::string out = "\"";
  for (const char c : choices->text()) {
    if (c != '"' && c != '\\' && static_cast<uint8_t>(c) >= ' ') out += c;
  }
  return is_valid_utf8(out) ? out + '"' : "\"x\"";
}

template <typename List>
std::string one_of(const List& list, Choices* choices) {
  return std::string(list[choices->below(list.size())]);
}

/// Sets `certain` to false for a value that need not be taken.
std::string make_value(OptionValue kind, std::string_view usual, Choices* choices, bool* certain) {
  switch (kind) {
    case OptionValue::Flag:
      return choices->below(2) == 0 ? "true" : "false";
    case OptionValue::Choice: {
      std::vector<std::string_view> words;
      while (!usual.empty()) {
        words.push_back(usual.substr(0, usual.find(' ')));
        usual.remove_prefix(std::min(usual.size(), words.back().size() + 1));
      }
      std::erase(words, "");
      return quoted_word(words[choices->below(words.size())]);
    }
    case OptionValue::Number:
    case OptionValue::Bytes:
    case OptionValue::NumberOrShare:
      *certain = false;
      return one_of(kNumbers, choices);
    case OptionValue::List:
    case OptionValue::Texts:
      *certain = false;
      return choices->below(2) == 0 ? R"(["a", "b.c"])" : "[" + any_text(choices) + "]";
    case OptionValue::Object:
      *certain = false;
      return one_of(kObjects, choices);
    case OptionValue::NumberOrWord:
      *certain = false;
      if (choices->below(2) == 0) return one_of(kNumbers, choices);
      break;
    case OptionValue::Word:
    case OptionValue::Path:
    case OptionValue::Schema:
      break;
  }
  *certain = false;
  return choices->below(4) == 3 ? any_text(choices) : quoted_word(one_of(kWords, choices));
}

void check_object(Choices* choices) {
  static const std::vector<io::NamedOption> kAll = io::named_options();
  std::map<std::string, std::string> given;
  bool certain = true;
  for (size_t left = 1 + choices->below(3); left > 0; --left) {
    const io::NamedOption& named = kAll[choices->below(kAll.size())];
    OptionValue kind = named.value;
    if (choices->below(4) == 3) {
      kind = static_cast<OptionValue>(choices->below(12));
      certain = false;
    }
    const std::string_view usual =
        kind == OptionValue::Choice && named.value != kind ? "word" : named.usual;
    given[std::string(hub::to_string(named.option))] = make_value(kind, usual, choices, &certain);
  }
  if (choices->below(16) == 15) {
    given[any_text(choices).substr(1, 5)] = "null";
    certain = false;
  }
  std::string json;
  for (const auto& [name, value] : given) {
    json += (json.empty() ? "{\"" : ", \"") + name + "\": " + value;
  }
  json += '}';
  try {
    const io::ConvertOptions options = io::read_named_options(json);
    require(options.given.size() <= given.size(), "each option is given once", json);
  } catch (const Error& error) {
    require(!certain, "a choice there is is taken", json);
    require(error.code() == ErrorCode::Usage || error.code() == ErrorCode::Input ||
                error.code() == ErrorCode::Unsupported,
            "a refusal is of what the user wrote", error.describe());
  }
}

/// The word of a format sets what reading and writing do.
void check_word(Choices* choices) {
  const std::string word =
      choices->below(4) == 3 ? std::string(choices->rest()) : one_of(kWords, choices);
  const bool names = io::names_format(word);
  (void)io::names_schemas(word);
  try {
    const io::FormatWord read = io::parse_format_word(word);
    io::InputOptions input;
    io::OutputOptions output;
    io::set_format(word, &input);
    const auto schema = io::set_format(word, {}, &output);
    require(input.format == read.format && output.format == read.format, "a word is a format",
            word);
    require(schema == read.skiff_schema && (!schema || input.schema == schema),
            "a word has a schema", word);
    require(names || !word.starts_with('<'), "a word with attributes names a format", word);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Usage || error.code() == ErrorCode::Unsupported,
            "a refusal is of what the user wrote", error.describe());
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  if (choices.below(4) == 3) return check_word(&choices);
  check_object(&choices);
}

}  // namespace xwalk::fuzz
