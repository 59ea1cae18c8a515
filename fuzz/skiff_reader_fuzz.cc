// The checked reader on any bytes of a schema with every compound type: it refuses or reads, and a
// writer that is given the same tokens gives the same bytes. The first byte chooses what stands
// behind the others: nothing, or what ends the lists and the row, since most bytes end too early.

#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/skiff/node_codec.h"

void xwalk::fuzz::run(std::string_view data) {
  using namespace xwalk::skiff;
  static const Binding kBinding = bind_alone(parse_short(
      "tuple<'v':variant16<nothing;tuple<>;int8>;'r':repeated_variant8<int8;repeated_variant16<"
      "string32>>;'o':variant8<nothing;variant8<nothing;boolean>>;'w':int256;'d':double>"));
  constexpr size_t kTokensBehind = 1 + 32 + 8;  // of `o`, `w` and `d`
  Choices choices(data);
  const size_t ends = choices.below(8);
  std::string bytes(choices.rest());
  if (ends != 0) bytes.append(ends % 2 == 0 ? 3 : 1, '\xff').append(kTokensBehind, '\0');
  try {
    Input input(bytes);
    Reader reader(input);
    xwalk::yson::Node node = read_node(kBinding, &reader);
    std::string out;
    Writer writer(&out);
    write_node(kBinding, node, &writer);
    require(out == bytes.substr(0, reader.position()));
  } catch (const xwalk::Error&) {
    return;
  }
}
