#include "xwalk/base/sha256.h"

#include <gtest/gtest.h>

namespace xwalk {
namespace {

std::string sum_of(std::string_view bytes, size_t run = 0) {
  Sha256 sum;
  while (run > 0 && bytes.size() > run) {
    sum.add(bytes.substr(0, run));
    bytes.remove_prefix(run);
  }
  sum.add(bytes);
  return sum.finish();
}

TEST(Sha256, IsThatOfTheStandard) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  for (const auto& [bytes, expected] : cases) EXPECT_EQ(sum_of(bytes), expected);
}

TEST(Sha256, IsTheSameInAnyRuns) {
  std::string bytes;
  for (int i = 0; i < 700; ++i) bytes += static_cast<char>(i * 7);
  for (size_t size = 0; size < 200; ++size) {
    const std::string_view some = std::string_view(bytes).substr(0, size * 3);
    const std::string whole = sum_of(some);
    for (const size_t run : {1, 55, 56, 63, 64, 65, 130}) EXPECT_EQ(sum_of(some, run), whole);
  }
}

}  // namespace
}  // namespace xwalk
