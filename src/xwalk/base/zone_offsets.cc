#include "xwalk/base/zone_offsets.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/time_text.h"

namespace xwalk {
namespace {

constexpr int64_t kDay = 86400;
constexpr size_t kHeaderBytes = 44;
/// The largest files of the database have about 4 KB.
constexpr size_t kMaxFileBytes = 1 << 20;

[[noreturn]] void malformed(std::string_view what) {
  throw Error(ErrorCode::Input, fmt::format("expected a time zone file (TZif), found {}", what));
}

/// The counts in a header.
struct Counts {
  explicit Counts(std::string_view header)
      : utc(load_big_endian<uint32_t>(header.data() + 20)),
        standard(load_big_endian<uint32_t>(header.data() + 24)),
        leaps(load_big_endian<uint32_t>(header.data() + 28)),
        changes(load_big_endian<uint32_t>(header.data() + 32)),
        types(load_big_endian<uint32_t>(header.data() + 36)),
        chars(load_big_endian<uint32_t>(header.data() + 40)) {}

  /// Returns the bytes of the data, whose times have `width` bytes.
  uint64_t data_bytes(uint64_t width) const {
    return uint64_t{changes} * (width + 1) + uint64_t{types} * 6 + chars +
           uint64_t{leaps} * (width + 4) + standard + utc;
  }

  uint32_t utc;
  uint32_t standard;
  uint32_t leaps;
  uint32_t changes;
  uint32_t types;
  uint32_t chars;
};

std::string_view take(std::string_view* bytes, uint64_t size) {
  if (size > bytes->size()) malformed("its end too early");
  const std::string_view out = bytes->substr(0, static_cast<size_t>(size));
  bytes->remove_prefix(static_cast<size_t>(size));
  return out;
}

Counts take_header(std::string_view* bytes) {
  const std::string_view header = take(bytes, kHeaderBytes);
  if (!header.starts_with("TZif")) malformed("other bytes");
  if (header[4] < '2') malformed("version 1");
  return Counts(header);
}

/// Reads the rule for the years after the last change: POSIX's TZ, with hours up to 167.
class RuleText {
 public:
  explicit RuleText(std::string_view text) : text_(text) {}

  bool empty() const { return text_.empty(); }
  bool is_at(char c) const { return text_.starts_with(c); }
  bool take(char c) {
    if (!is_at(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void skip_name() {
    const auto after = [this](auto ends) {
      const auto end = std::ranges::find_if(text_, ends);
      text_.remove_prefix(static_cast<size_t>(end - text_.begin()));
    };
    if (!take('<')) return after([](char c) { return !is_ascii_alpha(c); });
    after([](char c) { return c == '>'; });
    expect('>');
  }
  /// Takes `[+-]hh[:mm[:ss]]` as seconds.
  int32_t clock() {
    const bool minus = take('-');
    if (!minus) take('+');
    int32_t seconds = number(167) * 3600;
    if (take(':')) seconds += number(59) * 60;
    if (take(':')) seconds += number(59);
    return minus ? -seconds : seconds;
  }
  YearlyChange change() {
    expect(',');
    YearlyChange out;
    if (take('M')) {
      out.month = number(12);
      expect('.');
      out.week = number(5);
      expect('.');
      out.day = number(6);
      if (out.month == 0 || out.week == 0) malformed("a wrong rule");
    } else {
      out.kind = take('J') ? YearlyChange::Day::Julian : YearlyChange::Day::OfYear;
      out.day = number(365);
    }
    if (take('/')) out.second = clock();
    return out;
  }

 private:
  void expect(char c) {
    if (!take(c)) malformed("a wrong rule");
  }
  int number(int most) {
    int out = 0;
    bool any = false;
    while (!text_.empty() && is_ascii_digit(text_[0]) && out <= most) {
      out = out * 10 + (text_[0] - '0');
      text_.remove_prefix(1);
      any = true;
    }
    if (!any || out > most) malformed("a wrong rule");
    return out;
  }

  std::string_view text_;
};

/// Returns the weekday, where 0 is Sunday.
int64_t weekday(int64_t day) { return ((day + 4) % 7 + 7) % 7; }

}  // namespace

int64_t YearlyChange::in_year(int64_t year) const {
  const int64_t start = days_from_civil({year, 1, 1});
  int64_t at = start + day;
  if (kind == Day::Julian) {
    const bool leap = days_in_month(year, 2) == 29;
    at = start + day - 1 + (leap && day >= 60 ? 1 : 0);
  } else if (kind == Day::OfMonth) {
    const int64_t first = days_from_civil({year, month, 1});
    const int64_t offset = (day - weekday(first) + 7) % 7 + int64_t{week - 1} * 7;
    at = first + (offset < days_in_month(year, month) ? offset : offset - 7);
  }
  return at * kDay + second;
}

ZoneOffsets::ZoneOffsets(std::string_view bytes) {
  const Counts old = take_header(&bytes);
  take(&bytes, old.data_bytes(sizeof(int32_t)));
  const Counts counts = take_header(&bytes);
  std::string_view data = take(&bytes, counts.data_bytes(sizeof(int64_t)));
  if (counts.types == 0) malformed("no offset");
  const std::string_view times = take(&data, uint64_t{counts.changes} * sizeof(int64_t));
  const std::string_view indices = take(&data, counts.changes);
  const std::string_view types = take(&data, uint64_t{counts.types} * 6);
  const auto offset = [&](size_t type) {
    if (type >= counts.types) malformed("a wrong index");
    return load_big_endian<int32_t>(types.data() + type * 6);
  };
  offsets_.push_back(offset(0));
  for (size_t i = 0; i < counts.changes; ++i) {
    changes_.push_back(load_big_endian<int64_t>(times.data() + i * sizeof(int64_t)));
    offsets_.push_back(offset(static_cast<unsigned char>(indices[i])));
  }
  if (!std::ranges::is_sorted(changes_)) malformed("times that are not in order");
  if (!bytes.starts_with('\n') || !bytes.ends_with('\n') || bytes.size() < 2) {
    malformed("no rule at its end");
  }
  read_rule(bytes.substr(1, bytes.size() - 2));
}

void ZoneOffsets::read_rule(std::string_view text) {
  RuleText rule(text);
  if (rule.empty()) return;
  has_rule_ = true;
  rule.skip_name();
  standard_ = -rule.clock();
  if (rule.empty()) return;
  has_summer_ = true;
  rule.skip_name();
  summer_ = standard_ + 3600;
  if (!rule.is_at(',')) summer_ = -rule.clock();
  to_summer_ = rule.change();
  to_standard_ = rule.change();
  if (!rule.empty()) malformed("a wrong rule");
}

ZoneOffsets ZoneOffsets::of_system(std::string_view zone) {
  std::vector<std::string> folders;
  if (const char* set = std::getenv("TZDIR"); set != nullptr && *set != '\0') {
    folders.emplace_back(set);
  } else {
    folders = {"/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo",
               "/etc/zoneinfo"};
  }
  for (const std::string& folder : folders) {
    std::ifstream file(fmt::format("{}/{}", folder, zone), std::ios::binary);
    if (!file) continue;
    std::string bytes(kMaxFileBytes, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<size_t>(file.gcount()));
    try {
      return ZoneOffsets(bytes);
    } catch (Error& error) {
      error.place().file = fmt::format("{}/{}", folder, zone);
      throw;
    }
  }
  throw Error(ErrorCode::Io,
              fmt::format("expected the time zone {} in {}, found no such file", quoted(zone),
                          fmt::join(folders, ", ")),
              {}, "install the package tzdata, or name the folder of the database with TZDIR");
}

int32_t ZoneOffsets::seconds_at(int64_t instant) const {
  const auto after = std::ranges::upper_bound(changes_, instant);
  if (after != changes_.end() || !has_rule_) {
    return offsets_[static_cast<size_t>(after - changes_.begin())];
  }
  if (!has_summer_) return standard_;
  // Far beyond the years of a calendar the rule has no meaning; only overflow matters.
  constexpr int64_t kFar = int64_t{1} << 55;
  if (instant > kFar || instant < -kFar) return standard_;
  const int64_t local = instant + standard_;
  const int64_t day = local / kDay - (local % kDay < 0 ? 1 : 0);
  const int64_t year = civil_from_days(day).year;
  const int64_t summer = to_summer_.in_year(year) - standard_;
  const int64_t winter = to_standard_.in_year(year) - summer_;
  const bool is_summer = summer < winter ? summer <= instant && instant < winter
                                         : instant < winter || summer <= instant;
  return is_summer ? summer_ : standard_;
}

}  // namespace xwalk
