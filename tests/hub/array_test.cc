#include "xwalk/hub/array.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/hub/values.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/builder.h"

namespace xwalk::hub {
namespace {

using testing::items;
using testing::null;

Array numbers() {
  ColumnBuilder builder(Field("a", Kind::Int64));
  for (int64_t i = 0; i < 20; ++i) {
    if (i == 7) {
      builder.append_null();
    } else {
      builder.append<int64_t>(i);
    }
  }
  return builder.finish();
}

TEST(Array, ReadsFromItsOffset) {
  const Array part = slice(numbers(), 5, 10);
  EXPECT_EQ(part.value<int64_t>(0), 5);
  EXPECT_TRUE(part.is_null(2));
  EXPECT_FALSE(part.is_null(3));
  EXPECT_EQ(count_nulls(part), 1);
  EXPECT_EQ(part.slot(3), 8);
}

TEST(Array, AccessorsOfEachLayout) {
  const Type type = struct_({Field("t", Kind::Utf8), Field("l", list(Field("item", Kind::Bool))),
                             Field("n", Kind::Null)});
  const Array rows =
      testing::build(type, {items({"ab", items({1, 0}), null()}), items({"", items({}), null()}),
                            items({"cde", items({1}), null()})});
  const Array& texts = rows.children[0];
  EXPECT_EQ(texts.text(0), "ab");
  EXPECT_EQ(texts.text(1), "");
  EXPECT_EQ(texts.text(2), "cde");
  const Array& lists = rows.children[1];
  EXPECT_EQ(lists.first_item(2), 2);
  EXPECT_EQ(lists.end_item(2), 3);
  EXPECT_TRUE(lists.children[0].bit(0));
  EXPECT_FALSE(lists.children[0].bit(1));
  EXPECT_TRUE(rows.children[2].is_null(1));
}

TEST(Array, ComesBackFromTheCInterface) {
  const Array array = numbers();
  const Array back = import_array(export_array(array), Kind::Int64);
  EXPECT_EQ(back.length, 20);
  EXPECT_EQ(back.buffers, array.buffers);
  EXPECT_TRUE(back.is_null(7));
}

TEST(ImportArray, RefusesAnotherShape) {
  EXPECT_THROW(import_array(export_array(numbers()), Kind::Utf8), Error);
  EXPECT_THROW(import_array(export_array(numbers()), list(Field("item", Kind::Int64))), Error);
  EXPECT_THROW(import_array(export_array(numbers()), dictionary(Kind::Int64, Kind::Utf8)), Error);
  ArrayHandle negative = export_array(numbers());
  negative->offset = -1;
  EXPECT_THROW(import_array(std::move(negative), Kind::Int64), Error);
}

/// Returns the error for an array of column `c`, and its place.
std::string refused(const Field& field, const std::function<void(ArrowArray*)>& damage) {
  const Type type = struct_({field});
  Array rows = null_array(type, 4);
  ArrayHandle handle = export_array(rows);
  damage(handle.get());
  try {
    import_array(std::move(handle), type);
  } catch (const Error& error) {
    return error.place().path.text() + ": " + std::string(error.message());
  }
  return "";
}

TEST(ImportArray, RefusesLengthsBeyondAllMemory) {
  for (const auto& [length, offset] : {std::pair{INT64_MAX, int64_t{1}}, {int64_t{1}, INT64_MAX}}) {
    ArrayHandle handle = export_array(numbers());
    handle->length = length;
    handle->offset = offset;
    EXPECT_THROW(import_array(std::move(handle), Kind::Int64), Error);
  }
}

TEST(ImportArray, TakesBuffersThatBeginAnywhere) {
  const Array array = numbers();
  std::string moved(1 + 20 * sizeof(int64_t) + 8, '\0');
  char* odd = moved.data() + (reinterpret_cast<uintptr_t>(moved.data()) % 2 == 0 ? 1 : 0);
  std::memcpy(odd, array.raw<char>(1), 20 * sizeof(int64_t));
  ArrayHandle handle = export_array(array);
  handle->buffers[1] = odd;
  const Array back = import_array(std::move(handle), Kind::Int64);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(back.buffers[1]) % alignof(int64_t), 0U);
  for (int64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(back.is_null(i), i == 7);
    EXPECT_EQ(back.values<int64_t>()[i], i == 7 ? 0 : i);
  }
}

TEST(ImportArray, RefusesUnionsThatPointNowhere) {
  const Field dense("c", union_({Field("x", Kind::Int8), Field("y", Kind::Utf8)}));
  const Field sparse("c", union_({Field("x", Kind::Int8)}, Kind::SparseUnion, {5}));
  static const int8_t codes[] = {0, 0, 2, 0};
  static const int32_t offsets[] = {0, 0, 7, 0};
  static const int32_t negative[] = {-1, 0, 0, 0};
  EXPECT_EQ(refused(dense, [](ArrowArray*) {}), "");
  EXPECT_EQ(refused(sparse, [](ArrowArray*) {}), "");
  auto code = [](ArrowArray* rows) { rows->children[0]->buffers[0] = codes; };
  EXPECT_EQ(refused(dense, code),
            "c: expected a type code of dense_union<x: int8=0, y: string=1>, found 2");
  EXPECT_EQ(refused(sparse, code), "c: expected a type code of sparse_union<x: int8=5>, found 0");
  EXPECT_EQ(refused(dense, [](ArrowArray* rows) { rows->children[0]->buffers[1] = offsets; }),
            "c: expected an offset below 1, found 7");
  EXPECT_EQ(refused(dense, [](ArrowArray* rows) { rows->children[0]->buffers[1] = negative; }),
            "c: expected an offset below 1, found -1");
}

TEST(ImportArray, RefusesRunsThatDoNotAscendOrEndTooEarly) {
  const Field field("c", run_end_encoded(Kind::Int32, Field("values", Kind::Int8)));
  const auto with = [&](const int32_t* ends, int64_t values) {
    return refused(field, [=](ArrowArray* rows) {
      ArrowArray* runs = rows->children[0];
      runs->children[0]->buffers[1] = ends;
      runs->children[0]->length = 2;
      runs->children[1]->length = values;
    });
  };
  static const int32_t good[] = {1, 4};
  static const int32_t falling[] = {3, 2};
  static const int32_t same[] = {3, 3};
  static const int32_t zero[] = {0, 4};
  static const int32_t negative[] = {-2, 4};
  static const int32_t early[] = {1, 3};
  EXPECT_EQ(with(good, 2), "");
  EXPECT_EQ(with(falling, 2), "c: expected a run that ends after 3, found one that ends at 2");
  EXPECT_EQ(with(same, 2), "c: expected a run that ends after 3, found one that ends at 3");
  EXPECT_EQ(with(zero, 2), "c: expected a run that ends after 0, found one that ends at 0");
  EXPECT_EQ(with(negative, 2), "c: expected a run that ends after 0, found one that ends at -2");
  EXPECT_EQ(with(early, 2), "c: expected runs up to 4, found the last one's end at 3");
  EXPECT_NE(with(good, 1), "");
}

TEST(ImportArray, RefusesChildrenThatEndTooEarly) {
  auto shorter = [](ArrowArray* rows) { rows->children[0]->children[0]->length = 3; };
  const Field item("item", Kind::Int8);
  EXPECT_EQ(refused(Field("c", struct_({item})), shorter), "c.item: expected 4 elements, found 3");
  EXPECT_EQ(refused(Field("c", fixed_size_list(item, 2)), shorter),
            "c[]: expected 8 elements, found 3");
  EXPECT_EQ(refused(Field("c", Kind::Int8), [](ArrowArray* rows) { ++rows->offset; }),
            "c: expected 5 elements, found 4");
}

TEST(ImportArray, RefusesOffsetsThatFallOrPassTheItems) {
  static const int32_t falling[] = {0, 3, 2, 3, 3};
  static const int32_t negative[] = {-1, 0, 0, 0, 0};
  static const int32_t wrapping[] = {0, INT32_MAX, INT32_MIN, 0, 0};
  static const int32_t long_by_one[] = {0, 1, 2, 3, 5};
  static const int64_t large[] = {0, 1, 2, int64_t{1} << 40, int64_t{1} << 33};
  const Field item("item", Kind::Int8);
  const auto with = [](const Field& field, const void* offsets) {
    return refused(field, [offsets](ArrowArray* rows) {
      rows->children[0]->buffers[1] = offsets;
      if (rows->children[0]->n_children > 0) rows->children[0]->children[0]->length = 4;
    });
  };
  for (const Field& field : {Field("c", Kind::Utf8), Field("c", Kind::Binary),
                             Field("c", list(item)), Field("c", map(item, item))}) {
    EXPECT_EQ(with(field, falling), "c: expected an offset from 3, found 2");
    EXPECT_EQ(with(field, negative), "c: expected an offset from 0, found -1");
    EXPECT_EQ(with(field, wrapping), "c: expected an offset from 2147483647, found -2147483648");
  }
  EXPECT_EQ(with(Field("c", Kind::Utf8), long_by_one), "");
  EXPECT_EQ(with(Field("c", list(item)), long_by_one), "c: expected offsets up to 4, found 5");
  for (const Field& field :
       {Field("c", Kind::LargeUtf8), Field("c", list(item, Kind::LargeList))}) {
    EXPECT_EQ(with(field, large), "c: expected an offset from 1099511627776, found 8589934592");
  }
  static const int32_t sizes[] = {0, 0, 2, 0};
  static const int32_t starts[] = {0, 0, 3, 0};
  EXPECT_EQ(refused(Field("c", list(item, Kind::ListView)),
                    [](ArrowArray* rows) {
                      rows->children[0]->buffers[1] = starts;
                      rows->children[0]->buffers[2] = sizes;
                      rows->children[0]->children[0]->length = 4;
                    }),
            "c: expected items within 4, found 2 from 3 on");
}

TEST(ImportArray, RefusesIndicesAndViewsThatPointNowhere) {
  static const int8_t indices[] = {0, 0, -1, 0};
  const Field coded("c", dictionary(Kind::Int8, Kind::Utf8));
  const auto point = [](ArrowArray* rows) {
    rows->children[0]->buffers[1] = indices;
    rows->children[0]->dictionary->length = 0;
  };
  const auto hide = [](ArrowArray* rows) {
    rows->children[0]->buffers[0] = nullptr;
    rows->children[0]->null_count = 0;
    rows->children[0]->buffers[1] = indices;
  };
  EXPECT_EQ(refused(coded, [](ArrowArray*) {}), "");
  EXPECT_EQ(refused(coded, point), "");
  EXPECT_EQ(refused(coded, hide), "c: expected a dictionary index below 0, found 0");

  struct View {
    int32_t size, prefix, buffer, offset;
  };
  static const View views[] = {{3, 0, 9, 9}, {13, 0, 0, 2}, {13, 0, 0, 3}, {-1, 0, 0, 0}};
  static const int64_t sizes[] = {15};
  static const char bytes[16] = {};
  static const uint8_t first_two[] = {0b0011};
  static const uint8_t without_third[] = {0b1011};
  const auto with = [](const uint8_t* bits) {
    return [bits](ArrowArray* rows) {
      static const void* buffers[4];
      buffers[0] = bits;
      buffers[1] = views;
      buffers[2] = bytes;
      buffers[3] = sizes;
      rows->children[0]->buffers = buffers;
      rows->children[0]->n_buffers = 4;
      if (bits == nullptr) rows->children[0]->null_count = 0;
    };
  };
  const Field text("c", Kind::Utf8View);
  EXPECT_EQ(refused(text, with(first_two)), "");
  EXPECT_EQ(refused(text, with(nullptr)),
            "c: expected a text within its buffers, found 13 bytes from 3 on of buffer 0");
  EXPECT_EQ(refused(text, with(without_third)),
            "c: expected a text within its buffers, found -1 bytes from 0 on of buffer 0");
}

TEST(ImportArray, RefusesBuffersThatAreMissing) {
  const std::vector<Type> types = {Kind::Bool,
                                   Kind::Int8,
                                   Kind::Int64,
                                   decimal(128, 9, 2),
                                   fixed_size_binary(3),
                                   Kind::Utf8,
                                   Kind::LargeUtf8,
                                   Kind::Utf8View,
                                   Kind::BinaryView,
                                   list(Field("item", Kind::Int8)),
                                   dictionary(Kind::Int8, Kind::Utf8)};
  for (const Type& type : types) {
    const Field field("c", type);
    EXPECT_EQ(refused(field, [](ArrowArray*) {}), "");
    EXPECT_EQ(refused(field, [](ArrowArray* rows) { rows->children[0]->buffers[1] = nullptr; }),
              "c: expected buffer 1 of an array of " + to_string(type) + ", found none");
    EXPECT_EQ(refused(field, [](ArrowArray* rows) { rows->children[0]->buffers[0] = nullptr; }),
              "c: expected the bits of 4 nulls, found none");
    EXPECT_NE(refused(field, [](ArrowArray* rows) { rows->children[0]->buffers = nullptr; }), "");
  }
  static const int32_t offsets[] = {0, 1, 2, 3, 4};
  const auto bytes = [](ArrowArray* rows) {
    rows->children[0]->buffers[1] = offsets;
    rows->children[0]->buffers[2] = nullptr;
  };
  EXPECT_EQ(refused(Field("c", Kind::Utf8), bytes),
            "c: expected buffer 2 of an array of string, found none");
  const Field either("c", union_({Field("x", Kind::Int8)}, Kind::SparseUnion, {5}));
  EXPECT_EQ(refused(either, [](ArrowArray* rows) { rows->children[0]->buffers[0] = nullptr; }),
            "c: expected buffer 0 of an array of sparse_union<x: int8=5>, found none");
}

TEST(ImportArray, RefusesChildrenThatAreMissing) {
  const Field lists("c", list(Field("item", Kind::Int8)));
  const Field coded("c", dictionary(Kind::Int8, Kind::Utf8));
  EXPECT_NE(refused(lists, [](ArrowArray* rows) { rows->children[0]->children = nullptr; }), "");
  const auto released = [](ArrowArray* rows) {
    ArrowArray* child = rows->children[0]->children[0];
    child->release(child);
  };
  EXPECT_NE(refused(lists, released), "");
  EXPECT_NE(refused(coded, [](ArrowArray* rows) { rows->children[0]->dictionary = nullptr; }), "");
}

TEST(ImportArray, RefusesKeysOfMapsThatAreNull) {
  const Type type = map(Field("key", Kind::Int8), Field("value", Kind::Int8));
  const Array maps = testing::build(type, {items({items({1, 2}), items({3, 4})}), items({})});
  static const uint8_t second_is_null[] = {0b0001};
  const auto hide_key = [&](int64_t length) {
    ArrayHandle handle = export_array(maps);
    handle->length = length;
    ArrowArray* key = handle->children[0]->children[0];
    key->buffers[0] = second_is_null;
    key->null_count = 1;
    return import_array(std::move(handle), type);
  };
  EXPECT_THROW(hide_key(2), Error);
  // No map has the null.
  EXPECT_NO_THROW(hide_key(0));
}

TEST(ImportArray, AnIndexIsNoNullWhereThereAreNone) {
  const Type type = dictionary(Kind::Int16, Kind::Int32);
  const Array array = testing::build(type, {1, null(), 3});
  const int16_t beyond[] = {0, 99, 0};
  for (const int64_t nulls : {1, -1, 0}) {
    ArrayHandle handle = export_array(array);
    handle->null_count = nulls;
    handle->buffers[1] = beyond;
    if (nulls != 0) {
      EXPECT_NO_THROW(import_array(std::move(handle), type));
    } else {
      EXPECT_THROW(import_array(std::move(handle), type), Error);
    }
  }
}

TEST(ImportArray, NullsAreThoseOfTheBits) {
  // A count without bits, as a producer may leave it, stands for no nulls.
  ArrayHandle handle = export_array(slice(numbers(), 0, 3));
  handle->buffers[0] = nullptr;
  handle->null_count = -1;
  EXPECT_EQ(import_array(std::move(handle), Kind::Int64).null_count, 0);
  const Type either = union_({Field("x", Kind::Int8)});
  ArrayHandle one = export_array(null_array(either, 4));
  one->null_count = -1;
  EXPECT_FALSE(import_array(std::move(one), either).is_null(0));
}

}  // namespace
}  // namespace xwalk::hub
