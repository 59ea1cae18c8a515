#include "xwalk/lance/written.h"

// What text and JSON share: fields as people write them become the flat list.

#include <iterator>

#include "xwalk/base/limits.h"

namespace xwalk::lance {
namespace {

constexpr std::string_view kEncodings[] = {"NONE", "PLAIN", "VAR_BINARY", "DICTIONARY", "RLE"};

class Assembler {
 public:
  Assembler(hub::Metadata metadata, const FailAt& fail) : fail_(fail) {
    out_.metadata = std::move(metadata);
  }

  void fields(std::vector<WrittenField>* fields, std::optional<int32_t> above) {
    for (WrittenField& written : *fields) {
      if (!with_ids_) with_ids_ = written.id.has_value();
      if (*with_ids_ != written.id.has_value()) {
        fail_(written.at, "expected an id in every field or in none, found both");
      }
      if (!*with_ids_ && written.parent && *written.parent != kNoParent) {
        fail_(written.at, "expected ids beside parent_id, found none");
      }
      int32_t parent = above ? *above : written.parent.value_or(kNoParent);
      if (above && written.parent && *written.parent != *above) {
        fail_(written.at, "expected parent_id to name the field around, found another");
      }
      written.field.id = *with_ids_ ? *written.id : next_++;
      written.field.encoding = written.encoding.value_or(default_encoding(written.field.type));
      int32_t id = written.field.id;
      out_.fields.push_back({std::move(written.field), parent});
      this->fields(&written.children, id);
    }
  }

  FlatSchema take() { return std::move(out_); }

 private:
  const FailAt& fail_;
  FlatSchema out_;
  std::optional<bool> with_ids_;
  int32_t next_ = 0;
};

}  // namespace

FlatSchema assemble(std::vector<WrittenField> fields, hub::Metadata metadata, const FailAt& fail) {
  Assembler assembler(std::move(metadata), fail);
  assembler.fields(&fields, std::nullopt);
  return assembler.take();
}

void set_logical_type(std::string_view text, Field* field) {
  field->type = parse_logical_type(text);
  field->spelling = print_logical_type(field->type) == text ? "" : std::string(text);
}

std::string_view encoding_word(Encoding encoding) {
  auto number = static_cast<size_t>(encoding);
  return number < std::size(kEncodings) ? kEncodings[number] : std::string_view();
}

std::optional<Encoding> encoding_of_word(std::string_view word) {
  for (size_t i = 0; i < std::size(kEncodings); ++i) {
    if (kEncodings[i] == word) return static_cast<Encoding>(i);
  }
  return std::nullopt;
}

}  // namespace xwalk::lance
