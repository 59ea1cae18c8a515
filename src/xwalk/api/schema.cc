#include "xwalk/api/schema.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/api/guard.h"
#include "xwalk/api/options.h"
#include "xwalk/api/report.h"
#include "xwalk/base/error.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/convert/check_rows.h"
#include "xwalk/crosswalk/arrow_types.h"
#include "xwalk/crosswalk/compat.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/crosswalk/diff.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/module.h"

namespace xwalk {

using crosswalk::System;

namespace api {

Schema make_schema(crosswalk::AnySchema value) {
  const System system = value.system();
  hub::Schema hub = crosswalk::with_arrow_types(system, crosswalk::to_arrow(value));
  return make_schema(std::move(value), std::move(hub));
}

Schema make_schema(crosswalk::AnySchema value, hub::Schema hub, io::FileNotes notes) {
  const System system = value.system();
  return Schema(std::make_shared<const Schema::State>(
      Schema::State{system, std::move(value), std::move(hub), std::move(notes)}));
}

namespace {

Conversion convert(const Schema::State& source, System target, io::ConvertOptions options) {
  auto plan = std::make_shared<const crosswalk::Plan>(
      io::plan_schema(source.value, source.hub, source.notes, target, std::move(options)));
  crosswalk::require_all_columns(*plan);
  crosswalk::Check check;
  check.plan = plan.get();
  check.name = source.system->name;
  check.interface = hub::Interface::Json;
  Schema schema = make_schema(plan->target);
  return {std::move(schema), make_report(std::move(check), std::move(plan))};
}

}  // namespace
}  // namespace api

Schema Schema::parse(std::string_view text, std::string_view system) {
  return api::guard([&] {
    const bool is_named = !system.empty();
    return api::make_schema(crosswalk::parse_schema_of(
        is_named ? std::optional<std::string_view>(system) : std::nullopt, text));
  });
}

Schema Schema::read(const Names& names, const Options& options) {
  return api::guard([&] {
    const api::SourceOptions source = api::read_source_options(options);
    const std::vector<std::string>& all = names.all();
    const bool is_text = all.size() == 1 && io::is_schema_text(all.front());
    io::SchemaInput found = is_text ? io::parse_schema_input(source.system, all.front())
                                    : io::read_schema(all, source.system, source.convert.input);
    return api::make_schema(std::move(found.schema), std::move(found.hub),
                            std::move(found.file_notes));
  });
}

Schema Schema::from_arrow(const ArrowSchema& schema) {
  return api::guard([&] {
    if (schema.release == nullptr) {
      throw Error(ErrorCode::Usage, "expected an Arrow schema, found a released one");
    }
    crosswalk::AnySchema value{crosswalk::system_of_word("arrow"), hub::import_schema(schema)};
    crosswalk::check_schema(value);
    return api::make_schema(std::move(value));
  });
}

std::string Schema::system() const { return std::string(state_->system->name); }

std::vector<std::string> Schema::names() const {
  std::vector<std::string> out;
  for (const hub::Field& field : state_->hub.fields) out.push_back(field.name);
  return out;
}

std::string Schema::dump(std::string_view form) const {
  return api::guard([&] { return crosswalk::print_schema(state_->value, form); });
}

std::vector<std::string> Schema::lost(std::string_view form) const {
  return api::guard([&] { return crosswalk::lost_in_form(state_->value, form); });
}

ArrowSchema Schema::to_arrow() const {
  return api::guard([&] { return hub::export_schema(state_->hub).take(); });
}

Conversion Schema::to(std::string_view system, const Options& options) const {
  return api::guard([&] {
    io::ConvertOptions given = api::read_options(options);
    const System target = io::set_target(std::string(system), &given);
    return api::convert(*state_, target, std::move(given));
  });
}

Conversion Schema::to(const Schema& target, const Options& options) const {
  return api::guard([&] {
    io::ConvertOptions given = api::read_options(options);
    io::set_output_schema(target.state().value, &given);
    return api::convert(*state_, target.state().system, std::move(given));
  });
}

bool operator==(const Schema& one, const Schema& other) {
  return one.state_ == other.state_ || one.state_->value == other.state_->value;
}

Report diff(const Schema& left, const Schema& right) {
  return api::guard([&] {
    const Schema::State& one = left.state();
    const Schema::State& other = right.state();
    auto found = std::make_shared<const crosswalk::Diff>(
        crosswalk::diff(one.system, one.hub, other.system, other.hub));
    crosswalk::DiffCheck check{found.get(), "left", "right"};
    return api::make_report(std::move(check), std::move(found));
  });
}

Report compat(const Schema& older, const Schema& newer, std::string_view mode) {
  return api::guard([&] {
    struct Owner {
      Schema older;
      Schema newer;
      crosswalk::Compat compat;
    };
    const Schema::State& before = older.state();
    const Schema::State& after = newer.state();
    crosswalk::CompatCheck check;
    check.mode = crosswalk::parse_compat_mode(std::string(mode));
    auto owner = std::make_shared<const Owner>(Owner{
        older, newer,
        crosswalk::check_compat(before.value, before.hub, after.value, after.hub, check.mode, {})});
    check.compat = &owner->compat;
    check.old_name = "older";
    check.new_name = "newer";
    check.old_system = before.system;
    check.new_system = after.system;
    check.old_schema = &before.hub;
    check.new_schema = &after.hub;
    return api::make_report(std::move(check), std::move(owner));
  });
}

}  // namespace xwalk
