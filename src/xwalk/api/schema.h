#pragma once

#include "xwalk/io/places/schema_input.h"
#include "xwalk/xwalk.hpp"

namespace xwalk {

struct Schema::State {
  io::SchemaInput schema;
};

namespace api {

Schema make_schema(io::SchemaInput schema);

}  // namespace api
}  // namespace xwalk
