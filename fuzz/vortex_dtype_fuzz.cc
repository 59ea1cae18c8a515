// Any bytes as a Vortex DType, by the first of them: FlatBuffers, Protobuf, text, JSON, file, IPC,
// Scalar. What is read is written and read back the same in a form, byte for byte the second time,
// or goes to Arrow and back without a crash; the first byte and the size say which.

#include <string>

#include "fuzz/harness.h"
#include "fuzz/shared.h"
#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/vortex/file.h"
#include "xwalk/vortex/hub.h"
#include "xwalk/vortex/ipc.h"
#include "xwalk/vortex/schema.h"
#include "xwalk/vortex/statistics.h"

namespace {

using xwalk::fuzz::require;
namespace vortex = xwalk::vortex;

/// The first byte of an input that says what offsets share.
constexpr uint8_t kMade = 255;

std::string made_of(xwalk::fuzz::Choices* choices) {
  const xwalk::fuzz::Allowance any;
  return xwalk::shared::shared_vortex_dtype(xwalk::fuzz::shared_offsets(choices));
}

vortex::DType read(uint8_t form, const std::string& bytes) {
  switch (form % 6) {
    case 0:
      return vortex::read_flatbuffers(bytes);
    case 1:
      return vortex::read_protobuf(bytes);
    case 2:
      return vortex::parse_text(bytes);
    case 3:
      return vortex::read_json(bytes);
    case 4:
      vortex::read_file_rows(bytes);
      vortex::facts_of(bytes);
      vortex::find_metadata(bytes, "xwalk");
      vortex::with_metadata(bytes, "xwalk", "value");
      return vortex::read_file_dtype(bytes);
    default:
      return vortex::read_ipc_dtype(bytes);
  }
}

/// Asks one property.
void check(const vortex::DType& type, size_t which) {
  switch (which % 5) {
    case 0: {
      const std::string flatbuffers = vortex::write_flatbuffers(type);
      require(vortex::read_flatbuffers(flatbuffers) == type);
      require(vortex::write_flatbuffers(vortex::read_flatbuffers(flatbuffers)) == flatbuffers);
      return;
    }
    case 1:
      return require(vortex::read_protobuf(vortex::write_protobuf(type)) == type);
    case 2:
      vortex::print_display(type);
      return require(vortex::parse_text(vortex::print_text(type)) == type);
    case 3:
      return require(vortex::read_json(vortex::write_json(type)) == type);
    default:
      xwalk::hub::lower_and_map(vortex::to_arrow(type), vortex::kCapabilities, vortex::from_arrow);
  }
}

}  // namespace

void xwalk::fuzz::XWALK_FUZZ_RUN(std::string_view data) {
  if (data.empty()) return;
  const auto choice = static_cast<uint8_t>(data[0]);
  fuzz::Choices choices(data.substr(1));
  const bool is_made = choice == kMade;
  const std::string bytes = is_made ? made_of(&choices) : std::string(data.substr(1));
  const fuzz::Allowance reading(is_made ? SIZE_MAX : fuzz::kProtobufBytes);
  vortex::DType type = vortex::DType::null();
  try {
    const fuzz::MemoryTotal total(bytes.size() + fuzz::kProtobufBytes / kSchemaExpansion);
    type = read(is_made ? 0 : choice, bytes);
  } catch (const xwalk::Error&) {
    return;
  }
  try {
    check(type, choice / 6 + bytes.size());
  } catch (const xwalk::Error&) {
    // The one way a type that was read cannot be written: deeper than the living system reads. And
    // not every type has a meaning in Arrow.
  }
}
