#include "xwalk/vortex/edition.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/path.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/vortex/extension.h"

namespace xwalk::vortex {
namespace {

/// In the order of Edition. Families beside core (preview, unstable, json, zstd) promise no reader.
constexpr std::array<std::string_view, 7> kNames = {
    "core2025.05.0", "core2025.06.0", "core2025.10.0", "core2026.08.0",
    "core2026.08.1", "core2026.08.2", "core2026.08.3"};

constexpr Edition kUuidSince = Edition::Core2026_08_3;
/// The first with `vortex.masked`, in which vortex-data writes a column of one value and nulls.
constexpr Edition kMaskedSince = Edition::Core2025_10_0;

class Lacking {
 public:
  explicit Lacking(Edition edition) : edition_(edition) {}

  void type(const DType& type, const Path& path) {
    const KindRow& row = kind_row(type.kind());
    if (edition_ < row.since) came_later(row.name, row.since, path);
    switch (type.kind()) {
      case Kind::Struct:
      case Kind::Union:
        for (const Member& member : type.members()) {
          this->type(member.type, path.field(member.name));
        }
        return;
      case Kind::List:
      case Kind::FixedSizeList:
        this->type(type.element(), path.item());
        return;
      case Kind::Map:
        this->type(type.key(), path.map_key());
        this->type(type.value(), path.map_value());
        return;
      case Kind::Extension:
        if (type.id() == kUuidId && edition_ < kUuidSince) {
          came_later(kUuidId, kUuidSince, path);
          return;
        }
        extension(type.id(), path);
        this->type(type.storage(), path);
        return;
      case Kind::Bool:
      case Kind::Primitive:
      case Kind::Decimal:
      case Kind::Utf8:
      case Kind::Binary:
        if (type.nullable() && edition_ < kMaskedSince) nulls(path);
        return;
      case Kind::Null:
      case Kind::Variant:
        return;
    }
  }

  hub::Findings take() { return std::move(findings_); }

 private:
  void add(const Path& path, hub::Effect effect, std::string lost, std::string_view witness,
           Edition since) {
    findings_.push_back(
        {.rule = "spec.version",
         .path = path,
         .effect = effect,
         .lost = fmt::format("{} came with {}, the file is of {}", lost, to_string(since),
                             to_string(edition_)),
         .witness = std::string(witness),
         .hint = hub::mention(hub::Option::VortexEdition, to_string(since)) + " has it"});
  }

  void came_later(std::string_view what, Edition since, const Path& path) {
    add(path, hub::Effect::Forbidden, std::string(what), "", since);
  }

  /// Editions list no extensions: readers open the file, and not a column of one they do not know.
  void extension(std::string_view id, const Path& path) {
    if (id == kDateId || id == kTimeId || id == kTimestampId || id == kUuidId) return;
    findings_.push_back({.rule = "spec.version",
                         .path = path,
                         .lost = fmt::format("{} is in no edition: readers of {} may not know it",
                                             id, to_string(edition_)),
                         .hint = hub::mention(hub::Option::Cast) + " to its storage"});
  }

  void nulls(const Path& path) {
    add(path, hub::Effect::Refused, "the form of a column that has one value beside nulls", "null",
        kMaskedSince);
  }

  Edition edition_;
  hub::Findings findings_;
};

}  // namespace

std::span<const std::string_view> editions() { return kNames; }

Edition parse_edition(std::string_view word) {
  const auto found = std::ranges::find(kNames, word);
  if (found == kNames.end()) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected an edition of Vortex ({}), found {}",
                            join({kNames.begin(), kNames.end()}, ", "), quoted(word)));
  }
  return static_cast<Edition>(found - kNames.begin());
}

std::string_view to_string(Edition edition) { return kNames[static_cast<size_t>(edition)]; }

hub::Findings lacking(const DType& root, Edition edition) {
  Lacking lacking(edition);
  lacking.type(root, Path());
  return lacking.take();
}

}  // namespace xwalk::vortex
