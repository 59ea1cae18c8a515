// Any bytes as a schema or a type of a system, both by the first bytes: what is read is printed in
// every form and read back the same, validated, compared with itself and the schema of the target,
// or planned to another system; a report of the plan is printed, in JSON that is JSON. A refusal
// says where and why. The second byte chooses the target, and which of these is asked.

#include <optional>
#include <string>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/compat.h"
#include "xwalk/crosswalk/diff.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/module.h"
#include "xwalk/report/github.h"
#include "xwalk/report/html.h"
#include "xwalk/report/json.h"
#include "xwalk/report/junit.h"
#include "xwalk/report/markdown.h"
#include "xwalk/report/text.h"

namespace xwalk::fuzz {
namespace {

using crosswalk::AnySchema;
using crosswalk::System;

void check_text(std::string_view text) {
  require(is_valid_utf8(text), "reports are text", text);
  require(text.find('\x1b') == std::string_view::npos, "no report has escapes", text);
}

void check_json(const std::string& text) {
  require(is_valid_json(text), "reports are JSON", text);
  check_text(text);
}

/// Forms that are read give the same schema: as the hub sees it, if it means anything.
void check_forms(const AnySchema& schema, const hub::Schema& hub) {
  for (const hub::WrittenForm& form : schema.system()->forms) {
    std::string text;
    try {
      text = form.print(schema);
    } catch (const Error&) {
      continue;  // names that are not UTF-8; types deeper than YTsaurus reads
    }
    // A format of Skiff alone has no table schemas.
    if (!form.parsed || form.name == "short" || form.name == "format") continue;
    const AnySchema again = crosswalk::parse_schema(schema.system(), text);
    require(crosswalk::to_arrow(again) == hub, "a form gives the schema back", text);
    require(form.print(again) == text, "a form is printed the same again", text);
  }
}

/// The properties that an input may be asked, beside those of its plan.
constexpr size_t kForms = 0;
constexpr size_t kDiffs = 1;
constexpr size_t kProperties = 8;

void check_report(const crosswalk::Plan& plan, size_t property) {
  report::Check check;
  check.plan = &plan;
  check.name = "input";
  if (property == 2) return check_json(report::print_json(check));
  if (property == 3) return check_text(report::print_text(check));
  const report::Report report = report::report_of(check);
  if (property == 4) return check_text(report::print_html(report));
  if (property == 5) return check_text(report::print_markdown(report));
  if (property == 6) return check_text(report::print_junit(report));
  check_text(report::print_github(report));
}

void check_diffs(const crosswalk::Plan& plan, const AnySchema& schema) {
  const crosswalk::Diff same = crosswalk::diff(schema, schema);
  require(same.same(), "a schema is the same as itself", crosswalk::print_schema(schema));
  const crosswalk::Diff diff = crosswalk::diff(schema, plan.target);
  check_json(report::print_json(report::DiffCheck{&diff, "left", "right"}));
  crosswalk::check_compat(schema, plan.target, crosswalk::CompatMode::Full);
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  Choices choices(data);
  const size_t first = choices.byte();
  const System from = crosswalk::systems()[first % crosswalk::systems().size()];
  const size_t second = choices.byte();
  const System target = crosswalk::systems()[second % crosswalk::systems().size()];
  const size_t property = (second / crosswalk::systems().size() + data.size()) % kProperties;
  const std::string bytes(choices.rest());
  const bool protobuf = from->name == "lance" || from->name == "vortex";
  const Allowance read(protobuf ? kProtobufBytes : 2 * data.size() + kBeside);
  AnySchema schema;
  try {
    if (from->validate_bytes != nullptr) from->validate_bytes(bytes);
  } catch (const Error&) {
  }
  try {
    schema =
        first < 128 ? crosswalk::parse_schema(from, bytes) : crosswalk::parse_type(from, bytes);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Input || error.code() == ErrorCode::Unsupported,
            "bytes are refused as input", error.describe());
    check_text(error.describe());
    return;
  }
  // What is made of a schema may be larger than its text.
  const Allowance any;
  hub::Schema hub;
  try {
    if (from->validate != nullptr) from->validate(schema);
    crosswalk::check_schema(schema);
    hub = crosswalk::to_arrow(schema);
  } catch (const Error&) {
    return;
  }
  if (property == kForms) return check_forms(schema, hub);
  std::optional<crosswalk::Plan> plan;
  try {
    plan = crosswalk::plan(schema, target);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Unsupported, "no plan means no way", error.describe());
    return;
  }
  if (property == kDiffs) return check_diffs(*plan, schema);
  check_report(*plan, property);
}

}  // namespace xwalk::fuzz
