#pragma once

namespace xwalk::fuzz {

/// Runs changed inputs of a corpus without looking at what they reach, and ends the program, where
/// its arguments have `--sweep=SECONDS`. libFuzzer spends most of a short execution on looking;
/// what it found is here what is changed. It passes over arguments that begin with two dashes.
///
///     --sweep=SECONDS --seed=N --max_len=BYTES --artifact_prefix=PATH [--dict=FILE] FOLDER…
///
/// Inputs end where a page ends that nobody may read behind. What breaks is written to the prefix
/// and told as libFuzzer tells it, as is the number of executions.
void sweep_if_asked(int argc, char** argv);

}  // namespace xwalk::fuzz
