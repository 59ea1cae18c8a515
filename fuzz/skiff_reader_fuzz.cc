// The checked reader on any bytes of a schema with every compound type: it refuses or reads, and a
// writer that is given the same tokens gives the same bytes.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "xwalk/base/error.h"
#include "xwalk/skiff/node_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xwalk::skiff;
  static const Binding kBinding = bind_alone(parse_short(
      "tuple<'v':variant16<nothing;tuple<>;int8>;'r':repeated_variant8<int8;repeated_variant16<"
      "string32>>;'o':variant8<nothing;variant8<nothing;boolean>>;'w':int256;'d':double>"));
  std::string bytes(data, data + size);
  try {
    Input input(bytes);
    Reader reader(input);
    xwalk::yson::Node node = read_node(kBinding, &reader);
    std::string out;
    Writer writer(&out);
    write_node(kBinding, node, &writer);
    if (out != bytes.substr(0, reader.position())) std::abort();
  } catch (const xwalk::Error&) {
    return 0;
  }
  return 0;
}
