#pragma once

#include <functional>
#include <memory>

#include "xwalk/hub/handle.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/engines/plugin_engine.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

/// Reads the rows of Arrow IPC streams that follow each other in one source, as YTsaurus writes
/// them: the columns of each are those of the first, in any layout of the same types. Throws Error
/// (Input) with the byte position if the bytes after a stream are not another stream. `change`, if
/// given, is applied to each stream first.
using ChangeReader = std::function<std::unique_ptr<SplitReader>(std::unique_ptr<SplitReader>)>;
std::unique_ptr<SplitReader> open_arrow_streams(std::unique_ptr<Source> source,
                                                const EngineReadOptions& options,
                                                const ChangeReader& change = nullptr);

/// Opens rows of a schema by an engine. If its library refuses the schema, the error names the
/// broken rule of the format, and the place. Throws Error.
std::unique_ptr<hub::BatchReader> open_arrow(std::unique_ptr<Source> source,
                                             const EngineReadOptions& options,
                                             const hub::Schema& schema);

/// Reads a stream of a host, by the table schema of YTsaurus if the options have one. Throws Error
/// (Usage) for options that need that schema without it.
std::unique_ptr<SplitReader> open_host_stream(hub::StreamHandle stream, const InputOptions& options,
                                              const Input& input);

}  // namespace xwalk::io
