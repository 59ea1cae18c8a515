#include "xwalk/io/engines/idle_engine.h"

#include <unistd.h>
#include <utility>

#include "xwalk/base/error.h"

namespace xwalk::io {

nlohmann::json describing(const std::string& path) {
  return {{"path", path},
          {"describe", true},
          {"waits", true},
          {"contract", kEngineContract},
          {"segments", true}};
}

IdleEngine::IdleEngine(std::string_view engine, std::string_view package)
    : engine_(engine), package_(package), owner_(::getpid()) {}

IdleEngine::~IdleEngine() {
  // A child that was forked has a copy, which is not its own to end.
  if (::getpid() != owner_) (void)program_.release();
  if (program_ == nullptr) return;
  try {
    program_->finish();
  } catch (const Error&) {
    // It has answered. Its end says nothing about the table.
  }
}

std::unique_ptr<EngineProgram> IdleEngine::take() {
  const std::lock_guard guard(mutex_);
  return ::getpid() == owner_ ? std::move(program_) : nullptr;
}

std::unique_ptr<EngineProgram> IdleEngine::ordered(std::unique_ptr<EngineProgram> program,
                                                   const std::string& options_json) const {
  if (program == nullptr) {
    return std::make_unique<EngineProgram>(engine_, package_, "read", options_json);
  }
  const std::string order = "{\"read\":" + options_json + "}\n";
  program->write(order.data(), order.size());
  return program;
}

std::unique_ptr<EngineProgram> IdleEngine::read(const std::string& options_json) {
  return ordered(take(), options_json);
}

std::string IdleEngine::ask(const std::string& options_json) {
  std::unique_ptr<EngineProgram> program = take();
  // Counted before the order: the answer may be there as soon as it is sent.
  const int answers = program == nullptr ? 0 : program->report().infos;
  program = ordered(std::move(program), options_json);
  std::string answer = program->await_info(answers + 1).schema;
  const std::lock_guard guard(mutex_);
  if (::getpid() == owner_) program_ = std::move(program);
  return answer;
}

}  // namespace xwalk::io
