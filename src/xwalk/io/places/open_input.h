#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/hub/handle.h"
#include "xwalk/io/bytes/kept_bytes.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/places/input_files.h"

namespace xwalk::io {

/// What was found and fetched when an input was opened, so that it is opened again without that.
struct KeptInput {
  std::optional<InputFiles> files;
  /// The bytes of the first file.
  std::optional<KeptBytes> first;
};

/// Returns the files that an input is read from, with its schema file.
Locations files_read(const Input& input);

/// Opens one input, or several consecutive ones of one schema. A name is a path, `-` or a URI
/// (`Location`). A path may be a folder or a pattern, see input_files.h. Throws Error: Io for
/// inputs that cannot be opened, Usage for ambiguous ones, Input for invalid bytes or a file whose
/// schema differs from the first one's. Uses what `kept` has, and fills it otherwise.
Input open_input(const Locations& paths, const InputOptions& options = {},
                 KeptInput* kept = nullptr);

/// The same for files that were found already.
Input open_input(InputFiles found, const InputOptions& options, KeptInput* kept = nullptr);

/// Opens rows that have no path: those of a source in memory, or of a stream of a host. Lance and
/// Vortex rows are not among them, and YSON rows of a stream that cannot be read twice need a
/// schema.
Input open_input(std::unique_ptr<Source> source, const InputOptions& options = {});

/// Takes over an Arrow C stream of any producer, with the options of an Arrow file.
/// Its errors become Error (Input), unless it is one that `hub::export_stream` made.
Input open_input(hub::StreamHandle stream, const InputOptions& options = {});

}  // namespace xwalk::io
