#include "xwalk/convert/schema_rules.h"

#include <algorithm>
#include <filesystem>

#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/bytes/file_identity.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/footer_prefetch.h"
#include "xwalk/io/places/schema_input.h"

namespace xwalk::io {
namespace {

/// Returns the findings of the first system whose syntax a text follows and whose rules it breaks;
/// empty if it breaks no rule.
std::optional<hub::Findings> broken_rules(std::string_view text) {
  if (!is_printable_text(text)) return std::nullopt;
  for (const crosswalk::System system : crosswalk::systems()) {
    if (system->validate_bytes == nullptr) continue;
    try {
      hub::Findings findings = system->validate_bytes(text);
      if (std::ranges::any_of(findings, hub::is_violation)) return findings;
    } catch (const Error&) {
      // Another system's text, then.
    }
  }
  return std::nullopt;
}

}  // namespace

hub::Findings check_rules(const Location& path, std::optional<crosswalk::System> system,
                          const InputOptions& options) {
  const bool is_folder = !path.is_standard() && std::filesystem::is_directory(path.name());
  if (system && (*system)->validate_bytes != nullptr && !is_folder) {
    const std::unique_ptr<Source> source =
        with_window(open_source(path, options.storage, first_fetch(path)));
    need_schema(*source);
    const std::string_view bytes = *source->window();
    try {
      if (!bytes.ends_with("LANC")) {
        return while_unchanged(source->original(),
                               [&] { return (*system)->validate_bytes(bytes); });
      }
    } catch (Error& error) {
      if (error.place().file.empty())
        error.place().file = path.is_standard() ? "<stdin>" : path.name();
      throw;
    }
  }
  std::unique_ptr<Source> source;
  if (path.is_standard()) source = with_contents(open_source(path));
  crosswalk::AnySchema schema;
  try {
    schema =
        source == nullptr
            ? read_schema(path, system, options, Meaning::Unchecked).schema
            : read_schema_of(*source->contents(), path, system, options, Meaning::Unchecked).schema;
  } catch (const Error& error) {
    // A schema that breaks rules may be unparsable unless its system is known.
    if (system || is_folder || error.code() != ErrorCode::Input) throw;
    if (source == nullptr)
      source = with_contents(open_source(path, options.storage, first_fetch(path)),
                             options.max_memory, schema_bytes_limit());
    if (std::optional<hub::Findings> findings = broken_rules(*source->contents())) {
      return *std::move(findings);
    }
    throw;
  }
  const auto validate = schema.system()->validate;
  return validate == nullptr ? hub::Findings{} : validate(schema);
}

}  // namespace xwalk::io
