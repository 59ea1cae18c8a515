// Any bytes as a Vortex scalar in Protobuf or JSON, or as a field path, by the first of them: what
// is read is written in both forms and read back the same.

#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/vortex/scalar.h"
#include "xwalk/vortex/scalar_json.h"
#include "xwalk/vortex/text.h"

namespace xwalk::fuzz {
namespace {

void check_path(const std::string& bytes) {
  vortex::FieldPath path;
  try {
    path = vortex::read_field_path(bytes);
  } catch (const Error&) {
    return;
  }
  const std::string written = vortex::write_field_path(path);
  require(vortex::write_field_path(vortex::read_field_path(written)) == written);
}

bool same(const vortex::Scalar& a, const vortex::Scalar& b) {
  // nan is unlike itself, so bytes are compared.
  return a.dtype == b.dtype && vortex::write_scalar(a) == vortex::write_scalar(b);
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  Choices choices(data);
  const size_t form = choices.below(3);
  const std::string bytes(choices.rest());
  const Allowance reading(kProtobufBytes);
  if (form == 2) return check_path(bytes);
  vortex::Scalar scalar{vortex::DType::null(), {}};
  try {
    scalar = form == 0 ? vortex::read_scalar(bytes) : vortex::read_scalar_json(bytes);
  } catch (const Error&) {
    return;
  }
  const Allowance any;
  vortex::check_scalar(scalar);
  std::string written;
  try {
    written = vortex::write_scalar(scalar);
  } catch (const Error&) {
    return;  // types that go deeper than the living system reads
  }
  require(same(vortex::read_scalar(written), scalar));
  std::string json;
  try {
    json = vortex::write_scalar_json(scalar);
  } catch (const Error&) {
    return;
  }
  require(is_valid_json(json), "a scalar is JSON", json);
  require(same(vortex::read_scalar_json(json), scalar), "JSON gives a scalar back", json);
}

}  // namespace xwalk::fuzz
