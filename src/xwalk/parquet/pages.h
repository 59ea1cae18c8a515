#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/finding.h"
#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// Returns the leaves, by their place in the schema, whose every page of values holds indices of
/// dictionaries of at most `dictionary_bytes`: columns of text or bytes, not those in groups. They
/// are best read as indices. `file` is the whole file and `footer` its FileMetaData; only headers
/// of pages are read. Leaves with malformed bytes are not returned.
std::vector<int> dictionary_leaves(std::string_view file, std::string_view footer,
                                   const Schema& schema, const std::vector<int>& wanted,
                                   int64_t dictionary_bytes);

/// A column chunk: the number of its row group and its leaf.
struct ChunkAt {
  int group = 0;
  int leaf = 0;
};

/// Returns the chunks of text or bytes of the wanted leaves that have a page of `page_bytes` or
/// more, few values for their size, and only plain values and dictionary indices. Their values are
/// best read directly from their pages without a copy. Uses the same bytes as `dictionary_leaves`.
/// Chunks with malformed bytes are not returned.
std::vector<ChunkAt> large_chunks(std::string_view file, std::string_view footer,
                                  const Schema& schema, const std::vector<int>& wanted,
                                  int64_t page_bytes);

/// Holds the row groups of a file to the rows they say they have: without that, a column that is
/// shorter or longer than its neighbours would shift or end the rows of all.
class RowCounts {
 public:
  /// Checks the footer's counts: the rows of the file against those of its groups, unless it states
  /// none, and the values of the `wanted` leaves with the rows. `file` and `footer` as above;
  /// `name` is the file's, by which a footer may say where values are; `first_group` is the number
  /// of the footer's first group in messages. The file must outlive this. `need` is called for the
  /// chunks of each group before their pages are read, and for a group of more than `most_needed`
  /// bytes only for the headers of the pages: each is a request then. Throws Error (Input) with the
  /// column, and (Unsupported) for values that are in another file.
  using Need = std::function<void(std::span<const ByteRange>)>;
  static constexpr uint64_t kMostNeeded = uint64_t{8} << 20;
  RowCounts(std::string_view file, std::string_view name, std::string_view footer,
            const Schema& schema, const std::vector<int>& wanted, Need need,
            uint64_t first_group = 0, uint64_t most_needed = kMostNeeded);
  ~RowCounts();

  /// Returns true if one of the leaves is in a list: its first pages may not state their rows.
  bool any_repeated() const;
  /// Returns the rows of all groups.
  int64_t rows() const { return rows_; }
  size_t groups() const;
  /// Returns the uncompressed bytes of the wanted leaves, as the footer states them.
  uint64_t plain_bytes() const;
  /// Compares the headers of the pages of all groups that hold one of the first `rows` rows, each
  /// group once. Throws Error (Input) with the column and the row group.
  void check_until(int64_t rows);
  /// Returns which numbers of rows in the file are wrong and do no harm: that of the footer, those
  /// in the page headers of a column (`rows.miscounted`).
  hub::Findings findings() const;

 private:
  struct Leaf;
  struct Group;
  void check_pages(const Group& group, const Leaf& leaf, bool by_page);

  std::string_view file_;
  Need need_;
  std::vector<Leaf> leaves_;
  std::vector<Group> groups_;
  int64_t rows_ = 0;
  size_t next_group_ = 0;
  int64_t checked_rows_ = 0;
  uint64_t first_group_ = 0;
  uint64_t most_needed_;
  /// The rows that the footer says, if it differs.
  std::optional<int64_t> footer_rows_;
  /// By leaf, the first row group whose pages say other rows than there are.
  std::vector<std::optional<uint64_t>> miscounted_;
};

}  // namespace xwalk::parquet
