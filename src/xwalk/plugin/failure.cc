#include "xwalk/plugin/failure.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <exception>
#include <new>
#include <string_view>

#include <arrow/util/io_util.h>
#include <parquet/exception.h>

#include "xwalk/plugin/memory.h"

namespace xwalk::plugin {
namespace {

/// A larger allocation per input byte cannot be from valid data: no codec expands a byte to more,
/// and no batch has as many.
constexpr uint64_t kBytesOfOne = uint64_t{1} << 15;
constexpr uint64_t kBytesOfBatch = uint64_t{4} << 30;

}  // namespace

int Failures::fail(int code, const char* word, std::string message) {
  text_ = std::move(message);
  if (host_.fail != nullptr) host_.fail(host_.context, word, text_.c_str());
  return code;
}

int Failures::fail(const arrow::Status& status) {
  if (status.IsOutOfMemory()) return out_of_memory(status.message());
  // What the system refused, such as another thread.
  if (status.IsUnknownError() || arrow::internal::ErrnoFromStatus(status) != 0) {
    return fail(EIO, "io", status.message());
  }
  if (status.IsNotImplemented()) return fail(ENOTSUP, "unsupported", status.message());
  // All bytes come from the host, which keeps its own failures. Other failures are the input when
  // reading, and a schema or value that the format refuses when writing.
  return direction_ == Direction::Reading ? fail(EINVAL, "input", status.message())
                                          : fail(EINVAL, "unsupported", status.message());
}

int Failures::out_of_memory(const std::string& message) {
  // "malloc of size 9187976971252924672 failed": a length that no memory holds is a damaged one.
  const size_t refused = over_limit(message);
  constexpr std::string_view kBefore = " of size ";
  constexpr std::string_view kRequested = "requested=";
  const bool is_limit = refused != std::string::npos;
  const std::string_view before = is_limit ? kRequested : kBefore;
  const size_t found = message.find(before);
  uint64_t size = 0;
  if (found != std::string::npos) {
    const char* begin = message.data() + found + before.size();
    const auto [end, failed] = std::from_chars(begin, message.data() + message.size(), size);
    if (failed == std::errc::result_out_of_range) size = UINT64_MAX;
  }
  const uint64_t most = std::max(input_bytes_ * kBytesOfOne, kBytesOfBatch);
  if (direction_ == Direction::Reading && size > most) {
    return fail(EINVAL, "input",
                "expected a length that the data has, found " + std::to_string(size) + " bytes");
  }
  if (!is_limit) return fail(ENOMEM, "io", "not enough memory: " + message);
  // The text before it names the batch, if known.
  return fail(
      ENOMEM, "memory",
      message.substr(0, refused) + "reading the data needs more memory than the limit allows");
}

int Failures::caught() noexcept {
  try {
    return fail_as_thrown();
  } catch (...) {
    // There was no memory even for the error message.
    text_.clear();
    if (host_.fail != nullptr) host_.fail(host_.context, "io", "not enough memory");
    return ENOMEM;
  }
}

int Failures::fail_as_thrown() {
  try {
    throw;
  } catch (const parquet::ParquetStatusException& error) {
    return fail(error.status());
  } catch (const std::bad_alloc&) {
    return fail(ENOMEM, "io", "not enough memory");
  } catch (const parquet::ParquetException& error) {
    // The message ends with the error that was caught.
    const std::string_view text = error.what();
    if (text.substr(0, text.find_last_not_of('\n') + 1).ends_with(std::bad_alloc().what())) {
      return fail(ENOMEM, "io", "not enough memory");
    }
    return direction_ == Direction::Reading ? fail(EINVAL, "input", error.what())
                                            : fail(EINVAL, "unsupported", error.what());
  } catch (const std::exception& error) {
    return fail(EINVAL, direction_ == Direction::Reading ? "input" : "internal", error.what());
  } catch (...) {
    return fail(EINVAL, "internal", "an exception of unknown type");
  }
}

}  // namespace xwalk::plugin
