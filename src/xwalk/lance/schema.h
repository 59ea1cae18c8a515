#pragma once

// Every written form of a schema.

#include "xwalk/lance/json.h"
#include "xwalk/lance/protobuf.h"
#include "xwalk/lance/text.h"
#include "xwalk/lance/words.h"
