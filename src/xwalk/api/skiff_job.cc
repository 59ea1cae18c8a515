#include "xwalk/skiff_job.hpp"

#include <memory>

#include "xwalk/api/guard.h"
#include "xwalk/skiff/job.h"
#include "xwalk/skiff/schema.h"

namespace xwalk {

struct SkiffJob::State {
  State(const skiff::Schema& inputs, const skiff::Schema& outputs) : job(inputs, outputs) {}

  skiff::Job job;
};

SkiffJob::SkiffJob(std::string_view inputs, std::string_view outputs) {
  api::guard([&] {
    state_ = std::make_unique<State>(skiff::parse_schema(inputs), skiff::parse_schema(outputs));
  });
}

SkiffJob::~SkiffJob() = default;

bool SkiffJob::next(SkiffRow* row) {
  return api::guard([&] { return state_->job.next(row); });
}

bool SkiffJob::next_group() {
  return api::guard([&] { return state_->job.next_group(); });
}

bool SkiffJob::next_in_group(SkiffRow* row) {
  return api::guard([&] { return state_->job.next_in_group(row); });
}

void SkiffJob::write(size_t table, const YsonNode& columns) {
  api::guard([&] { state_->job.write(table, columns); });
}

void SkiffJob::finish() {
  api::guard([&] { state_->job.finish(); });
}

}  // namespace xwalk
