#pragma once

// Every written form of a DType.

#include "xwalk/vortex/flatbuffers.h"
#include "xwalk/vortex/json.h"
#include "xwalk/vortex/protobuf.h"
#include "xwalk/vortex/text.h"
