#include "xwalk/duckdb/unions.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/duckdb/plain.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/children.h"

namespace xwalk::duckdb {
namespace {

using hub::Array;
using hub::Kind;
using hub::Type;

/// A value: its place in a vector, its index in an array, and its row.
struct Place {
  idx_t at;
  int64_t index;
  int64_t row;
};
using Places = std::vector<Place>;

Places first(int64_t length) {
  Places out;
  for (int64_t i = 0; i < length; ++i) out.push_back({static_cast<idx_t>(i), i, i});
  return out;
}

bool is_null(duckdb_vector vector, idx_t at) {
  uint64_t* const bits = duckdb_vector_get_validity(vector);
  return bits != nullptr && !duckdb_validity_row_is_valid(bits, at);
}

void set_valid(duckdb_vector vector, idx_t at) {
  duckdb_vector_ensure_validity_writable(vector);
  duckdb_validity_set_row_valid(duckdb_vector_get_validity(vector), at);
}

/// The vectors of a union: its tags, and its payloads by alternative.
duckdb_vector tags_of(duckdb_vector vector) { return duckdb_struct_vector_get_child(vector, 0); }
duckdb_vector payloads_of(duckdb_vector vector, size_t alternative) {
  return duckdb_struct_vector_get_child(vector, alternative + 1);
}
uint8_t* tag_values(duckdb_vector vector) {
  return static_cast<uint8_t*>(duckdb_vector_get_data(tags_of(vector)));
}

/// Returns the values within lists, of which there are as many as DuckDB says.
template <typename FirstItem>
Places items(duckdb_vector vector, const Places& lists, const FirstItem& first_item) {
  const auto* const entries = static_cast<duckdb_list_entry*>(duckdb_vector_get_data(vector));
  Places out;
  for (const Place& list : lists) {
    const int64_t start = first_item(list.index);
    const duckdb_list_entry& entry = entries[list.at];
    for (idx_t i = 0; i < entry.length; ++i) {
      out.push_back({entry.offset + i, start + static_cast<int64_t>(i), list.row});
    }
  }
  return out;
}

Places items_of_fixed(const Places& lists, int32_t size, int64_t offset) {
  Places out;
  for (const Place& list : lists) {
    for (int32_t i = 0; i < size; ++i) {
      out.push_back({list.at * static_cast<idx_t>(size) + static_cast<idx_t>(i),
                     (offset + list.index) * size + i, list.row});
    }
  }
  return out;
}

int64_t first_item_of(const Array& array, Kind kind, int64_t index) {
  return kind == Kind::LargeList ? array.values<int64_t>()[index] : array.first_item(index);
}

void set_tags(duckdb_vector vector, const Type& type, const Array& array, Places places);

void set_tags_of_union(duckdb_vector vector, const Type& type, const Array& array,
                       const Places& places) {
  std::vector<Places> by_alternative(type.children().size());
  const auto codes = type.type_codes();
  for (const Place& place : places) {
    const auto code = std::ranges::find(codes, array.type_code(place.index));
    const auto alternative = static_cast<size_t>(code - codes.begin());
    set_valid(vector, place.at);
    set_valid(tags_of(vector), place.at);
    tag_values(vector)[place.at] = static_cast<uint8_t>(alternative);
    by_alternative.at(alternative).push_back({place.at, array.slot(place.index), place.row});
  }
  for (size_t i = 0; i < by_alternative.size(); ++i) {
    set_tags(payloads_of(vector, i), type.child(i).type, array.children[i],
             std::move(by_alternative[i]));
  }
}

/// The same for values at some places. Those that are null have nothing below.
void set_tags(duckdb_vector vector, const Type& type, const Array& array, Places places) {
  if (places.empty() || !has_union(type)) return;
  const Kind kind = type.kind();
  if (hub::is_union(kind)) return set_tags_of_union(vector, type, array, places);
  std::erase_if(places, [&](const Place& place) { return array.is_null(place.index); });
  if (kind == Kind::Struct) {
    for (Place& place : places) place.index = array.slot(place.index);
    for (size_t i = 0; i < type.children().size(); ++i) {
      set_tags(duckdb_struct_vector_get_child(vector, i), type.child(i).type, array.children[i],
               places);
    }
  } else if (kind == Kind::FixedSizeList) {
    set_tags(duckdb_array_vector_get_child(vector), type.child().type, array.children[0],
             items_of_fixed(places, type.size(), array.offset));
  } else {
    const auto first_item = [&](int64_t index) { return first_item_of(array, kind, index); };
    set_tags(duckdb_list_vector_get_child(vector), type.child().type, array.children[0],
             items(vector, places, first_item));
  }
}

void refuse_own_values(duckdb_vector vector, const Type& type, Places places, const Path& path);

void refuse_long_intervals(duckdb_vector vector, const Places& places, const Path& path) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 1000;
  const auto* const values = static_cast<duckdb_interval*>(duckdb_vector_get_data(vector));
  const auto is_long = [&](const Place& place) {
    return values[place.at].micros > kMost || values[place.at].micros < -kMost;
  };
  const auto found = std::ranges::find_if(places, is_long);
  if (found == places.end()) return;
  throw Error(ErrorCode::Input,
              fmt::format("expected an interval with at most {} microseconds of time, found {}",
                          kMost, values[found->at].micros),
              {.row = static_cast<uint64_t>(found->row), .path = path},
              "The time of an interval is counted in nanoseconds: write it as days, which are "
              "counted apart, or as a number: epoch(value).");
}

void refuse_in_union(duckdb_vector vector, const Type& type, const Places& places,
                     const Path& path) {
  for (size_t i = 0; i < type.children().size(); ++i) {
    Places tagged;
    const auto has_tag = [&](const Place& place) { return tag_values(vector)[place.at] == i; };
    std::ranges::copy_if(places, std::back_inserter(tagged), has_tag);
    refuse_own_values(payloads_of(vector, i), type.child(i).type, std::move(tagged),
                      hub::children_of(type, path)[i].path);
  }
}

/// The same for values at some places.
void refuse_own_values(duckdb_vector vector, const Type& type, Places places, const Path& path) {
  if (places.empty() || !has_own_values(type)) return;
  const auto null = [&](const Place& place) { return is_null(vector, place.at); };
  const Kind kind = type.kind();
  if (hub::is_union(kind)) {
    if (const auto found = std::ranges::find_if(places, null); found != places.end()) {
      throw Error(ErrorCode::Input, "expected one of the alternatives of a variant, found NULL",
                  {.row = static_cast<uint64_t>(found->row), .path = path},
                  "A variant has no null: leave such rows out, give the UNION an alternative for "
                  "them, or wrap it in a STRUCT that may be NULL, {'value': u}.");
    }
    return refuse_in_union(vector, type, places, path);
  }
  std::erase_if(places, null);
  if (kind == Kind::IntervalMonthDayNano) {
    refuse_long_intervals(vector, places, path);
  } else if (kind == Kind::Struct) {
    for (size_t i = 0; i < type.children().size(); ++i) {
      refuse_own_values(duckdb_struct_vector_get_child(vector, i), type.child(i).type, places,
                        path.field(type.child(i).name));
    }
  } else if (kind == Kind::FixedSizeList) {
    refuse_own_values(duckdb_array_vector_get_child(vector), type.child().type,
                      items_of_fixed(places, type.size(), 0), path.item());
  } else if (kind == Kind::Map) {
    const duckdb_vector entries = duckdb_list_vector_get_child(vector);
    const Places pairs = items(vector, places, [](int64_t) { return int64_t{0}; });
    refuse_own_values(duckdb_struct_vector_get_child(entries, 0), type.key().type, pairs,
                      path.map_key());
    refuse_own_values(duckdb_struct_vector_get_child(entries, 1), type.value().type, pairs,
                      path.map_value());
  } else {
    refuse_own_values(duckdb_list_vector_get_child(vector), type.child().type,
                      items(vector, places, [](int64_t) { return int64_t{0}; }), path.item());
  }
}

}  // namespace

bool has_union(const Type& type) {
  return hub::is_union(type.kind()) ||
         std::ranges::any_of(type.children(),
                             [](const hub::Field& child) { return has_union(child.type); });
}

bool has_own_values(const Type& type) { return has_union(type) || has_interval(type); }

void set_tags(duckdb_vector vector, const Type& type, const Array& array, int64_t length) {
  set_tags(vector, type, array, first(length));
}

void refuse_own_values(duckdb_vector vector, const Type& type, int64_t length, const Path& path) {
  refuse_own_values(vector, type, first(length), path);
}

}  // namespace xwalk::duckdb
