#include "xwalk/duckdb/python_host.h"

#include <atomic>
#include <dlfcn.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "xwalk/hub/handle.h"
#include "xwalk/io/engines/engine_host.h"
#include "xwalk/io/engines/host_abi.h"

namespace xwalk::duckdb {
namespace {

/// Functions of the interpreter, which is not linked: most programs that load the extension have
/// none. All are in the stable interface of Python.
struct Interpreter {
  int (*is_initialized)();
  int (*lock)();
  void (*unlock)(int);
  void* (*modules)();
  void* (*item)(void* dictionary, const char* key);
  void* (*attribute)(void* object, const char* name);
  void* (*pointer)(void* capsule, const char* name);
  void (*release)(void* object);
  void (*clear_error)();

  /// Returns false if there is no interpreter in this process.
  bool find() {
    return find("Py_IsInitialized", &is_initialized) && find("PyGILState_Ensure", &lock) &&
           find("PyGILState_Release", &unlock) && find("PyImport_GetModuleDict", &modules) &&
           find("PyDict_GetItemString", &item) && find("PyObject_GetAttrString", &attribute) &&
           find("PyCapsule_GetPointer", &pointer) && find("Py_DecRef", &release) &&
           find("PyErr_Clear", &clear_error) && is_initialized() != 0;
  }

 private:
  template <typename Function>
  static bool find(const char* name, Function* function) {
    *function = reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
    return *function != nullptr;
  }
};

/// Returns what the module offers, or null if it is not imported. It lives as long as the process.
const XwalkHost* host_of_module() {
  Interpreter python{};
  if (!python.find()) return nullptr;
  const int state = python.lock();
  const void* found = nullptr;
  // Importing it here could wait for a lock of the thread that waits for the query.
  if (void* module = python.item(python.modules(), XWALK_HOST_MODULE)) {
    if (void* capsule = python.attribute(module, XWALK_HOST_ATTRIBUTE)) {
      found = python.pointer(capsule, XWALK_HOST_CAPSULE);
      python.release(capsule);
    }
    python.clear_error();
  }
  python.unlock(state);
  const auto* host = static_cast<const XwalkHost*>(found);
  return host != nullptr && host->version == XWALK_HOST_VERSION ? host : nullptr;
}

/// Returns what an engine of the other copy has reported: of `XwalkHostedRows` or
/// `XwalkHostedOutput`.
template <typename Lent>
io::EngineReport report_of(const Lent& lent) {
  io::EngineReport report;
  const auto take = [](void* to, const char* line) {
    io::take_status_line("python", line, static_cast<io::EngineReport*>(to));
  };
  lent.report(lent.context, take, &report);
  return report;
}

class BorrowedRows final : public io::HostedRows {
 public:
  explicit BorrowedRows(const XwalkHostedRows& rows)
      : rows_(rows), stream_(hub::StreamHandle::adopt(&rows_.rows)) {}
  ~BorrowedRows() override {
    stream_.reset();
    rows_.release(rows_.context);
  }
  BorrowedRows(const BorrowedRows&) = delete;
  BorrowedRows& operator=(const BorrowedRows&) = delete;

  hub::StreamHandle take() override { return std::move(stream_); }
  io::EngineReport report() override { return report_of(rows_); }

 private:
  XwalkHostedRows rows_;
  hub::StreamHandle stream_;
};

class BorrowedOutput final : public io::HostedOutput {
 public:
  explicit BorrowedOutput(const XwalkHostedOutput& output) : output_(output) {}
  ~BorrowedOutput() override { output_.release(output_.context); }
  BorrowedOutput(const BorrowedOutput&) = delete;
  BorrowedOutput& operator=(const BorrowedOutput&) = delete;

  bool ended() override { return output_.ended(output_.context) != 0; }
  void promise(int64_t rows) override { output_.promise(output_.context, rows); }
  io::EngineReport report() override { return report_of(output_); }

 private:
  XwalkHostedOutput output_;
};

class PythonHost final : public io::EngineHost {
 public:
  std::unique_ptr<io::HostedRows> read(std::string_view engine,
                                       const std::string& options) override {
    const XwalkHost* host = found();
    XwalkHostedRows rows{};
    if (host == nullptr || host->read(std::string(engine).c_str(), options.c_str(), &rows) == 0) {
      return nullptr;
    }
    auto borrowed = std::make_unique<BorrowedRows>(rows);
    io::throw_reported(borrowed->report());
    return borrowed;
  }
  std::unique_ptr<io::HostedOutput> write(std::string_view engine, const std::string& options,
                                          hub::StreamHandle* rows) override {
    const XwalkHost* host = found();
    XwalkHostedOutput output{};
    const std::string name(engine);
    if (host == nullptr || host->write(name.c_str(), options.c_str(), rows->get(), &output) == 0) {
      return nullptr;
    }
    auto borrowed = std::make_unique<BorrowedOutput>(output);
    io::throw_reported(borrowed->report());
    return borrowed;
  }

 private:
  const XwalkHost* found() {
    const XwalkHost* host = host_.load();
    if (host == nullptr) host_ = host = host_of_module();
    return host;
  }

  std::atomic<const XwalkHost*> host_ = nullptr;
};

}  // namespace

void find_engines_in_python() {
  static PythonHost host;
  io::set_engine_host(&host);
}

}  // namespace xwalk::duckdb
