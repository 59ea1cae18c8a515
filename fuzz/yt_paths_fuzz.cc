// Paths to tables with the syntax around them: columns, ranges, attributes, clusters. Made of valid
// tokens and damaged by the input. A parsed path is printed and parsed back the same. Other texts
// are refused as user errors.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "fuzz/harness.h"
#include "xwalk/base/error.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/rich_path.h"

namespace xwalk::fuzz {
namespace {

using yson::Node;
using yt::RichPath;

constexpr std::array<std::string_view, 36> kAttributes = {
    "columns=[a;b]",
    "columns=[]",
    "columns=a",
    "columns=[1]",
    "ranges=[{lower_limit={row_index=1};upper_limit={row_index=10u}}]",
    "ranges=[{exact={key=[a;1]}}]",
    "ranges=[{lower_limit={key_bound=[\">=\";[a]]}}]",
    "ranges=[{lower_limit={tablet_index=1;chunk_index=2;offset=3}}]",
    "ranges=[]",
    "ranges=1",
    "ranges=[1]",
    "ranges=[{limit={}}]",
    "lower_limit={row_index=1}",
    "lower_limit={row_index=-1}",
    "lower_limit={key=1}",
    "lower_limit={unknown=1}",
    "lower_limit=7",
    "upper_limit={key=[]}",
    "exact={row_index=5u}",
    "append=%true",
    "append=\"false\"",
    "append=true",
    "append=1",
    "cluster=hume",
    "cluster=\"other.yt:80\"",
    "cluster=1",
    "cluster=\"a b\"",
    "optimize_for=scan",
    "compression_codec=zstd_5",
    "erasure_codec=1",
    "primary_medium=ssd",
    "rename_columns={a=b}",
    "schema=[]",
    "transaction_id=\"1-2-3-4\"",
    "unknown={a=\"<>\\\"\"}",
    "\"a>\"=<x=1>#",
};
constexpr std::array<std::string_view, 8> kClusters = {
    "", "", "", "yt://hume", "yt://localhost:8000", "yt://", "yt://a b", "other://x"};
constexpr std::array<std::string_view, 10> kPaths = {
    "//home/t", "//a",   R"(//home/odd\[name\{)", "//home//t", "//", "/home/t",
    "//t/",     "//t\\", "//home/x@y&",           "//имя"};
constexpr std::array<std::string_view, 14> kSuffix = {
    "",
    "{a,b}",
    "[#10:#20]",
    "{}",
    "{\"a b\", c}",
    R"({"a\"}"})",
    "[(a,1):(b)]",
    R"(["]":"x"])",
    "{a:b}",
    "{a b}",
    "{a",
    "[#1",
    "{\"a",
    "x",
};

std::string attributes(Choices* choices) {
  std::string out;
  const size_t count = choices->below(4);
  if (count == 0) return out;
  for (size_t i = 0; i < count; ++i) {
    out += kAttributes[choices->below(kAttributes.size())];
    out += ';';
  }
  return "<" + out + ">" + (choices->below(4) == 0 ? " " : "");
}

std::string some_path(Choices* choices) {
  std::string out = attributes(choices);
  const std::string_view cluster = kClusters[choices->below(kClusters.size())];
  out += cluster;
  if (!cluster.empty()) out += attributes(choices);
  out += kPaths[choices->below(kPaths.size())];
  for (size_t count = choices->below(4); count > 0; --count) {
    out += kSuffix[choices->below(kSuffix.size())];
  }
  for (size_t count = choices->below(3); count > 0 && !out.empty(); --count) {
    const size_t at = choices->byte() % out.size();
    const size_t size = std::min<size_t>(choices->below(8), out.size() - at);
    out.replace(at, size, choices->text());
  }
  return out;
}

/// Writes all of it in one way.
std::string put_together(const RichPath& path) {
  Node entity;
  if (path.columns) {
    Node columns = Node::list();
    for (const std::string& column : *path.columns) columns.add(Node::string(column));
    entity.add_attribute("columns", std::move(columns));
  }
  if (!path.limits.empty()) {
    const Node limits = yson::parse(path.limits + "#");
    entity.add_attribute("ranges", *limits.find_attribute("ranges"));
  }
  if (path.append) entity.add_attribute("append", Node::boolean(*path.append));
  if (!path.cluster.empty()) entity.add_attribute("cluster", Node::string(path.cluster));
  for (const auto& [name, value] : path.storage) entity.add_attribute(name, value);
  std::string out = yson::print(entity);
  out.pop_back();
  return out + path.path + path.ranges;
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  const std::string text =
      choices.below(8) == 7 ? std::string(choices.rest()) : some_path(&choices);
  const bool is_path = yt::is_rich_path(text);
  RichPath path;
  try {
    path = yt::parse_rich_path(text);
  } catch (const Error& error) {
    return require(error.code() == ErrorCode::Usage && !error.message().empty(),
                   "a refusal is the user's", error.describe());
  }
  require(is_path && path.path.starts_with("//"), "a path is one", text);
  const std::string whole = put_together(path);
  const RichPath again = yt::parse_rich_path(whole);
  require(again.cluster == path.cluster && again.path == path.path &&
              again.columns == path.columns && again.ranges == path.ranges &&
              again.limits == path.limits && again.append == path.append &&
              again.storage == path.storage,
          "it is taken apart as it was", whole);
  const RichPath rows = yt::parse_rich_path(path.with_ranges());
  require(rows.path == path.path && rows.ranges == path.ranges && rows.limits == path.limits,
          "a path with its ranges", path.with_ranges());
}

}  // namespace xwalk::fuzz
