#include "xwalk/iceberg/evolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/iceberg/json.h"

namespace xwalk::iceberg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Schema table() {
  return read_json(R"json({"format-version": 1, "last-column-id": 20, "schema":
    {"type":"struct","identifier-field-ids":[1],"fields":[
      {"id":1,"name":"id","required":true,"type":"int"},
      {"id":2,"name":"price","required":false,"type":"decimal(9, 2)"},
      {"id":3,"name":"at","required":false,"type":"date"},
      {"id":4,"name":"who","required":false,"type":{"type":"struct","fields":[
        {"id":5,"name":"a.b","required":false,"type":"string"}]}},
      {"id":6,"name":"m","required":false,"type":{"type":"map","key-id":7,"key":
        {"type":"struct","fields":[{"id":8,"name":"k","required":true,"type":"int"}]},
        "value-id":9,"value-required":false,"value":
        {"type":"struct","fields":[{"id":10,"name":"v","required":false,"type":"int"}]}}}]}})json");
}

std::vector<std::string> names(const std::vector<Field>& fields) {
  std::vector<std::string> out;
  for (const Field& field : fields) out.push_back(field.name);
  return out;
}

TEST(IcebergEvolution, NewFieldsGetIdsThatWereNeverGiven) {
  const Schema out = evolve(table(), {{"add", "who.tags=list<string>"},
                                      {"drop", "who.tags"},
                                      {"add", "note=struct<1: x: int, y: int>"}});
  const Field& note = out.fields.back();
  EXPECT_EQ(note.id, 23);
  EXPECT_EQ(note.type.children[0].id, 24);
  EXPECT_EQ(note.type.children[1].id, 25);
  EXPECT_EQ(out.fields[3].type.children.size(), 1U);
}

TEST(IcebergEvolution, ChangesKeepTheIds) {
  const Schema out = evolve(table(), {{"rename", "price=cost"},
                                      {"cast", "cost=decimal(20, 2)"},
                                      {"cast", "id=long"},
                                      {"cast", "m.value.v=long"},
                                      {"rename", "who.`a.b`=c"},
                                      {"reorder", "at,cost"},
                                      {"drop", "m"}});
  EXPECT_THAT(names(out.fields), ElementsAre("at", "cost", "id", "who"));
  EXPECT_EQ(out.fields[1].id, 2);
  EXPECT_EQ(out.fields[1].type.precision, 20);
  EXPECT_EQ(out.fields[2].type.kind, Kind::Long);
  EXPECT_EQ(out.fields[3].type.children[0].name, "c");
}

std::string refusal(const std::vector<Change>& changes, ErrorCode code = ErrorCode::Unsupported) {
  try {
    (void)evolve(table(), changes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.describe();
    return error.describe();
  }
  return "";
}

TEST(IcebergEvolution, WhatIcebergRefusesIsRefused) {
  // The specification has these promotions. The software that changes tables has not.
  for (const char* change : {"day=timestamp", "day=timestamp_ns"}) {
    EXPECT_THAT(refusal({{"add", "day=date"}, {"cast", change}}), HasSubstr("Java 1.12.0 refuses"));
  }
  EXPECT_THAT(refusal({{"cast", "id=string"}}), HasSubstr("int → string is not a promotion"));
  EXPECT_THAT(refusal({{"cast", "price=decimal(8, 2)"}}), HasSubstr("not a promotion"));
  EXPECT_THAT(refusal({{"not-null", "price"}}), HasSubstr("rows may hold nulls"));
  EXPECT_THAT(refusal({{"nullable", "id"}}), HasSubstr("identifier field to stay required"));
  EXPECT_THAT(refusal({{"drop", "id"}}), HasSubstr("identifier field"));
  EXPECT_THAT(refusal({{"drop", "m.key.k"}}), HasSubstr("the key of a map"));
  EXPECT_THAT(refusal({{"drop", "m.value"}}), HasSubstr("lists and maps keep"));
  EXPECT_THAT(refusal({{"rename", "m.value=w"}}), HasSubstr("this name is the format's"));
  EXPECT_THAT(refusal({{"add", "price.x=int"}}), HasSubstr("expected a struct to add to"));
  EXPECT_THAT(refusal({{"add", "at=int"}}), HasSubstr("a second field of this name"));
  EXPECT_THAT(refusal({{"primary-key", "price"}}), HasSubstr("not required"));
  EXPECT_THAT(refusal({{"drop", "prise"}}, ErrorCode::Usage), HasSubstr("Did you mean price?"));
  EXPECT_THAT(refusal({{"cast", "id"}}, ErrorCode::Usage), HasSubstr("--cast: expected PATH=TYPE"));
  EXPECT_THAT(refusal({{"clustering-key", "id"}}, ErrorCode::Usage), HasSubstr("Iceberg knows"));
}

TEST(IcebergEvolution, IdentifierFieldsAreGivenByName) {
  const Schema out = evolve(table(), {{"primary-key", ""}, {"drop", "id"}});
  EXPECT_TRUE(out.identifier_field_ids.empty());
  EXPECT_THAT(names(out.fields), ElementsAre("price", "at", "who", "m"));
}

}  // namespace
}  // namespace xwalk::iceberg
