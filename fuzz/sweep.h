#pragma once

namespace xwalk::fuzz {

/// Runs mutated inputs of a corpus without coverage feedback, and ends the program, if its
/// arguments have `--sweep=SECONDS`. libFuzzer spends most of a short execution on coverage. Here
/// the inputs that it found are mutated. Arguments that begin with two dashes are not treated as
/// folders.
///
///     --sweep=SECONDS --seed=N --max_len=BYTES --artifact_prefix=PATH [--dict=FILE] FOLDER…
///
/// Inputs end at the end of a page that is followed by an unreadable one. Crashing inputs are
/// written to the prefix and reported in libFuzzer's format, and so is the number of executions.
void sweep_if_asked(int argc, char** argv);

}  // namespace xwalk::fuzz
