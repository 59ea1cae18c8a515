#include "xwalk/hub/mapper_checks.h"

#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::hub {
namespace {

template <typename Function>
Error error_of(Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "expected an error";
  return {ErrorCode::Internal, ""};
}

TEST(MapperChecks, ErrorsNameTheSystemTheTypeAndThePath) {
  const Path path = Path::column("a").item();
  const Error type = error_of([&] { refuse_type("Lance", Field("a", Kind::Utf8View), path); });
  EXPECT_EQ(type.message(), "Lance has no type for string_view");
  EXPECT_EQ(type.code(), ErrorCode::Unsupported);
  EXPECT_EQ(type.place().path, path);

  EXPECT_NO_THROW(check_nesting(32, 32, path));
  const Error depth = error_of([&] { check_nesting(33, 32, path); });
  EXPECT_EQ(depth.message(), "expected at most 32 nested types, found more");
  EXPECT_EQ(depth.place().path, path);
}

TEST(MapperChecks, StaleAnnotationsAreShown) {
  const Finding finding = stale_annotation(Path::column("a"), "int65");
  EXPECT_EQ(finding.rule, "annotation.stale");
  EXPECT_EQ(finding.lost, "the annotation \"int65\" no longer fits the column and is ignored");
  EXPECT_EQ(finding.path, Path::column("a"));
}

}  // namespace
}  // namespace xwalk::hub
