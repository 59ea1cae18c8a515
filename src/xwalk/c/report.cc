#include "xwalk/c/report.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace xwalk::c {
namespace {

/// A report with the texts that its C form points to.
struct OwnedReport : xwalk_report {
  OwnedReport(size_t worst, std::string word, const io::AnyReport& report)
      : xwalk_report{},
        verdict_text(std::move(word)),
        summary_text(report.summary()),
        json_text(report.json()),
        whole_text(report.text({.clips = false, .all = true})) {
    grade = static_cast<int32_t>(worst);
    verdict = verdict_text.c_str();
    summary = summary_text.c_str();
    json = json_text.c_str();
    rows = report.rows() ? static_cast<int64_t>(*report.rows()) : -1;
    rejected = report.rejected() ? static_cast<int64_t>(*report.rejected()) : -1;
    text = whole_text.c_str();
  }

  std::string verdict_text, summary_text, json_text, whole_text;
};

}  // namespace

xwalk_report* make_report(const io::AnyReport& report) {
  if (std::holds_alternative<report::Proof>(report.found())) {
    return report.fails() ? new OwnedReport(XWALK_DIFFERS, "differs", report)
                          : new OwnedReport(XWALK_VERIFIED, "verified", report);
  }
  return new OwnedReport(report.grade(), report.grade_word(), report);
}

}  // namespace xwalk::c

extern "C" void xwalk_report_free(xwalk_report* report) {
  delete static_cast<xwalk::c::OwnedReport*>(report);
}
