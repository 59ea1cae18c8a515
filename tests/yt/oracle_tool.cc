// Reads or makes types and schemas for a second opinion: `make N SEED` prints N random schemas, one
// a line: YSON, a tab, then the columns' short notation; `read` prints for each line of stdin what
// was read, or an error.

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/yt/random_type.h"
#include "xwalk/base/error.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/forms.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/short_notation.h"
#include "xwalk/yt/validate.h"

namespace xwalk::yt {
namespace {

/// The second opinion knows neither stable names nor removed members.
Type without_history(const Type& type) {
  std::vector<Member> members;
  std::vector<Type> types;
  for (const Member& member : type.members()) {
    members.emplace_back(member.name, without_history(member.type));
    types.push_back(without_history(member.type));
  }
  switch (type.kind()) {
    case TypeKind::Optional:
      return optional(without_history(type.item()));
    case TypeKind::List:
      return list(without_history(type.item()));
    case TypeKind::Tagged:
      return tagged(type.tag(), without_history(type.item()));
    case TypeKind::Struct:
      return struct_(members);
    case TypeKind::Tuple:
      return tuple(types);
    case TypeKind::Variant:
      return type.is_named() ? variant(members) : variant_of(types);
    case TypeKind::Dict:
      return dict(without_history(type.key()), without_history(type.value()));
    default:
      return type;
  }
}

void make(int count, uint64_t seed) {
  for (int i = 0; i < count; ++i) {
    testing::RandomTypes random(seed + static_cast<uint64_t>(i));
    TableSchema schema;
    for (int column = random.below(4); column >= 0; --column) {
      schema.columns.emplace_back("c" + std::to_string(column), without_history(random.type(4)));
    }
    std::string line = yson::print(to_node(schema));
    for (const ColumnSchema& column : schema.columns) line += "\t" + print_short(column.type);
    std::puts(line.c_str());
  }
}

void read() {
  std::string line;
  while (std::getline(std::cin, line)) {
    try {
      std::puts(print_type_yson(parse_type(line)).c_str());
    } catch (const Error& error) {
      std::puts(("error: " + error.message()).c_str());
    }
  }
}

}  // namespace
}  // namespace xwalk::yt

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "make") {
    xwalk::yt::make(std::atoi(argv[2]), std::strtoull(argv[3], nullptr, 10));
    return 0;
  }
  if (argc == 2 && std::string(argv[1]) == "read") {
    xwalk::yt::read();
    return 0;
  }
  std::fputs("usage: oracle_tool make COUNT SEED | read\n", stderr);
  return 2;
}
