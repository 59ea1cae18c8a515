#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "xwalk/api/guard.h"
#include "xwalk/api/options.h"
#include "xwalk/api/report.h"
#include "xwalk/api/schema.h"
#include "xwalk/base/error.h"
#include "xwalk/convert/check_inputs.h"
#include "xwalk/convert/check_rows.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/xwalk.hpp"

namespace xwalk {
namespace {

io::InputsQuestion question_of(const Names& input, const api::SourceOptions& source, Ask ask) {
  io::InputsQuestion question;
  question.names = input.all();
  question.source = source.system;
  question.rows = ask.rows;
  question.readers = ask.readers;
  question.interface = hub::Interface::Json;
  return question;
}

Report answer_to(const io::InputsQuestion& question, io::ConvertOptions options) {
  if (question.target) io::set_reading(*question.target, &options);
  auto found = std::make_shared<io::CheckedInputs>(io::check_inputs(question, options));
  if (!found->is_one()) {
    crosswalk::ReportSet set = found->set();
    return api::make_report(std::move(set), std::move(found));
  }
  crosswalk::Check check = found->tables.front().check;
  return api::make_report(std::move(check), std::move(found));
}

}  // namespace

Report check(const Names& input, std::string_view target, const Options& options, Ask ask) {
  return api::guard([&] {
    api::SourceOptions source = api::read_source_options(options);
    io::InputsQuestion question = question_of(input, source, ask);
    if (!target.empty()) {
      question.target = io::set_target(std::string(target), &source.convert);
    } else if (!ask.readers) {
      throw Error(ErrorCode::Usage, "expected a system or a format to convert to, found none");
    }
    return answer_to(question, std::move(source.convert));
  });
}

Report check(const Schema& schema, std::string_view target, const Options& options) {
  return api::guard([&] {
    const Schema::State& state = schema.state();
    io::ConvertOptions given = api::read_options(options);
    io::InputsQuestion question;
    question.interface = hub::Interface::Json;
    question.target = io::set_target(std::string(target), &given);
    io::InputTable table;
    table.name = state.system->name;
    table.schema = {state.system, state.value, state.hub, {}, state.notes};
    io::set_reading(*question.target, &given);
    io::check_taken_by(state.system, given.input);
    auto found =
        std::make_shared<io::CheckedTable>(io::check_table(table, question, std::move(given)));
    crosswalk::Check check = found->check;
    return api::make_report(std::move(check), std::move(found));
  });
}

Report check_append(const Names& input, const std::string& output, const Options& options,
                    Ask ask) {
  return api::guard([&] {
    api::SourceOptions source = api::read_source_options(options);
    io::InputsQuestion question = question_of(input, source, ask);
    question.append = output;
    question.target = io::set_addition(output, &source.convert);
    return answer_to(question, std::move(source.convert));
  });
}

}  // namespace xwalk
