#include "xwalk/python/engines.h"

#include <chrono>
#include <nanobind/stl/optional.h>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/io/engines/engine_host.h"
#include "xwalk/io/engines/host_abi.h"
#include "xwalk/io/plugins/engine_file.h"
#include "xwalk/python/capsules.h"
#include "xwalk/python/text.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

/// Throws what Python raised where no failure of an engine is expected.
[[noreturn]] void fail(const nb::python_error& raised) {
  if (raised.matches(PyExc_KeyboardInterrupt)) {
    PyErr_SetInterrupt();  // Python raises it again when it can
    throw Error(ErrorCode::Interrupted, "interrupted");
  }
  throw Error(ErrorCode::Internal, raised.what());
}

/// An object of `xwalk/_engines.py`, released with the lock held.
class Session {
 public:
  explicit Session(nb::object object) : object_(std::move(object)) {}
  ~Session() {
    const nb::gil_scoped_acquire held;
    object_.reset();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Calls with the lock held and the object.
  template <typename Call>
  auto with(const Call& call) const {
    const nb::gil_scoped_acquire held;
    try {
      return call(object_);
    } catch (const nb::python_error& raised) {
      fail(raised);
    }
  }

  io::EngineReport report() const {
    return with([](const nb::object& object) {
      io::EngineReport report;
      report.total_rows = nb::cast<std::optional<int64_t>>(object.attr("total_rows"));
      report.done_rows = nb::cast<std::optional<int64_t>>(object.attr("done_rows"));
      report.done_bytes = nb::cast<std::optional<uint64_t>>(object.attr("done_bytes"));
      const nb::object failure = object.attr("failure");
      if (!failure.is_none()) {
        report.error_code = nb::cast<std::string>(failure[0]);
        report.error = nb::cast<std::string>(failure[1]);
        report.error_hint = nb::cast<std::string>(failure[2]);
      }
      return report;
    });
  }

 private:
  nb::object object_;
};

class Reading final : public io::HostedRows {
 public:
  explicit Reading(nb::object object) : session_(std::move(object)) {}
  hub::StreamHandle take() override {
    return session_.with(
        [](const nb::object& object) { return take_stream(object.attr("take")()); });
  }
  io::EngineReport report() override { return session_.report(); }

 private:
  Session session_;
};

class Writing final : public io::HostedOutput {
 public:
  explicit Writing(nb::object object) : session_(std::move(object)) {}
  ~Writing() override {
    while (!ended()) {
    }
  }
  bool ended() override {
    // Asks a lock, which runs no line of Python: a signal's handler could raise in one.
    for (int i = 0; i < 20; ++i) {
      const bool runs = session_.with([](const nb::object& object) {
        return nb::cast<bool>(object.attr("running").attr("locked")());
      });
      if (!runs) return true;
      const nb::gil_scoped_acquire held;
      const nb::gil_scoped_release free;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
  void promise(int64_t rows) override {
    session_.with([&](const nb::object& object) { object.attr("promised_rows") = rows; });
  }
  io::EngineReport report() override { return session_.report(); }

 private:
  Session session_;
};

class Host final : public io::EngineHost {
 public:
  std::unique_ptr<io::HostedRows> read(std::string_view engine,
                                       const std::string& options) override {
    std::unique_ptr<Reading> reading = open_rows(engine, options);
    if (reading) io::throw_reported(reading->report());
    return reading;
  }

  /// The same. The report has the error of rows that cannot be opened.
  static std::unique_ptr<Reading> open_rows(std::string_view engine, const std::string& options) {
    const nb::gil_scoped_acquire held;
    nb::object session = open("read", engine, options);
    return session.is_none() ? nullptr : std::make_unique<Reading>(std::move(session));
  }

  std::unique_ptr<io::HostedOutput> write(std::string_view engine, const std::string& options,
                                          hub::StreamHandle* rows) override {
    const nb::gil_scoped_acquire held;
    nb::object session = open("write", engine, options);
    if (session.is_none()) return nullptr;
    try {
      session.attr("start")(stream_capsule(std::move(*rows)));
    } catch (const nb::python_error& raised) {
      fail(raised);
    }
    return std::make_unique<Writing>(std::move(session));
  }

 private:
  static nb::object open(const char* verb, std::string_view engine, const std::string& options) {
    try {
      return nb::module_::import_("xwalk._engines")
          .attr(verb)(nb::str(engine.data(), engine.size()), options);
    } catch (const nb::python_error& raised) {
      fail(raised);
    }
  }
};

/// Returns what an engine has reported as lines of its contract.
std::vector<std::string> status_lines(const io::EngineReport& report) {
  std::vector<nlohmann::json> reported;
  if (report.total_rows) reported.push_back({{"info", {{"rows", *report.total_rows}}}});
  if (report.done_rows) {
    reported.push_back(
        {{"done", {{"rows", *report.done_rows}, {"bytes", report.done_bytes.value_or(0)}}}});
  }
  if (report.error) {
    reported.push_back(
        {{"error",
          {{"code", report.error_code}, {"message", *report.error}, {"hint", report.error_hint}}}});
  }
  std::vector<std::string> lines;
  for (const nlohmann::json& one : reported) {
    lines.push_back(one.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  }
  return lines;
}

/// Rows, or an output, of an engine that works for another copy of xwalk.
template <typename Engine>
struct Lent {
  std::unique_ptr<Engine> engine;
  /// Why a call failed, if the engine has not reported it.
  std::optional<io::EngineReport> failure;

  io::EngineReport report() const {
    try {
      return failure ? *failure : engine->report();
    } catch (const Error& error) {
      return failed(error);
    }
  }
  static io::EngineReport failed(const Error& error) {
    io::EngineReport report;
    report.error = error.message();
    report.error_code = error.code() == ErrorCode::Interrupted ? "interrupted" : "internal";
    return report;
  }

  static void report_to(void* context, void (*take)(void*, const char*), void* to) {
    for (const std::string& line : status_lines(static_cast<Lent*>(context)->report())) {
      take(to, line.c_str());
    }
  }
  static void release(void* context) { delete static_cast<Lent*>(context); }
};

using LentRows = Lent<Reading>;
using LentOutput = Lent<io::HostedOutput>;

int lend_rows(const char* engine, const char* options, XwalkHostedRows* out) {
  auto lent = std::make_unique<LentRows>();
  hub::StreamHandle rows;
  try {
    lent->engine = Host::open_rows(engine, options);
    if (!lent->engine) return 0;
    if (!lent->engine->report().error) rows = lent->engine->take();
  } catch (const Error& error) {
    lent->failure = LentRows::failed(error);
  }
  *out = {rows.take(), lent.release(), LentRows::report_to, LentRows::release};
  return 1;
}

int output_ended(void* context) {
  auto* lent = static_cast<LentOutput*>(context);
  try {
    return lent->failure || lent->engine->ended() ? 1 : 0;
  } catch (const Error& error) {
    lent->failure = LentOutput::failed(error);
    return 1;
  }
}

void promise_rows(void* context, int64_t rows) {
  auto* lent = static_cast<LentOutput*>(context);
  try {
    if (!lent->failure) lent->engine->promise(rows);
  } catch (const Error& error) {
    lent->failure = LentOutput::failed(error);
  }
}

int lend_output(const char* engine, const char* options, ArrowArrayStream* rows,
                XwalkHostedOutput* out) {
  auto lent = std::make_unique<LentOutput>();
  hub::StreamHandle stream = hub::StreamHandle::adopt(rows);
  try {
    lent->engine = io::engine_host()->write(engine, options, &stream);
    if (!lent->engine) {
      *rows = stream.take();
      return 0;
    }
  } catch (const Error& error) {
    lent->failure = LentOutput::failed(error);
  }
  *out = {lent.release(), output_ended, promise_rows, LentOutput::report_to, LentOutput::release};
  return 1;
}

}  // namespace

void bind_engines(nb::module_& module) {
  static Host host;
  static XwalkHost lender = {XWALK_HOST_VERSION, lend_rows, lend_output};
  io::set_engine_host(&host);
  module.attr(XWALK_HOST_ATTRIBUTE) = nb::capsule(&lender, XWALK_HOST_CAPSULE);
  module.def(
      "engine_file", [](const std::string& name) { return io::find_engine_file(name); },
      nb::arg("name"));
}

}  // namespace xwalk::python
