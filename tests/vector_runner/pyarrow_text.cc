#include "pyarrow_text.h"

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk::vectors {
namespace {

using hub::Kind;

std::string children_text(const hub::Type& type) {
  std::vector<std::string> texts;
  for (const hub::Field& child : type.children()) {
    texts.push_back(fmt::format("{}: {}{}", child.name, pyarrow_type_text(child),
                                child.nullable ? "" : " not null"));
  }
  return join(texts, ", ");
}

}  // namespace

std::string pyarrow_text(const hub::Type& type) {
  std::string name(hub::kind_name(type.kind()));
  switch (type.kind()) {
    case Kind::Date32:
      return "date32[day]";
    case Kind::Date64:
      return "date64[ms]";
    case Kind::List:
    case Kind::LargeList:
    case Kind::ListView:
    case Kind::LargeListView:
    case Kind::Struct:
      return fmt::format("{}<{}>", name, children_text(type));
    case Kind::FixedSizeList:
      return fmt::format("{}<{}>[{}]", name, children_text(type), type.size());
    case Kind::Map:
      return fmt::format("map<{}, {}{}>", pyarrow_type_text(type.key()),
                         pyarrow_type_text(type.value()), type.flag() ? ", keys_sorted" : "");
    case Kind::Dictionary:
      return fmt::format("dictionary<values={}, indices={}, ordered={:d}>",
                         pyarrow_text(type.child().type), hub::kind_name(type.index_kind()),
                         type.flag());
    default:
      return hub::to_string(type);
  }
}

std::string pyarrow_type_text(const hub::Field& field) {
  std::string_view extension = field.extension_name();
  bool registered = extension == "arrow.uuid" || extension == "arrow.json" ||
                    extension == "arrow.bool8" || extension == "arrow.parquet.variant";
  return registered ? fmt::format("extension<{}>", extension) : pyarrow_text(field.type);
}

}  // namespace xwalk::vectors
