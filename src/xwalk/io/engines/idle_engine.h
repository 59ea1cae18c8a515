#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/io/engines/engine_program.h"

namespace xwalk::io {

/// Returns the options by which a program describes a table and waits for an order to read it.
nlohmann::json describing(const std::string& path);

/// The program that answers questions about a table and reads it, so that its packages are loaded
/// once (see `waits` in the contract). It starts with the first question. Thread-safe.
class IdleEngine {
 public:
  IdleEngine(std::string_view engine, std::string_view package);
  /// Ends the program if no one took it.
  ~IdleEngine();
  IdleEngine(const IdleEngine&) = delete;
  IdleEngine& operator=(const IdleEngine&) = delete;

  /// Returns the answer of the program to a question, such as `describing`. Throws as
  /// EngineProgram.
  std::string ask(const std::string& options_json);
  /// Returns the program after an order to read rows. It is not kept. Throws as EngineProgram.
  std::unique_ptr<EngineProgram> read(const std::string& options_json);

 private:
  std::unique_ptr<EngineProgram> take();
  /// Returns a program with an order: this one, or a new one if it is null.
  std::unique_ptr<EngineProgram> ordered(std::unique_ptr<EngineProgram> program,
                                         const std::string& options_json) const;

  std::string engine_;
  std::string package_;
  std::mutex mutex_;
  std::unique_ptr<EngineProgram> program_;
  /// The process that the program belongs to.
  pid_t owner_;
};

}  // namespace xwalk::io
