// Helper of the test next to it: the dtype of a file, and a copy with a metadata slot.

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "xwalk/base/error.h"
#include "xwalk/vortex/file.h"
#include "xwalk/vortex/schema.h"

int main(int argc, char** argv) {
  std::string verb = argc > 2 ? argv[1] : "";
  std::ifstream stream(argc > 2 ? argv[2] : "", std::ios::binary);
  std::ostringstream contents;
  contents << stream.rdbuf();
  try {
    if (verb == "dtype") {
      std::cout << xwalk::vortex::print_display(xwalk::vortex::read_file_dtype(contents.str()));
      return 0;
    }
    if (verb == "annotate" && argc == 4) {
      std::ofstream(argv[3], std::ios::binary)
          << xwalk::vortex::with_metadata(contents.str(), "xwalk", "annotations");
      return 0;
    }
  } catch (const xwalk::Error& error) {
    std::cerr << error.describe() << '\n';
  }
  return 1;
}
