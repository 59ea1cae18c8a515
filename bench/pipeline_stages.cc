// What each piece of a conversion takes in each stage of the pipeline, on one thread:
//
//     pipeline_stages ENGINES IN OUT [SCHEMA]
//
// ENGINES is the folder of the plugins (build/release). Prints a line a piece, in nanoseconds:
// taking it from the input, which one thread does at a time; decoding, casting and encoding, which
// any thread does; and writing it, one thread at a time and in order. bench/scaling.py reads them.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "xwalk/convert/row_plan.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/io/places/open_input.h"
#include "xwalk/io/places/open_output.h"
#include "xwalk/io/places/output_place.h"
#include "xwalk/io/plugins/engine_folder.h"
#include "xwalk/io/rows/piece_writer.h"

namespace {

using namespace xwalk;
using Clock = std::chrono::steady_clock;

/// Returns the nanoseconds since the last call.
class Watch {
 public:
  int64_t lap() {
    const Clock::time_point now = Clock::now();
    const auto taken = std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_);
    last_ = now;
    return taken.count();
  }

 private:
  Clock::time_point last_ = Clock::now();
};

void measure(const std::string& in, const std::string& out, const io::ConvertOptions& given) {
  io::ConvertOptions options = given;
  options.output.mode = io::OutputMode::Overwrite;
  options.output.format = io::output_format(out, options.output);
  const hub::System target = (*options.output.format)->system;
  io::set_reading(target, &options);
  io::Input input = io::open_input({in}, options.input);
  const crosswalk::Plan plan = io::plan_rows(input, target, options);
  const auto writer = io::open_output(out, io::write_plan(plan), options.output);
  auto* const split_writer = dynamic_cast<io::SplitWriter*>(writer.get());
  yson::Buffer buffer;
  Watch watch;
  while (const std::unique_ptr<io::Piece> piece = input.reader->take()) {
    const int64_t taken = watch.lap();
    hub::Batch batch = piece->decode();
    if (!plan.cast.is_identity()) batch = plan.cast.run(std::move(batch));
    if (split_writer != nullptr) {
      buffer.clear();
      (void)split_writer->encode(std::move(batch), &buffer);
    }
    const int64_t worked = watch.lap();
    if (split_writer != nullptr) {
      split_writer->write_encoded(buffer.view());
    } else {
      writer->write(std::move(batch));
    }
    std::printf("%ld %ld %ld\n", taken, worked, watch.lap());
  }
  writer->finish();
  std::printf("end %ld\n", watch.lap());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: pipeline_stages ENGINES IN OUT [SCHEMA]\n", stderr);
    return 2;
  }
  try {
    io::set_engine_folder(argv[1]);
    io::ConvertOptions options;
    if (argc > 4) {
      std::ifstream file(argv[4]);
      options.input.schema = std::string(std::istreambuf_iterator<char>(file), {});
    }
    measure(argv[2], argv[3], options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
