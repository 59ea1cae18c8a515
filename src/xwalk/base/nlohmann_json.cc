#include "xwalk/base/nlohmann_json.h"

XWALK_JSON_TEMPLATES(, nlohmann::json)
XWALK_JSON_TEMPLATES(, nlohmann::ordered_json)
