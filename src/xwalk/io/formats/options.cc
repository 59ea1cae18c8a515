#include "xwalk/io/formats/options.h"

#include <sys/stat.h>

#include "xwalk/io/bytes/location.h"
#include "xwalk/io/engines/program_engine.h"
#include "xwalk/io/formats/delta_place.h"
#include "xwalk/io/formats/iceberg_place.h"

namespace xwalk::io {

WritePlan write_plan(const crosswalk::Plan& plan) {
  return {plan.target_hub, plan.target, plan.special_decimals, {}, nullptr, std::nullopt};
}

ProgramReadOptions program_options(const Location& path, const InputOptions& options,
                                   const std::vector<std::string>& columns) {
  ProgramReadOptions out;
  out.path = path;
  if (!columns.empty()) out.columns = columns;
  out.batch_rows = options.batch_rows;
  out.limit = options.limit;
  out.storage = options.storage;
  out.separate = options.separate_engine || path.is_remote();
  struct stat file {};
  if (!path.is_remote() && ::stat(path.name().c_str(), &file) == 0) {
    out.identity = {file.st_dev, file.st_ino};
  }
  return out;
}

InputOptions::InputOptions()
    : tables(std::make_shared<IcebergTables>()), delta_tables(std::make_shared<DeltaTables>()) {}
InputOptions::InputOptions(const InputOptions&) = default;
InputOptions::InputOptions(InputOptions&&) noexcept = default;
InputOptions& InputOptions::operator=(const InputOptions&) = default;
InputOptions& InputOptions::operator=(InputOptions&&) noexcept = default;
InputOptions::~InputOptions() = default;

Input::Input() = default;
Input::Input(Input&&) noexcept = default;
Input& Input::operator=(Input&&) noexcept = default;
Input::~Input() = default;

OutputOptions::OutputOptions() = default;
OutputOptions::OutputOptions(const OutputOptions&) = default;
OutputOptions::OutputOptions(OutputOptions&&) noexcept = default;
OutputOptions& OutputOptions::operator=(const OutputOptions&) = default;
OutputOptions& OutputOptions::operator=(OutputOptions&&) noexcept = default;
OutputOptions::~OutputOptions() = default;

}  // namespace xwalk::io
