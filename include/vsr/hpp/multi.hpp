/* vsr::MultiResult: what many tasks answered in one call. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_MULTI_HPP
#define VSR_HPP_MULTI_HPP

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cancel.hpp"
#include "enums.hpp"
#include "result.hpp"

namespace vsr {

/** See vsr_multi_options. */
struct MultiOptions {
  Path path = Path::kAuto;
  float threshold = 0;         /**< entities only; 0: each task's own, else 0.5 */
  std::vector<uint8_t> wanted; /**< 0 or 1, [texts, tasks] row-major; empty: all */
  size_t max_tokens = 0;       /**< 0: no limit */
  Progress progress;
  int64_t deadline_ms = 0;        /**< from now; 0: never, below: at once */
  const Cancel* cancel = nullptr; /**< borrowed for the call */
};

/** What one task answered; its strings are borrowed from the MultiResult. */
class TaskOutcome {
 public:
  TaskOutcome(std::shared_ptr<const vsr_multi_result> owner, size_t index)
      : owner_(std::move(owner)), c_(vsr_multi_result_outcome(owner_.get(), index)) {
    if (c_ == nullptr) throw std::out_of_range("vsr::TaskOutcome: no such task");
  }

  std::string_view task() const { return detail::view(c_->task); }
  /** The name of the base model. */
  std::string_view model() const { return detail::view(c_->model); }
  TaskKind kind() const { return static_cast<TaskKind>(c_->kind); }
  /** The one taken. */
  Path path() const { return static_cast<Path>(c_->path); }
  bool ok() const { return c_->status == VSR_OK; }
  vsr_status status() const { return c_->status; }
  /** Why the task failed; empty if it did not. */
  std::string_view message() const { return detail::view(c_->message); }

  /** Throws the task's error if it failed. The result may outlive the MultiResult. */
  Result result() const {
    if (!ok()) throw Error(c_->status, std::string(message()));
    return Result(std::shared_ptr<const vsr_result>(owner_, c_->result));
  }

 private:
  std::shared_ptr<const vsr_multi_result> owner_;
  const vsr_task_outcome* c_;  // of `owner_`
};

/** See vsr_pass; borrowed from the MultiResult. */
struct Pass {
  std::string_view model;
  std::vector<std::string_view> tasks;
  int64_t blocks;
  int64_t shared_blocks;
  int64_t block_rows;
  int64_t separate_rows;
};

/** See vsr_multi_result. Immutable. */
class MultiResult {
 public:
  explicit MultiResult(vsr_multi_result* handle) : handle_(handle, vsr_multi_result_free) {}

  size_t size() const { return vsr_multi_result_outcome_count(handle_.get()); }
  /** In the order of the call; throws std::out_of_range. */
  TaskOutcome operator[](size_t i) const {
    if (i >= size()) throw std::out_of_range("vsr::MultiResult: no such task");
    return TaskOutcome(handle_, i);
  }
  /** By name; throws an Error of VSR_ERR_NOT_FOUND for what was not asked for. */
  TaskOutcome operator[](std::string_view task) const {
    for (size_t i = 0; i < size(); ++i) {
      if (task == detail::view(vsr_multi_result_outcome(handle_.get(), i)->task)) return TaskOutcome(handle_, i);
    }
    throw Error(VSR_ERR_NOT_FOUND, "task \"" + std::string(task) + "\" was not in the call");
  }

  /** One for each base model. */
  std::vector<Pass> passes() const {
    std::vector<Pass> passes;
    for (size_t i = 0; i < vsr_multi_result_pass_count(handle_.get()); ++i) {
      const vsr_pass& pass = *vsr_multi_result_pass(handle_.get(), i);
      Pass& to = passes.emplace_back();
      to.model = detail::view(pass.model);
      for (size_t t = 0; t < pass.task_count; ++t) to.tasks.push_back(detail::view(pass.tasks[t]));
      to.blocks = static_cast<int64_t>(pass.block_count);
      to.shared_blocks = static_cast<int64_t>(pass.shared_block_count);
      to.block_rows = static_cast<int64_t>(pass.row_count);
      to.separate_rows = static_cast<int64_t>(pass.separate_row_count);
    }
    return passes;
  }

  const vsr_multi_result* get() const { return handle_.get(); }

 private:
  std::shared_ptr<vsr_multi_result> handle_;
};

namespace detail {

inline vsr_multi_options to_c(const MultiOptions& options, ProgressCall& progress) {
  vsr_multi_options c = VSR_MULTI_OPTIONS_INIT;
  c.path = static_cast<int32_t>(options.path);
  c.threshold = options.threshold;
  c.wanted = options.wanted.empty() ? nullptr : options.wanted.data();
  c.max_tokens = options.max_tokens;
  c.progress = progress.callback();
  c.user_data = progress.user_data();
  c.deadline_ms = options.deadline_ms;
  c.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
  return c;
}

}  // namespace detail
}  // namespace vsr

#endif
