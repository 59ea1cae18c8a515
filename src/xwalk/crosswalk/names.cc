#include "xwalk/crosswalk/names.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk::crosswalk {
namespace {

std::string utf8_name(std::string_view name) {
  std::string out;
  for (size_t at = 0; at < name.size();) {
    size_t length = 1;
    while (length <= 4 && at + length <= name.size() && !is_valid_utf8(name.substr(at, length))) {
      ++length;
    }
    if (length <= 4 && at + length <= name.size()) {
      out += name.substr(at, length);
      at += length;
    } else {
      out += fmt::format("\\x{:02X}", static_cast<unsigned char>(name[at]));
      ++at;
    }
  }
  return out;
}

}  // namespace

hub::Schema with_utf8_names(const hub::Schema& schema, hub::Findings* findings) {
  hub::Schema out = schema;
  for (hub::Field& field : out.fields) {
    if (is_valid_utf8(field.name)) continue;
    hub::Finding finding;
    finding.rule = "name.changed";
    finding.path = Path::column(field.name);
    const std::string base = utf8_name(field.name);
    field.name = base;
    auto taken = [&](const hub::Field& other) {
      return &other != &field && other.name == field.name;
    };
    for (int i = 2; std::ranges::any_of(out.fields, taken); ++i) {
      field.name = fmt::format("{}_{}", base, i);
    }
    finding.lost = fmt::format("names are UTF-8 there; it becomes {}", quoted(field.name));
    findings->push_back(std::move(finding));
  }
  return out;
}

}  // namespace xwalk::crosswalk
