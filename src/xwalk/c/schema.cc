#include "xwalk/c/schema.h"

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/c/error.h"
#include "xwalk/c/report.h"
#include "xwalk/convert/facade.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/places/schema_input.h"
#include "xwalk/version.h"

namespace crosswalk = xwalk::crosswalk;
namespace hub = xwalk::hub;
namespace io = xwalk::io;
using xwalk::Error;
using xwalk::ErrorCode;
using xwalk::c::guard;
using xwalk::c::require;

namespace {

/// Returns a malloc'ed copy of the text, with a zero byte after it.
char* copy_of(const std::string& text) {
  auto copy = std::make_unique<char[]>(text.size() + 1);
  std::memcpy(copy.get(), text.data(), text.size());
  return copy.release();
}

xwalk_schema* own(io::SchemaInput schema) { return new xwalk_schema{std::move(schema)}; }

}  // namespace

extern "C" {

const char* xwalk_version(void) { return XWALK_VERSION; }

xwalk_code xwalk_schema_parse(const char* bytes, size_t size, const char* system,
                              xwalk_schema** schema, xwalk_error** error) {
  return guard(error, [&] {
    require(bytes, "bytes");
    require(static_cast<const void*>(schema), "a place for the schema");
    *schema = own(io::parse_schema(
        {bytes, size}, system == nullptr ? std::nullopt : std::optional<std::string_view>(system)));
  });
}

xwalk_code xwalk_schema_read(const char* path, const char* system, const char* options,
                             xwalk_schema** schema, xwalk_error** error) {
  return guard(error, [&] {
    require(path, "a path");
    require(static_cast<const void*>(schema), "a place for the schema");
    io::InputOptions reading = io::read_named_options(options == nullptr ? "" : options).input;
    reading.select.clear();
    reading.exclude.clear();
    std::optional<crosswalk::System> named;
    if (system != nullptr) named = crosswalk::system_of_word(system);
    *schema = own(io::read_schema(io::Locations{io::Location(path)}, named, reading));
  });
}

xwalk_code xwalk_schema_from_arrow(const ArrowSchema* arrow, xwalk_schema** schema,
                                   xwalk_error** error) {
  return guard(error, [&] {
    require(arrow, "an Arrow schema");
    require(static_cast<const void*>(schema), "a place for the schema");
    *schema = own(io::import_schema(*arrow));
  });
}

xwalk_code xwalk_schema_to_arrow(const xwalk_schema* schema, ArrowSchema* arrow,
                                 xwalk_error** error) {
  return guard(error, [&] {
    require(schema, "a schema");
    require(arrow, "a place for the Arrow schema");
    *arrow = hub::export_schema(schema->schema.hub).take();
  });
}

const char* xwalk_schema_system(const xwalk_schema* schema) {
  // The words are constants, and end with a zero.
  return schema == nullptr ? nullptr : schema->schema.system->name.data();
}

xwalk_code xwalk_schema_dump(const xwalk_schema* schema, const char* form, char** bytes,
                             size_t* size, xwalk_error** error) {
  return guard(error, [&] {
    require(schema, "a schema");
    require(static_cast<const void*>(bytes), "a place for the bytes");
    const std::string text =
        crosswalk::print_schema(schema->schema.schema, form == nullptr ? "" : form);
    *bytes = copy_of(text);
    if (size != nullptr) *size = text.size();
  });
}

xwalk_code xwalk_schema_lost(const xwalk_schema* schema, const char* form, char** text,
                             xwalk_error** error) {
  return guard(error, [&] {
    require(schema, "a schema");
    require(static_cast<const void*>(text), "a place for the text");
    std::string lines;
    for (const std::string& line :
         crosswalk::lost_in_form(schema->schema.schema, form == nullptr ? "" : form)) {
      lines += line + "\n";
    }
    *text = copy_of(lines);
  });
}

void xwalk_bytes_free(char* bytes) { delete[] bytes; }

xwalk_code xwalk_schema_convert(const xwalk_schema* schema, const char* system, const char* options,
                                xwalk_schema** target, xwalk_report** report, xwalk_error** error) {
  return guard(error, [&] {
    require(schema, "a schema");
    require(system, "a system");
    const io::SchemaConversion found =
        io::convert_schema(schema->schema, std::string(system),
                           io::read_named_options(options == nullptr ? "" : options));
    std::unique_ptr<xwalk_schema> made;
    if (target != nullptr) made.reset(own(found.schema()));
    if (report != nullptr) *report = xwalk::c::make_report(found.report);
    if (target != nullptr) *target = made.release();
  });
}

xwalk_code xwalk_schema_compat(const xwalk_schema* older, const xwalk_schema* newer,
                               const char* mode, unsigned allow, xwalk_report** report,
                               xwalk_error** error) {
  return guard(error, [&] {
    require(older, "an older schema");
    require(newer, "a newer schema");
    require(static_cast<const void*>(report), "a place for the report");
    if ((allow & ~unsigned{XWALK_ALLOW_RENAME | XWALK_ALLOW_REMOVAL}) != 0) {
      throw Error(ErrorCode::Usage, fmt::format("expected flags up to {}, found {}",
                                                XWALK_ALLOW_RENAME | XWALK_ALLOW_REMOVAL, allow));
    }
    io::CompatQuestion question;
    if (mode != nullptr) question.mode = crosswalk::parse_compat_mode(mode);
    question.allowed = {.allow_rename = (allow & XWALK_ALLOW_RENAME) != 0,
                        .allow_removal = (allow & XWALK_ALLOW_REMOVAL) != 0};
    *report = xwalk::c::make_report(
        io::compat(older->schema, newer->schema, {"older", "newer"}, question));
  });
}

void xwalk_schema_free(xwalk_schema* schema) { delete schema; }

}  // extern "C"
