#include "xwalk/yson/print.h"

#include "xwalk/yson/writer.h"

namespace xwalk::yson {
namespace {

constexpr size_t kIndent = 4;

class Printer {
 public:
  Printer(std::string* out, Format format) : out_(out), format_(format) {}

  void value(const Node& node) {
    if (node.has_attributes()) {
      entries('<', node.attributes(), '>');
      if (format_ == Format::Pretty) *out_ += ' ';
    }
    switch (node.kind()) {
      case Node::Kind::Entity:
        *out_ += '#';
        break;
      case Node::Kind::Boolean:
        if (format_ == Format::Binary) {
          *out_ += node.as_boolean() ? marker::kTrue : marker::kFalse;
        } else {
          *out_ += node.as_boolean() ? "%true" : "%false";
        }
        break;
      case Node::Kind::Int64:
        put(format_ == Format::Binary ? write_binary_int64(scratch_, node.as_int64())
                                      : write_text_int64(scratch_, node.as_int64()));
        break;
      case Node::Kind::Uint64:
        put(format_ == Format::Binary ? write_binary_uint64(scratch_, node.as_uint64())
                                      : write_text_uint64(scratch_, node.as_uint64()));
        break;
      case Node::Kind::Double:
        put(format_ == Format::Binary ? write_binary_double(scratch_, node.as_double())
                                      : write_text_double(scratch_, node.as_double()));
        break;
      case Node::Kind::String:
        string(node.as_string());
        break;
      case Node::Kind::List:
        *out_ += '[';
        open(!node.as_list().empty());
        for (const Node& item : node.as_list()) {
          indent();
          value(item);
          separator();
        }
        close(!node.as_list().empty());
        *out_ += ']';
        break;
      case Node::Kind::Map:
        entries('{', node.as_map(), '}');
        break;
    }
  }

  void pair(const std::string& key, const Node& node) {
    string(key);
    *out_ += format_ == Format::Pretty ? " = " : "=";
    value(node);
  }

  void end_of_top_level_item() { *out_ += format_ == Format::Binary ? ";" : ";\n"; }

 private:
  void entries(char begin, const Node::Map& map, char end) {
    *out_ += begin;
    open(!map.empty());
    for (const auto& [key, node] : map) {
      indent();
      pair(key, node);
      separator();
    }
    close(!map.empty());
    *out_ += end;
  }

  void open(bool has_items) {
    ++depth_;
    if (has_items && format_ == Format::Pretty) *out_ += '\n';
  }

  void close(bool has_items) {
    --depth_;
    if (has_items) indent();
  }

  void indent() {
    if (format_ == Format::Pretty) out_->append(depth_ * kIndent, ' ');
  }

  void separator() { *out_ += format_ == Format::Pretty ? ";\n" : ";"; }

  void string(std::string_view text) {
    size_t old_size = out_->size();
    size_t most = format_ == Format::Binary ? max_binary_string_bytes(text.size())
                                            : max_text_string_bytes(text.size());
    out_->resize(old_size + most);
    char* begin = out_->data() + old_size;
    char* end = format_ == Format::Binary ? write_binary_string(begin, text)
                                          : write_text_string(begin, text);
    out_->resize(old_size + static_cast<size_t>(end - begin));
  }

  void put(const char* end) { out_->append(scratch_, static_cast<size_t>(end - scratch_)); }

  std::string* out_;
  Format format_;
  size_t depth_ = 0;
  char scratch_[kMaxScalarBytes];
};

}  // namespace

void print_to(std::string* out, const Node& node, Format format) {
  Printer(out, format).value(node);
}

std::string print(const Node& node, Format format) {
  std::string out;
  print_to(&out, node, format);
  return out;
}

std::string print_list_fragment(const std::vector<Node>& items, Format format) {
  std::string out;
  Printer printer(&out, format);
  for (const Node& item : items) {
    printer.value(item);
    printer.end_of_top_level_item();
  }
  return out;
}

std::string print_map_fragment(const Node& map, Format format) {
  std::string out;
  Printer printer(&out, format);
  for (const auto& [key, node] : map.as_map()) {
    printer.pair(key, node);
    printer.end_of_top_level_item();
  }
  return out;
}

}  // namespace xwalk::yson
