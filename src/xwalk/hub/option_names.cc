#include "xwalk/hub/option_names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/base/text.h"

namespace xwalk::hub {
namespace {

/// Names of DuckDB, pandas, Polars, pyarrow and Spark.
constexpr std::array kOtherNames = {
    OtherName{"append", Option::Mode, "append"},
    OtherName{"codec", Option::Compression, {}},
    OtherName{"cols", Option::Select, {}},
    OtherName{"columns", Option::Select, {}},
    OtherName{"compression_codec", Option::Compression, {}},
    OtherName{"drop", Option::Exclude, {}},
    OtherName{"dtype", Option::Cast, {}},
    OtherName{"dtypes", Option::Cast, {}},
    OtherName{"fields", Option::Select, {}},
    OtherName{"force", Option::Mode, "overwrite"},
    OtherName{"hive_partitioning", Option::Partitions, {}},
    OtherName{"ignore_errors", Option::OnError, "skip"},
    OtherName{"max_rows", Option::Limit, {}},
    OtherName{"memory_limit", Option::MaxMemory, {}},
    OtherName{"merge_schema", Option::Unify, {}},
    OtherName{"n_rows", Option::Limit, {}},
    OtherName{"nrows", Option::Limit, {}},
    OtherName{"num_threads", Option::Threads, {}},
    OtherName{"overwrite", Option::Mode, "overwrite"},
    OtherName{"random_state", Option::Seed, {}},
    OtherName{"row_group_size", Option::RowGroupRows, {}},
    OtherName{"schema_overrides", Option::Cast, {}},
    OtherName{"to_schema", Option::Schema, {}},
    OtherName{"types", Option::Cast, {}},
    OtherName{"union_by_name", Option::Unify, {}},
    OtherName{"usecols", Option::Select, {}},
};

}  // namespace

std::span<const OtherName> other_option_names() { return kOtherNames; }

std::string suggested_option(std::string_view unknown, const std::vector<std::string>& known,
                             Interface interface) {
  std::string id(unknown.substr(std::min(unknown.find_first_not_of('-'), unknown.size())));
  std::ranges::replace(id, '-', '_');
  const auto* other = std::ranges::find(kOtherNames, id, &OtherName::name);
  if (other != kOtherNames.end()) {
    const std::string_view word =
        interface == Interface::Program ? program_word(other->option) : to_string(other->option);
    if (std::ranges::find(known, word) != known.end()) {
      const std::string text = other->value.empty()
                                   ? std::string(word)
                                   : spelled(mention(other->option, other->value), interface);
      return fmt::format("Did you mean {}?", text);
    }
  }
  return did_you_mean(unknown, known);
}

}  // namespace xwalk::hub
