#include "xwalk/hub/cast/zoned_times.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/zone_names.h"
#include "xwalk/base/zone_offsets.h"
#include "xwalk/hub/cast/structs.h"
#include "xwalk/hub/children.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/option.h"

// Times with the name of a zone, and times with an offset from UTC.

namespace xwalk::hub::cast {
namespace {

/// The zones Etc/GMT+12 to Etc/GMT-14, the only ones that never change their offset.
constexpr int kLeastHours = -12;
constexpr int kMostHours = 14;

/// Offsets of zones that were read once. Used by several threads.
class Zones {
 public:
  /// Throws Error if the machine does not have the zone.
  const ZoneOffsets& of(std::string_view name) {
    const std::lock_guard lock(mutex_);
    auto at = known_.find(name);
    if (at == known_.end()) at = known_.emplace(name, ZoneOffsets::of_system(name)).first;
    return at->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, ZoneOffsets, std::less<>> known_;
};

bool has_members(const Type& type, std::string_view first, std::string_view second) {
  return type.kind() == Kind::Struct && type.children().size() == 2 &&
         type.child(0).name == first && type.child(1).name == second;
}

/// Writes an offset in seconds as `+02:30` or `+02:30:17`.
std::string offset_text(int32_t seconds) {
  const int32_t size = std::abs(seconds);
  std::string out =
      fmt::format("{}{:02}:{:02}", seconds < 0 ? '-' : '+', size / 3600, size / 60 % 60);
  if (size % 60 != 0) out += fmt::format(":{:02}", size % 60);
  return out;
}

/// Replaces the names of zones, the second member of a struct, by offsets at the instants.
class ToOffsets final : public Kernel {
 public:
  ToOffsets(const Type& instant, bool round, Path path)
      : ticks_(ticks_per_second(instant.unit())), round_(round), path_(std::move(path)) {}

  Array run(const Array& in, const Scope& scope) const override {
    const StructMap map(in);
    const Scope inner = scope.inside(map);
    const Array instants = slice(in.children[0], in.offset, in.length);
    const Array names = slice(in.children[1], in.offset, in.length);
    Buffer minutes(in.length * static_cast<int64_t>(sizeof(int16_t)));
    auto* out = minutes.as<int16_t>();
    std::string_view last;
    const ZoneOffsets* zone = nullptr;
    for (int64_t i = 0; i < in.length; ++i) {
      out[i] = 0;
      if (!is_valid(in, i)) continue;
      const std::string_view name = names.text(i);
      if (zone == nullptr || name != last) {
        zone = find(name, i, inner);
        last = name;
      }
      if (zone != nullptr) out[i] = minutes_at(*zone, instants.value<int64_t>(i), name, i, inner);
    }
    Array offsets = start(in.length);
    attach(offsets, minutes);
    Array result = start_like(in);
    result.children = {instants, std::move(offsets)};
    return result;
  }

 private:
  const ZoneOffsets* find(std::string_view name, int64_t i, const Scope& scope) const {
    if (!is_zone_name(name)) {
      scope.refuse(i, path_,
                   fmt::format("expected the name of a time zone, found {}", clipped(name)));
      return nullptr;
    }
    try {
      return &zones_.of(name);
    } catch (const Error& error) {
      scope.refuse(i, path_, error.message(), error.hint());
      return nullptr;
    }
  }

  int16_t minutes_at(const ZoneOffsets& zone, int64_t ticks, std::string_view name, int64_t i,
                     const Scope& scope) const {
    const int64_t instant = ticks / ticks_ - (ticks % ticks_ < 0 ? 1 : 0);
    int32_t seconds = zone.seconds_at(instant);
    if (seconds % 60 != 0) {
      if (!round_) {
        scope.refuse(i, path_,
                     fmt::format("expected an offset of whole minutes, found {} of {}",
                                 offset_text(seconds), name),
                     mention(Option::Round) + " rounds the offset");
        return 0;
      }
      seconds += seconds < 0 ? -30 : 30;
    }
    return static_cast<int16_t>(seconds / 60);
  }

  int64_t ticks_;
  bool round_;
  Path path_;
  mutable Zones zones_;
};

/// Replaces offsets in minutes by the names of zones that always have them.
KernelPtr to_names_kernel(const Path& path) {
  return make_kernel([path](const Array& in, const Scope& scope) {
    Buffer ends((in.length + 1) * static_cast<int64_t>(sizeof(int32_t)));
    GrowingBytes names;
    auto* end = ends.as<int32_t>();
    *end++ = 0;
    for (int64_t i = 0; i < in.length; ++i) {
      const int minutes = is_valid(in, i) ? in.value<int16_t>(i) : 0;
      const int hours = minutes / 60;
      std::string name = "UTC";
      if (minutes % 60 != 0 || hours < kLeastHours || hours > kMostHours) {
        scope.refuse(
            i, path,
            fmt::format("expected an offset of whole hours from -12:00 to +14:00, found {}",
                        offset_text(minutes * 60)));
      } else if (hours != 0) {
        // The names have the sign of POSIX: Etc/GMT-3 is ahead of UTC.
        name = fmt::format("Etc/GMT{:+}", -hours);
      }
      names.append(name.data(), static_cast<int64_t>(name.size()));
      *end++ = static_cast<int32_t>(names.size());
    }
    Array out = start_like(in);
    attach(out, ends);
    names.attach(out);
    return out;
  });
}

/// Returns a member that is cast to `to`. Values below null structs are made null first.
Member member_of(Compiler& compiler, const Type& from, size_t place, const Field& to,
                 const Path& path) {
  const Field& source = from.child(place);
  return {place, compiler.field(source, to, path.field(source.name)), to.type,
          has_validity(source.type.kind())};
}

Compiled to_offsets(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const bool round = compiler.options.round;
  const Path zone = path.field(from.type.child(1).name);
  const Field& instant = to.type.child(0);
  std::vector<Member> members;
  members.push_back(member_of(compiler, from.type, 0, instant, path));
  members.push_back(member_of(compiler, from.type, 1, Field("zone", Kind::Utf8, false), path));
  compiler.note("zone.dropped", path, Effect::Altered,
                "the name of each time zone is dropped; its offset from UTC is kept");
  Finding& finding = compiler.note("unit.coarser", zone, round ? Effect::Altered : Effect::Refused,
                                   "offsets are in minutes; those of some zones have seconds");
  finding.witness = "Europe/Moscow in 1910, +02:30:17";
  if (!round) finding.hint = mention(Option::Round) + " rounds them";
  // The offset, an int16, to the integer of the target.
  std::vector<Member> stored(2);
  stored[0] = {.source = 0, .kernel = nullptr, .type = instant.type, .mask = false};
  stored[1] = {
      .source = 1,
      .kernel = compiler.field(Field("offset_minutes", Kind::Int16, false), to.type.child(1), zone),
      .type = to.type.child(1).type,
      .mask = false};
  KernelPtr offsets = std::make_shared<ToOffsets>(instant.type, round, zone);
  return chain(chain(struct_kernel(std::move(members), 2), std::move(offsets)),
               struct_kernel(std::move(stored), 2));
}

Compiled to_names(Compiler& compiler, const Field& from, const Field& to, const Path& path) {
  const Path offset = path.field(from.type.child(1).name);
  std::vector<Member> members;
  members.push_back(member_of(compiler, from.type, 0, to.type.child(0), path));
  members.push_back(
      member_of(compiler, from.type, 1, Field("offset_minutes", Kind::Int16, false), path));
  members[1].kernel = chain(std::move(members[1].kernel), to_names_kernel(offset));
  members[1].type = Kind::Utf8;
  compiler
      .note("zone.unknown", offset, Effect::Refused,
            "only offsets of whole hours from -12:00 to +14:00 have a zone that never changes")
      .witness = "330";
  return struct_kernel(std::move(members), 2);
}

}  // namespace

bool is_zoned_time(const Type& type) {
  return has_members(type, "time", "zone") && type.child(1).type.kind() == Kind::Utf8;
}

bool is_offset_time(const Type& type) {
  return has_members(type, "timestamp", "offset_minutes") &&
         without_encoding(type.child(0).type).kind() == Kind::Timestamp &&
         is_integer(without_encoding(type.child(1).type).kind());
}

Compiled compile_zoned_times(Compiler& compiler, const Field& from, const Field& to,
                             const Path& path) {
  if (is_offset_time(from.type) && is_zoned_time(to.type)) {
    return to_names(compiler, from, to, path);
  }
  const bool named = has_members(from.type, "time", "zone") &&
                     is_utf8(without_encoding(from.type.child(1).type).kind());
  const bool offset = is_offset_time(to.type) && to.type.child(0).type.kind() == Kind::Timestamp;
  return named && offset ? to_offsets(compiler, from, to, path) : std::nullopt;
}

}  // namespace xwalk::hub::cast
