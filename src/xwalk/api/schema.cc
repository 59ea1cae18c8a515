#include "xwalk/api/schema.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/api/guard.h"
#include "xwalk/api/options.h"
#include "xwalk/api/report.h"
#include "xwalk/convert/facade.h"
#include "xwalk/hub/c_schema.h"
#include "xwalk/hub/module.h"

namespace xwalk {

Schema api::make_schema(io::SchemaInput schema) {
  return Schema(std::make_shared<const Schema::State>(Schema::State{std::move(schema)}));
}

Schema Schema::parse(std::string_view text, std::string_view system) {
  return api::guard([&] {
    const bool is_named = !system.empty();
    return api::make_schema(
        io::parse_schema(text, is_named ? std::optional(system) : std::nullopt));
  });
}

Schema Schema::read(const Names& names, const Options& options) {
  return api::guard([&] {
    const api::SourceOptions source = api::read_source_options(options);
    return api::make_schema(
        io::read_schema_or_text(names.all(), source.system, source.convert.input));
  });
}

Schema Schema::from_arrow(const ArrowSchema& schema) {
  return api::guard([&] { return api::make_schema(io::import_schema(schema)); });
}

std::string Schema::system() const { return std::string(state_->schema.system->name); }

std::vector<std::string> Schema::names() const {
  std::vector<std::string> out;
  for (const hub::Field& field : state_->schema.hub.fields) out.push_back(field.name);
  return out;
}

std::string Schema::dump(std::string_view form) const {
  return api::guard([&] { return crosswalk::print_schema(state_->schema.schema, form); });
}

std::vector<std::string> Schema::lost(std::string_view form) const {
  return api::guard([&] { return crosswalk::lost_in_form(state_->schema.schema, form); });
}

ArrowSchema Schema::to_arrow() const {
  return api::guard([&] { return hub::export_schema(state_->schema.hub).take(); });
}

namespace {

Conversion convert(const Schema::State& source, const io::Against& target, const Options& options) {
  return api::guard([&] {
    io::SchemaConversion found =
        io::convert_schema(source.schema, target, api::read_options(options));
    return Conversion{api::make_schema(found.schema()), api::make_report(std::move(found.report))};
  });
}

}  // namespace

Conversion Schema::to(std::string_view system, const Options& options) const {
  return convert(*state_, std::string(system), options);
}

Conversion Schema::to(const Schema& target, const Options& options) const {
  return convert(*state_, target.state().schema.schema, options);
}

bool operator==(const Schema& one, const Schema& other) {
  return one.state_ == other.state_ || one.state_->schema.schema == other.state_->schema.schema;
}

Report diff(const Schema& left, const Schema& right) {
  return api::guard([&] {
    return api::make_report(io::diff(left.state().schema, right.state().schema, {"left", "right"}));
  });
}

Report compat(const Schema& older, const Schema& newer, std::string_view mode) {
  return api::guard([&] {
    return api::make_report(io::compat(older.state().schema, newer.state().schema,
                                       {"older", "newer"},
                                       {.mode = crosswalk::parse_compat_mode(mode)}));
  });
}

}  // namespace xwalk
