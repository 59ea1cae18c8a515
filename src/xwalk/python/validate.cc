#include "xwalk/python/validate.h"

#include <nanobind/stl/vector.h>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/base/shown_name.h"
#include "xwalk/convert/validate.h"
#include "xwalk/hub/option.h"
#include "xwalk/python/errors.h"
#include "xwalk/python/interrupt.h"
#include "xwalk/python/options.h"
#include "xwalk/python/rows.h"
#include "xwalk/python/text.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

using Dict = nb::typed<nb::dict, nb::str, nb::any>;

/// Keeps all problems of a validation.
class Problems final : public io::ValidationEvents {
 public:
  void opened(const std::string& name, const io::FileNotes& notes) override {
    opened_.emplace_back(notes, name);
  }
  void bad_row(const Error& error) override { errors_.push_back(error); }
  void more_bad_rows(uint64_t) override {}
  void finding(const std::string& file, const hub::Finding& finding) override {
    findings_.emplace_back(file, finding);
  }
  void notes(const hub::Findings& notes) override {
    for (const hub::Finding& note : notes) findings_.emplace_back("", note);
  }
  void unreadable(const Error& error) override { errors_.push_back(error); }

  void warn() const {
    for (const auto& [notes, name] : opened_) warn_of_inferred(notes, name);
  }
  nb::list errors() const {
    nb::list out;
    for (const Error& error : errors_) out.append(exception_of(error));
    return out;
  }
  nb::list findings() const {
    nb::list out;
    for (const auto& [file, finding] : findings_) {
      nb::dict one;
      one["file"] = shown_name(file);
      one["path"] = finding.path.text();
      one["rule"] = std::string(finding.rule);
      one["found"] = hub::spelled(finding.lost, hub::Interface::Python);
      one["violation"] = hub::is_violation(finding);
      out.append(one);
    }
    return out;
  }

 private:
  std::vector<std::pair<io::FileNotes, std::string>> opened_;
  std::vector<Error> errors_;
  std::vector<std::pair<std::string, hub::Finding>> findings_;
};

Dict validate(const std::vector<std::string>& paths, const Dict& given, bool values) {
  io::ConvertOptions options = read_options(given);
  io::ValidationOptions request;
  request.reading = std::move(options.input);
  request.columns = std::move(options.plan);
  request.values = values;
  Problems problems;
  const io::Validation found = interruptible([&](const Interrupts& interrupts) {
    request.cancelled = &interrupts.stop();
    return io::validate(paths, request, &problems);
  });
  problems.warn();
  nb::list files;
  for (const std::string& name : found.names) {
    if (!found.rows_were_read) break;
    const auto its = found.files.find(name);
    const io::FileRows rows = its == found.files.end() ? io::FileRows() : its->second;
    nb::dict file;
    file["file"] = shown_name(name);
    file["rows"] = rows.rows;
    file["bad_rows"] = rows.bad_rows;
    files.append(file);
  }
  nb::dict out;
  out["valid"] = found.is_valid();
  out["rows"] = found.rows;
  out["bad_rows"] = found.bad_rows;
  out["files"] = files;
  out["errors"] = problems.errors();
  out["findings"] = problems.findings();
  return out;
}

}  // namespace

void bind_validate(nb::module_& module) {
  module.def("validate", validate, nb::arg("paths"), nb::arg("options"), nb::arg("values"));
}

}  // namespace xwalk::python
