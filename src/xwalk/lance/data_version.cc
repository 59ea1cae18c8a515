#include "xwalk/lance/data_version.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/path.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/option.h"
#include "xwalk/hub/type.h"

namespace xwalk::lance {
namespace {

/// What manifests call them, in the order of DataVersion.
constexpr std::array<std::string_view, 5> kNames = {"0.1", "2.0", "2.1", "2.2", "2.3"};
constexpr std::array<std::string_view, 5> kVersionNames = {"2.0", "2.1", "2.2", "2.3", "stable"};
constexpr DataVersion kStable = DataVersion::V2_2;

constexpr std::string_view kBlobKey = "lance-encoding:blob";
constexpr std::string_view kBlobV2 = "lance.blob.v2";

/// Features that only some versions have and that are not a kind.
struct Feature {
  std::string_view what;
  DataVersion since;
  DataVersion until;
  bool (*of_field)(const Field& field);
};

constexpr Feature kFeatures[] = {
    {"fixed-size lists of structs", DataVersion::V2_2, DataVersion::V2_3,
     [](const Field& field) {
       return field.type.kind() == Kind::FixedSizeList &&
              field.type.element().kind() == Kind::Struct;
     }},
    {"lance.blob.v2", DataVersion::V2_2, DataVersion::V2_3,
     [](const Field& field) { return field.metadata.find(hub::kExtensionName) == kBlobV2; }},
    // Later files make lance.blob.v2 of them, which is another type.
    {"blobs under lance-encoding:blob", DataVersion::V0_1, DataVersion::V2_1,
     [](const Field& field) {
       return field.type.kind() == Kind::Blob || field.metadata.find(kBlobKey).has_value();
     }},
};

/// The most levels of fixed-size lists, by version. Readers decode the Protobuf description of a
/// column to a depth of 100 messages.
constexpr std::array<int, 5> kMostNestedFixedLists = {1, 19, 48, 48, 47};

int nested_fixed_lists(const LogicalType& type) {
  int count = 0;
  for (const LogicalType* at = &type; at->kind() == Kind::FixedSizeList; at = &at->element()) {
    ++count;
  }
  return count;
}

bool has_fixed_size(Kind kind) {
  return kind == Kind::FixedSizeList || kind == Kind::FixedSizeBinary;
}

bool is_text_or_bytes(Kind kind) {
  const Family family = kind_row(kind).family;
  return family == Family::Text || family == Family::Bytes || kind == Kind::Blob ||
         kind == Kind::Json;
}

class Lacking {
 public:
  explicit Lacking(DataVersion version) : version_(version) {}

  void field(const Field& field, const Path& path) {
    const KindRow& row = kind_row(field.type.kind());
    if (version_ < row.since) came_later(fmt::format("{}s", row.name), row.since, path);
    for (const Feature& feature : kFeatures) {
      if (!feature.of_field(field)) continue;
      if (version_ < feature.since) came_later(feature.what, feature.since, path);
      if (version_ > feature.until) ended(feature, path);
    }
    sizes(field.type, path);
    if (field.nullable && version_ >= row.since) nulls(row, path);
    fields_after_empty(field, path);
    const bool is_map = field.type.kind() == Kind::Map;
    for (const Field& child : field.children) {
      if (is_map) {
        entries(child, path);
      } else if (field.type.kind() == Kind::Struct) {
        this->field(child, path.field(child.name));
      } else {
        this->field(child, path.item());
      }
    }
  }

  /// A version that pylance writes with a warning.
  void unfinished() {
    add(Path(), hub::Effect::None,
        fmt::format("Lance {} is not finished: later releases may not read it",
                    to_string(version_)),
        "", choose(kStable) + " is the stable one");
  }

  hub::Findings take() { return std::move(findings_); }

 private:
  /// What pylance cannot write, or cannot read back.
  void sizes(const LogicalType& type, const Path& path) {
    for (const LogicalType* at = &type; has_fixed_size(at->kind()); at = &at->element()) {
      if (at->size() <= 0) {
        add("type.parameters", path, hub::Effect::Forbidden,
            fmt::format("a {} of size {} cannot be read back", kind_row(at->kind()).name,
                        at->size()),
            "", "");
        return;
      }
      if (at->kind() != Kind::FixedSizeList) break;
    }
    const int most = kMostNestedFixedLists[static_cast<size_t>(version_)];
    if (const int count = nested_fixed_lists(type); count > most) {
      add("type.parameters", path, hub::Effect::Forbidden,
          fmt::format("fixed_size_lists nested {} deep cannot be read back, {} can", count, most),
          "", "a list in one of the levels can be read");
    }
  }

  void entries(const Field& pairs, const Path& path) {
    if (pairs.children.size() != 2) return;
    field(pairs.children[0], path.map_key());
    field(pairs.children[1], path.map_value());
  }

  void add(const Path& path, hub::Effect effect, std::string lost, std::string witness,
           std::string hint) {
    add("spec.version", path, effect, std::move(lost), std::move(witness), std::move(hint));
  }

  void add(std::string_view rule, const Path& path, hub::Effect effect, std::string lost,
           std::string witness, std::string hint) {
    findings_.push_back({rule, path, effect, std::move(lost), std::move(witness), std::move(hint)});
  }

  std::string files() const { return fmt::format("the files are of {}", to_string(version_)); }

  static std::string choose(DataVersion version) {
    return hub::mention(hub::Option::LanceVersion, to_string(version));
  }

  void came_later(std::string_view what, DataVersion since, const Path& path) {
    add(path, hub::Effect::Forbidden,
        fmt::format("{} came with Lance {}, {}", what, to_string(since), files()), "",
        choose(since) + " writes them");
  }

  void ended(const Feature& feature, const Path& path) {
    add(path, hub::Effect::Forbidden,
        fmt::format("{} ended with Lance {}, {}", feature.what, to_string(feature.until), files()),
        "", choose(feature.until) + " writes them");
  }

  void nulls(const KindRow& row, const Path& path) {
    if (version_ < row.nulls_since) {
      add(path, hub::Effect::Refused,
          fmt::format("nulls of {}s came with Lance {}, {}", row.name, to_string(row.nulls_since),
                      files()),
          "null", choose(row.nulls_since) + " keeps them");
    } else if (version_ == DataVersion::V0_1 && is_text_or_bytes(row.kind)) {
      add(path, hub::Effect::None, fmt::format("empty values are read as null, {}", files()), "",
          "a dataset of a later version keeps them");
    }
  }

  /// Data files from version 2.1 on have no column for a struct without fields, but readers count
  /// one. The columns after it are therefore read as null.
  void fields_after_empty(const Field& field, const Path& path) {
    if (version_ < DataVersion::V2_1 || !field.children.empty()) return;
    if (field.type.kind() == Kind::Struct) {
      empty_ = path;
    } else if (empty_) {
      add(*empty_, hub::Effect::Forbidden,
          fmt::format("Lance from 2.1 on loses columns after a struct without fields: {}",
                      path.text()),
          "", choose(DataVersion::V2_0) + " keeps it");
      empty_.reset();
    }
  }

  DataVersion version_;
  /// The last struct without fields that nothing has followed yet.
  std::optional<Path> empty_;
  hub::Findings findings_;
};

bool has_old_blobs(const std::vector<Field>& fields) {
  return std::ranges::any_of(fields, [](const Field& field) {
    return field.type.kind() == Kind::Blob || field.metadata.find(kBlobKey) ||
           has_old_blobs(field.children);
  });
}

void restrict_nulls(DataVersion version, std::vector<Field>& fields) {
  for (Field& field : fields) {
    const KindRow& row = kind_row(field.type.kind());
    // Of a kind that the files do not hold at all, they lose more than nulls.
    const bool keeps = version >= row.nulls_since || version < row.since;
    field.nullable = field.nullable && keeps;
    restrict_nulls(version, field.children);
  }
}

}  // namespace

std::span<const std::string_view> data_versions() { return kVersionNames; }

DataVersion parse_data_version(std::string_view word) {
  if (std::ranges::find(kVersionNames, word) == kVersionNames.end()) {
    const bool is_old = word == "0.1" || word == "legacy";
    throw Error(ErrorCode::Usage,
                fmt::format("expected a version of Lance's data files ({}), found {}",
                            join({kVersionNames.begin(), kVersionNames.end()}, ", "), quoted(word)),
                {},
                is_old ? "Files of 0.1 keep nulls of text and bytes only, and read empty text as "
                         "null: xwalk reads them, and begins no dataset with them."
                       : "");
  }
  return find_data_version(word).value_or(kStable);
}

std::optional<DataVersion> find_data_version(std::string_view word) {
  const auto found = std::ranges::find(kNames, word);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<DataVersion>(found - kNames.begin());
}

std::string_view to_string(DataVersion version) { return kNames[static_cast<size_t>(version)]; }

DataVersion usual_data_version(const Schema& schema) {
  return has_old_blobs(schema.fields) ? DataVersion::V2_1 : kStable;
}

hub::Findings lacking(const Schema& schema, DataVersion version) {
  Lacking lacking(version);
  if (version > kStable) lacking.unfinished();
  for (const Field& field : schema.fields) lacking.field(field, Path::column(field.name));
  return lacking.take();
}

Schema with_nulls_kept_by(DataVersion version, Schema schema) {
  restrict_nulls(version, schema.fields);
  return schema;
}

}  // namespace xwalk::lance
