#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xwalk/io/formats/options.h"
#include "xwalk/io/places/input_files.h"

namespace xwalk::io {

/// Returns a name for one more file of a folder: its number, and the keys of the inputs of its rows
/// if they are known (`OutputOptions::identities`). No other writer gives the name at the same
/// time, unless it adds the same inputs.
std::string name_of_part(uint64_t number, Format format, const OutputOptions& options);

/// Refuses inputs that the names of existing files of a folder have, unless they are added again on
/// purpose, and one that is given twice. Throws Error (Io) naming the folder.
void refuse_repeated_inputs(const Location& folder, const std::vector<InputFile>& there,
                            const OutputOptions& options);
/// Does so again just before the outputs of `options.set` get their names, since another run may
/// have added the same inputs meanwhile. On a disk, no other run of xwalk adds to the folder then.
/// Does nothing for an output that is not a folder of files.
void refuse_repeated_at_commit(const Location& folder, const OutputOptions& options);

}  // namespace xwalk::io
