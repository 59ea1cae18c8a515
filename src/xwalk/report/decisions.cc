#include "xwalk/report/decisions.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/option.h"
#include "xwalk/report/report.h"

namespace xwalk::report {
namespace {

using hub::Verdict;

/// Paths that a text names.
constexpr size_t kNamedPaths = 8;

/// Returns the verdict on a path for each of its reasons: the worst of them is that on the path.
std::vector<Verdict> verdicts_of(const PathReport& path) {
  const auto is_type = [](const Reason& reason) {
    return reason.values == hub::Values::Kept && reason.label.empty();
  };
  // Without a reason for the change of the type, it has those of the values and labels.
  const bool has_type = std::ranges::any_of(path.reasons, is_type);
  std::vector<Verdict> out;
  for (const Reason& reason : path.reasons) {
    const hub::TypeKept type = is_type(reason) || !has_type ? path.type : hub::TypeKept::Self;
    out.push_back(
        std::min(path.verdict(), hub::verdict_of(reason.values, type, !reason.label.empty())));
  }
  // The worst reason comes first.
  if (!out.empty() && std::ranges::max(out) < path.verdict()) out.front() = path.verdict();
  return out;
}

/// Judges the reasons and the rows of one check.
class Judge {
 public:
  explicit Judge(const Check& check) : check_(check) {
    if (!check.rows) return;
    for (const PathRows& path : check.rows->paths) rows_.emplace(path.path.text(), &path);
  }

  std::vector<Judgement> judge() {
    for (const PathReport& path : check_.plan->paths) judge(path);
    if (!check_.rows) return std::move(out_);
    for (const PathRows& path : check_.rows->paths) {
      if (path.rejected == 0 || std::ranges::find(explained_, &path) != explained_.end()) continue;
      out_.push_back({.rows = &path,
                      .verdict = Verdict::Checked,
                      .state = check_.rows_fail() ? DecisionState::Fails : DecisionState::Decided});
    }
    return std::move(out_);
  }

 private:
  void judge(const PathReport& path) {
    if (path.verdict() == Verdict::Exact && path.reasons.empty()) return;
    const std::string text = path.path.text();
    const auto found = rows_.find(text);
    const PathRows* const rows = found == rows_.end() ? nullptr : found->second;
    if (path.reasons.empty()) {
      add({.path = &path, .rows = rows, .verdict = path.verdict()});
      return;
    }
    const std::vector<Verdict> verdicts = verdicts_of(path);
    for (size_t i = 0; i < verdicts.size(); ++i) {
      const Reason& reason = path.reasons[i];
      add({.path = &path,
           .reason = &reason,
           .rows = rows,
           .verdict = verdicts[i],
           .accepted = accepted(check_.accepted, text, reason.rule)});
    }
  }

  void add(Judgement one) {
    // What was accepted is that rows may be rejected, not these.
    const bool was_accepted = one.accepted != nullptr && one.rows != nullptr &&
                              one.rows->rejected > 0 && one.verdict == Verdict::Checked;
    if (was_accepted) one.accepted = nullptr;
    one.state = state_of(one, was_accepted);
    if (one.rows != nullptr && one.verdict == Verdict::Checked && one.accepted == nullptr) {
      explained_.push_back(one.rows);
    }
    out_.push_back(one);
  }

  DecisionState state_of(const Judgement& one, bool was_accepted) const {
    if (one.accepted != nullptr) return DecisionState::Decided;
    if (one.verdict >= check_.fail_on && !was_accepted) return DecisionState::Fails;
    if (one.verdict < Verdict::Checked) return DecisionState::Known;
    if (one.verdict > Verdict::Checked) return DecisionState::Open;
    const bool has_rows = check_.rows && check_.rows->read > check_.rows->rejected;
    if (one.rows != nullptr && one.rows->rejected > 0) {
      return check_.rows_fail() ? DecisionState::Fails : DecisionState::Decided;
    }
    if (has_rows) return DecisionState::Settled;
    return check_.max_rejected > 0 ? DecisionState::Decided : DecisionState::Open;
  }

  const Check& check_;
  std::unordered_map<std::string, const PathRows*> rows_;
  /// Rejected rows that a finding is about.
  std::vector<const PathRows*> explained_;
  std::vector<Judgement> out_;
};

Acceptance finding_at(const std::string& path, std::string_view rule) {
  return {path.empty() ? std::string(kTablePath) : path, std::string(rule), "", ""};
}

std::string shown_path(const std::string& path) {
  return path.empty() ? std::string(kTablePath) : visible(path);
}

}  // namespace

std::string_view to_string(DecisionState state) {
  switch (state) {
    case DecisionState::Known:
      return "known";
    case DecisionState::Settled:
      return "settled";
    case DecisionState::Decided:
      return "decided";
    case DecisionState::Open:
      return "open";
    case DecisionState::Fails:
      return "fails";
  }
  return "";
}

std::vector<Judgement> judged(const Check& check) { return Judge(check).judge(); }

std::string Decision::evidence() const {
  if (!rejected) return "";
  return fmt::format("{} of {}{}", grouped(*rejected), counted(rows, "row"),
                     *rejected == 0 ? "" : " rejected");
}

std::string rejected_rows_text(const Check& check) {
  return check.rejects.empty()
             ? "rejected rows are left out, as an option says"
             : fmt::format("rejected rows go to {}", visible(shown_name(check.rejects)));
}

std::vector<Decision> decisions_of(const Check& check) {
  std::vector<Decision> out;
  for (const Judgement& one : judged(check)) {
    const Path& path = one.path != nullptr ? one.path->path : one.rows->path;
    Decision& entry = out.emplace_back();
    entry.path = shown_path(path.text());
    entry.column = path.empty() ? "" : visible(path.steps().front()->text());
    entry.rule = one.reason != nullptr ? one.reason->rule : kRowsRule;
    entry.verdict = hub::to_string(one.verdict);
    entry.state = one.state;
    if (one.reason != nullptr) entry.example = visible(one.reason->witness);
    if (check.rows && one.verdict == Verdict::Checked) {
      entry.rejected = one.rows == nullptr ? 0 : one.rows->rejected;
      // A rejected row was not read beyond its first fault.
      entry.rows =
          *entry.rejected == 0 ? check.rows->read - check.rows->rejected : check.rows->read;
      if (*entry.rejected > 0) entry.example = visible(one.rows->first);
    }
    if (one.accepted != nullptr) {
      entry.decided = acceptance_text(*one.accepted);
    } else if (one.state == DecisionState::Decided) {
      entry.by_option = true;
      entry.decided = rejected_rows_text(check);
    }
  }
  return out;
}

std::vector<Decision> decisions_of(const CompatCheck& check) {
  std::vector<Decision> out;
  for (const CompatReason& reason : check.compat->reasons) {
    if (reason.answer == yt::Compatibility::FullyCompatible) continue;
    const Acceptance* agreed = accepted(check.accepted, reason.path, reason.direction);
    Decision& entry = out.emplace_back();
    entry.path = shown_path(reason.path);
    entry.column = reason.path.empty() ? "" : entry.path;
    entry.rule = reason.direction;
    entry.verdict = answer_text(reason.answer);
    entry.state = agreed != nullptr ? DecisionState::Decided : DecisionState::Fails;
    entry.example = visible(reason.reason);
    if (agreed != nullptr) entry.decided = acceptance_text(*agreed);
  }
  return out;
}

std::string open_text(const std::vector<Decision>& decisions) {
  struct Group {
    std::string what;
    std::vector<std::string> paths;
  };
  std::vector<Group> groups;
  std::unordered_set<std::string_view> met;
  for (const Decision& one : decisions) {
    if (!one.is_open() || !met.insert(one.path).second) continue;
    if (met.size() > kNamedPaths) continue;
    const bool rejects = one.rejected.value_or(0) > 0;
    const std::string what = rejects ? one.evidence() : one.verdict;
    auto group = std::ranges::find(groups, what, &Group::what);
    if (group == groups.end()) group = groups.insert(group, {what, {}});
    group->paths.push_back(one.path);
  }
  std::vector<std::string> parts;
  for (const Group& group : groups) {
    const bool is_each = group.paths.size() > 1 && group.what.ends_with("rejected");
    parts.push_back(
        fmt::format("{} ({}{})", join(group.paths, ", "), group.what, is_each ? " each" : ""));
  }
  std::string out = join(parts, ", ");
  if (met.size() > kNamedPaths)
    out += fmt::format(" and {} more", grouped(met.size() - kNamedPaths));
  return out;
}

Statement statement_of(const Check& check, const PathReport& path, const Reason& reason) {
  const Acceptance* agreed = accepted(check.accepted, path.path.text(), reason.rule);
  return {std::string(reason.rule), visible(reason.lost), visible(reason.witness),
          agreed != nullptr ? acceptance_text(*agreed)
                            : visible(hub::spelled(reason.hint, check.interface))};
}

std::string text_of(const CompatCheck& check, const CompatReason& reason) {
  const Acceptance* agreed = accepted(check.accepted, reason.path, reason.direction);
  return visible(reason.reason) + (agreed != nullptr ? "; " + acceptance_text(*agreed) : "");
}

std::string Check::target() const {
  return target_name.empty() ? std::string(plan->target_system->name) : target_name;
}

bool Check::fails() const {
  if (rows_fail()) return true;
  if (accepted.empty()) return plan->verdict() >= fail_on;
  const std::vector<Judgement> all = judged(*this);
  return std::ranges::find(all, DecisionState::Fails, &Judgement::state) != all.end();
}

DecisionState Report::state() const {
  if (fails) return DecisionState::Fails;
  const bool is_open = std::ranges::any_of(decisions, &Decision::is_open);
  return is_open ? DecisionState::Open : DecisionState::Settled;
}

bool Check::has(const Acceptance& finding) const {
  return std::ranges::any_of(plan->paths, [&](const PathReport& path) {
    const std::string text = path.path.text();
    return std::ranges::any_of(path.reasons, [&](const Reason& reason) {
      return report::accepted({finding}, text, reason.rule) != nullptr;
    });
  });
}

bool CompatCheck::fails() const {
  return std::ranges::any_of(compat->reasons, [&](const CompatReason& reason) {
    return reason.answer != yt::Compatibility::FullyCompatible &&
           report::accepted(accepted, reason.path, reason.direction) == nullptr;
  });
}

bool CompatCheck::has(const Acceptance& finding) const {
  return std::ranges::any_of(compat->reasons, [&](const CompatReason& reason) {
    return report::accepted({finding}, reason.path, reason.direction) != nullptr;
  });
}

std::vector<Acceptance> unaccepted(const Check& check) {
  std::vector<Acceptance> out;
  for (const Judgement& one : judged(check)) {
    // An entry does not accept rejected rows.
    if (one.state != DecisionState::Fails || one.reason == nullptr || one.verdict < check.fail_on) {
      continue;
    }
    const std::string path = one.path->path.text();
    if (accepted(check.accepted, path, one.reason->rule) != nullptr) continue;
    out.push_back(finding_at(path, one.reason->rule));
  }
  return out;
}

std::vector<Acceptance> unaccepted(const CompatCheck& check) {
  std::vector<Acceptance> out;
  for (const CompatReason& reason : check.compat->reasons) {
    if (reason.answer == yt::Compatibility::FullyCompatible) continue;
    if (accepted(check.accepted, reason.path, reason.direction) != nullptr) continue;
    out.push_back(finding_at(reason.path, reason.direction));
  }
  return out;
}

}  // namespace xwalk::report
