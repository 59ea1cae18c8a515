#pragma once

#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Returns the schema that holds the rows of both: columns and members by name, those of `first` in
/// their order, then what only `second` has. What either lacks or may leave null is nullable. Of
/// two types the wider is taken, or the smallest that holds every value of both: int8 and uint8
/// give int16, int32 and float give double, decimals keep all digits on both sides of the point,
/// fixed-size lists of two sizes a list; of two units of time the finer, whose range may be
/// narrower. Throws Error (Input) with the path where no type holds both.
Schema unify(const Schema& first, const Schema& second);

}  // namespace xwalk::hub
