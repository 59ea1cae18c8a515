#pragma once

// Every written form of a schema: message text, and the list of SchemaElement in a footer.

#include "xwalk/parquet/elements.h"
#include "xwalk/parquet/message.h"
