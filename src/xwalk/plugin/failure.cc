#include "xwalk/plugin/failure.h"

#include <cerrno>
#include <exception>
#include <new>

#include <parquet/exception.h>

namespace xwalk::plugin {

int Failures::fail(int code, const char* word, std::string message) {
  text_ = std::move(message);
  if (host_.fail != nullptr) host_.fail(host_.context, word, text_.c_str());
  return code;
}

int Failures::fail(const arrow::Status& status) {
  if (status.IsOutOfMemory()) return fail(ENOMEM, "io", status.message());
  if (status.IsNotImplemented()) return fail(ENOTSUP, "unsupported", status.message());
  // All bytes come from the host, which keeps its own failures: what is left is the input when
  // reading, and a schema or value the format refuses when writing.
  return direction_ == Direction::Reading ? fail(EINVAL, "input", status.message())
                                          : fail(EINVAL, "unsupported", status.message());
}

int Failures::guard(const std::function<arrow::Status()>& step) {
  try {
    arrow::Status status = step();
    return status.ok() ? 0 : fail(status);
  } catch (const parquet::ParquetStatusException& error) {
    return fail(error.status());
  } catch (const std::bad_alloc&) {
    return fail(ENOMEM, "io", "out of memory");
  } catch (const parquet::ParquetException& error) {
    return direction_ == Direction::Reading ? fail(EINVAL, "input", error.what())
                                            : fail(EINVAL, "unsupported", error.what());
  } catch (const std::exception& error) {
    return fail(EINVAL, direction_ == Direction::Reading ? "input" : "internal", error.what());
  } catch (...) {
    return fail(EINVAL, "internal", "an exception of unknown type");
  }
}

}  // namespace xwalk::plugin
