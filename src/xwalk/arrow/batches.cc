#include "xwalk/arrow/batches.h"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/arrow/file.h"
#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/arrow/schema_generated.h"
#include "xwalk/base/endian.h"
#include "xwalk/base/error.h"
#include "xwalk/base/verified.h"

namespace xwalk::arrow {
namespace {

using hub::Kind;

constexpr uint32_t kContinuation = 0xFFFFFFFF;

[[noreturn]] void fail(const std::string& message, uint64_t byte) {
  throw Error(ErrorCode::Input, message, {.byte = byte});
}

/// Returns how many nodes a batch has for a type: one for each array.
size_t count_nodes(const hub::Type& type) {
  if (type.kind() == Kind::Dictionary) return 1;
  if (type.kind() == Kind::Map) {
    return 2 + count_nodes(type.key().type) + count_nodes(type.value().type);
  }
  size_t count = 1;
  for (const hub::Field& child : type.children()) count += count_nodes(child.type);
  return count;
}

/// Returns true if the node of an array counts its null elements.
bool has_null_count(Kind kind) {
  return kind != Kind::Dictionary && kind != Kind::RunEndEncoded && kind != Kind::SparseUnion &&
         kind != Kind::DenseUnion;
}

/// A message in its frame: its bytes, and where the body begins.
struct Framed {
  std::string_view message;
  uint64_t body = 0;
};

/// Takes a message out of its frame; nothing at the end of a stream.
std::optional<Framed> framed_at(std::string_view contents, uint64_t at) {
  const auto word = [&](uint64_t offset) {
    if (contents.size() - offset < 4) fail("expected a message, found the end", offset);
    return load_little_endian<uint32_t>(contents.data() + offset);
  };
  if (at == contents.size()) return std::nullopt;
  if (at > contents.size()) fail("expected a message within the file", contents.size());
  uint32_t size = word(at);
  uint64_t start = at + 4;
  if (size == kContinuation) {
    size = word(start);
    start += 4;
  }
  if (size == 0) return std::nullopt;
  if (size > contents.size() - start) {
    fail(fmt::format("expected a message of {} bytes, found the end", size), start);
  }
  return Framed{contents.substr(start, size), start + size};
}

/// Adds up what batches say.
class Sum {
 public:
  explicit Sum(const hub::Schema& schema) {
    facts_.pieces_are = "record batches";
    facts_.rows = 0;
    size_t node = 0;
    for (const hub::Field& field : schema.fields) {
      hub::ColumnFacts& column = facts_.columns.emplace_back();
      column.path = Path::column(field.name);
      if (has_null_count(field.type.kind())) column.nulls = 0;
      nodes_.push_back(node);
      node += count_nodes(field.type);
    }
  }

  /// Adds a message; returns the bytes of its body.
  uint64_t add(const Framed& framed, uint64_t byte) {
    const Verified<wire::Message> message(framed.message, "an Arrow IPC message", byte);
    const int64_t body = message->body_length();
    if (body < 0) fail(fmt::format("expected a body of a size from 0, found {}", body), byte);
    const wire::RecordBatch* batch = message->header_as_RecordBatch();
    if (batch == nullptr) return static_cast<uint64_t>(body);
    if (batch->length() < 0) fail("expected a number of rows from 0", byte);
    ++facts_.pieces;
    *facts_.rows += static_cast<uint64_t>(batch->length());
    facts_.compression.insert(batch->compression() == nullptr      ? "none"
                              : batch->compression()->codec() == 0 ? "lz4"
                                                                   : "zstd");
    const auto* nodes = batch->nodes();
    for (size_t i = 0; i < nodes_.size(); ++i) {
      std::optional<uint64_t>& nulls = facts_.columns[i].nulls;
      if (nodes == nullptr || nodes_[i] >= nodes->size()) {
        nulls.reset();
        continue;
      }
      const int64_t count = nodes->Get(static_cast<uint32_t>(nodes_[i]))->null_count();
      if (count < 0 || count > batch->length()) nulls.reset();
      if (nulls) *nulls += static_cast<uint64_t>(count);
    }
    return static_cast<uint64_t>(body);
  }

  hub::FileFacts facts() && { return std::move(facts_); }

 private:
  hub::FileFacts facts_;
  /// The node of each column.
  std::vector<size_t> nodes_;
};

hub::FileFacts file_facts(std::string_view file,
                          const std::function<void(uint64_t, uint64_t)>& need) {
  const IpcFooter found = find_ipc_footer(file);
  const Verified<wire::Footer> footer(found.bytes, "the footer of an Arrow IPC file", found.at);
  Sum sum(read_ipc_file_schema(file));
  if (footer->record_batches() == nullptr) return std::move(sum).facts();
  for (const wire::Block* block : *footer->record_batches()) {
    const auto at = static_cast<uint64_t>(block->offset());
    if (block->offset() < 0 || block->meta_data_length() < 0 || at > found.at ||
        static_cast<uint64_t>(block->meta_data_length()) > found.at - at) {
      fail(fmt::format("expected a batch before byte {}, found one at {}", found.at,
                       block->offset()),
           found.at);
    }
    need(at, static_cast<uint64_t>(block->meta_data_length()));
    if (const auto framed = framed_at(file.substr(0, found.at), at)) sum.add(*framed, at);
  }
  return std::move(sum).facts();
}

}  // namespace

hub::FileFacts facts_of(std::string_view contents,
                        const std::function<void(uint64_t offset, uint64_t size)>& need) {
  if (is_ipc_file(contents)) return file_facts(contents, need);
  need(0, contents.size());
  Sum sum(read_schema(contents));
  uint64_t at = 0;
  while (const auto framed = framed_at(contents, at)) {
    const uint64_t body = sum.add(*framed, at);
    if (body > contents.size() - framed->body) {
      fail(fmt::format("expected a body of {} bytes, found the end", body), framed->body);
    }
    at = framed->body + body;
  }
  return std::move(sum).facts();
}

}  // namespace xwalk::arrow
