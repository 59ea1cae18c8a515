#include "xwalk/hub/compatibility.h"

namespace xwalk::hub {

std::string_view to_string(Compatibility compatibility) {
  switch (compatibility) {
    case Compatibility::Incompatible:
      return "Incompatible";
    case Compatibility::RequireValidation:
      return "RequireValidation";
    case Compatibility::FullyCompatible:
      return "FullyCompatible";
  }
  return "";
}

}  // namespace xwalk::hub
