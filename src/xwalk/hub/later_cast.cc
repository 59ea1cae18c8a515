#include "xwalk/hub/later_cast.h"

#include <memory>
#include <mutex>
#include <utility>

#include "xwalk/hub/cast_program.h"

namespace xwalk::hub {
namespace {

/// The kernel of a program, which must live as long as this, compiled when it first runs.
class LaterKernel final : public cast::Kernel {
 public:
  explicit LaterKernel(const CompiledCast::Program& program) : program_(program) {}

  Array run(const Array& in, const cast::Scope& scope) const override {
    std::call_once(once_, [&] {
      Findings known;
      kernel_ = kernel_of(program_, &known);
    });
    return cast::run(kernel_, in, scope);
  }

 private:
  const CompiledCast::Program& program_;
  mutable std::once_flag once_;
  mutable cast::KernelPtr kernel_;
};

}  // namespace

CompiledCast compile_later(const CompiledCast& like, const Schema& from, const Schema& to,
                           Renames renames, Findings findings) {
  auto program = std::make_shared<CompiledCast::Program>(from, to);
  program->options = like.options();
  program->options.renames = std::move(renames);
  program->findings = std::move(findings);
  if (!like.is_identity()) program->kernel = std::make_shared<LaterKernel>(*program);
  return CompiledCast(std::move(program));
}

}  // namespace xwalk::hub
