#pragma once

#include "tests/skiff/oracle/tokens.h"
#include "xwalk/base/path.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/yson/node.h"

namespace xwalk::skiff {

/// Reads one value as YSON in the positional form: structs and tuples are lists, a variant is
/// `[index; alternative]`, a dict a list of pairs, an optional of a nullable type `#` or `[value]`;
/// decimals, uuids and times as the system stores them. Every value is checked against its type.
/// Throws Error (Input) with byte and path.
yson::Node read_node(const Binding& binding, Reader* reader, const Path& path = {});

/// Writes one value in the positional form. Throws Error (Input) with the path for a value that is
/// not of the type or does not fit the wire type.
void write_node(const Binding& binding, const yson::Node& node, Writer* writer,
                const Path& path = {});

}  // namespace xwalk::skiff
