#include "xwalk/yson/node.h"

#include <string>

#include <gtest/gtest.h>

namespace xwalk::yson {
namespace {

TEST(Node, SetAnewItHasNothingOfTheValueBefore) {
  Node node = Node::string(std::string(100, 'x'));
  node.add_attribute("a", Node::int64(1));
  node.set_source_offset(7);
  node.set_string("text");
  EXPECT_EQ(node, Node::string("text"));
  EXPECT_EQ(node.source_offset(), 0u);
  node.set_int64(-1);
  EXPECT_EQ(node, Node::int64(-1));
  node.set_int64(2);
  EXPECT_EQ(node, Node::int64(2));
  node.set_uint64(2);
  EXPECT_EQ(node, Node::uint64(2));
  node.set_boolean(true);
  EXPECT_EQ(node, Node::boolean(true));
  node.set_real(0.5);
  EXPECT_EQ(node, Node::real(0.5));
  node = Node::list({Node::int64(1)});
  node.set_string("");
  EXPECT_EQ(node, Node::string(""));
  node.set_entity();
  EXPECT_EQ(node, Node());
  node.set_entity();
  EXPECT_EQ(node, Node());
}

// A string as long as the one before it takes another way.
TEST(Node, StringsOfAnyLengthAfterAnyOther) {
  const std::string text = "0123456789abcdefghijklmnopqrstuvwxyz";
  for (size_t before = 0; before < text.size(); ++before) {
    for (size_t after = 0; after < text.size(); ++after) {
      Node node = Node::string(std::string(before, '-'));
      node.add_attribute("a", Node::int64(1));
      node.set_string(std::string_view(text).substr(0, after));
      EXPECT_EQ(node, Node::string(text.substr(0, after)));
    }
  }
  Node node = Node::string("");
  node.set_string(std::string_view());
  EXPECT_EQ(node, Node::string(""));
  node.set_string("itself");
  node.set_string(node.as_string());
  EXPECT_EQ(node, Node::string("itself"));
}

}  // namespace
}  // namespace xwalk::yson
