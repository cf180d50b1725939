// vsr/multi.h: many tasks in one call, and what each of them answered.
#include "vsr/multi.h"

#include <deque>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "c_api/guard.h"
#include "c_api/handles.h"
#include "c_api/inputs.h"

using vsr::c_api::guard;
using vsr::c_api::guard_new;
using vsr::engine::MultiOptions;
using vsr::engine::MultiResult;
using vsr::engine::PassSummary;
using vsr::engine::TaskKind;
using vsr::engine::TaskOutcome;
using vsr::engine::TaskPath;

namespace {

struct Outcome {
  std::string task;
  std::string model;
  TaskKind kind;
  TaskPath path;
  vsr_error error = VSR_ERROR_INIT;
  vsr_result result;
};

struct Pass {
  PassSummary summary;
  std::vector<const char*> tasks;  // of `summary`
};

}  // namespace

// Elements are never moved: what is handed out points into them.
struct vsr_multi_result {
  std::deque<Outcome> outcomes;
  std::deque<Pass> passes;
};

namespace {

using vsr::base::fail;
using vsr::base::Status;

static_assert(static_cast<int32_t>(TaskPath::kAuto) == VSR_PATH_AUTO);
static_assert(static_cast<int32_t>(TaskPath::kStandard) == VSR_PATH_STANDARD);
static_assert(static_cast<int32_t>(TaskPath::kLora) == VSR_PATH_LORA);

int32_t number_of(TaskKind kind) {
  switch (kind) {
    case TaskKind::kEmbedding:
      return VSR_TASK_EMBEDDING;
    case TaskKind::kSequenceClassification:
      return VSR_TASK_SEQUENCE_CLASSIFICATION;
    case TaskKind::kTokenClassification:
      return VSR_TASK_TOKEN_CLASSIFICATION;
    case TaskKind::kGeneration:  // not one of the tasks that a text is classified by
      break;
  }
  return VSR_TASK_NONE;
}

std::vector<bool> read_wanted(const uint8_t* wanted, size_t n_texts, size_t n_tasks) {
  std::vector<bool> mask;
  if (wanted == nullptr) return mask;
  mask.reserve(n_texts * n_tasks);
  for (size_t i = 0; i < n_texts * n_tasks; ++i) {
    if (wanted[i] > 1) {
      fail(Status::kInvalidArgument, "wanted[", i, "] is ", static_cast<int>(wanted[i]), ", expected 0 or 1");
    }
    mask.push_back(wanted[i] == 1);
  }
  return mask;
}

void read_tasks(const char* const* tasks, size_t n_tasks, MultiOptions& multi) {
  vsr::c_api::check_array(tasks, n_tasks, "tasks", "n_tasks");
  multi.every_task = tasks == nullptr;
  for (size_t i = 0; i < n_tasks; ++i) {
    const std::string name = "tasks[" + std::to_string(i) + "]";
    multi.tasks.push_back(vsr::c_api::required_string(tasks[i], name.c_str()));
  }
}

void read_options(const vsr_multi_options* given, size_t n_texts, MultiOptions& multi) {
  const vsr_multi_options options = vsr::c_api::read_options(given, "vsr_multi_options");
  vsr::c_api::check_reserved(options.reserved, "vsr_multi_options.reserved");
  if (options.path < VSR_PATH_AUTO || options.path > VSR_PATH_LORA) {
    fail(Status::kInvalidArgument, "path is ", options.path, ", expected ", VSR_PATH_AUTO, " to ", VSR_PATH_LORA);
  }
  if (options.wanted != nullptr && multi.every_task) {
    fail(Status::kInvalidArgument, "wanted is given, and tasks is NULL, so that its columns have no names");
  }
  multi.path = static_cast<TaskPath>(options.path);
  multi.threshold = vsr::c_api::read_threshold(options.threshold);
  multi.wanted = read_wanted(options.wanted, n_texts, multi.tasks.size());
  multi.max_tokens = options.max_tokens;
  multi.progress = vsr::c_api::read_progress(options.progress, options.user_data);
  multi.limits = vsr::c_api::read_limits(options.deadline_ms, options.cancel);
}

// Callers see a message without its place.
void fail_as(const std::string& task, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const vsr::base::Error& e) {
    fail(e.status(), "task \"", task, "\": ", e.what());
  }
}

vsr_multi_result to_handle(MultiResult found) {
  vsr_multi_result handle;
  for (TaskOutcome& from : found.tasks) {
    Outcome& to = handle.outcomes.emplace_back();
    to.task = std::move(from.task);
    to.model = std::move(from.model);
    to.kind = from.kind;
    to.path = from.path;
    to.result.result = std::move(from.result);
    if (from.error) guard(&to.error, [&] { fail_as(to.task, from.error); });
  }
  for (PassSummary& from : found.passes) {
    Pass& to = handle.passes.emplace_back();
    to.summary = std::move(from);
    for (const std::string& task : to.summary.tasks) to.tasks.push_back(task.c_str());
  }
  return handle;
}

}  // namespace

vsr_status vsr_classify_all(const vsr_engine* engine, const vsr_str* texts, const vsr_str* pairs, size_t n_texts,
                            const char* const* tasks, size_t n_tasks, const vsr_multi_options* options,
                            vsr_multi_result** out_result, vsr_error* error) {
  return guard_new(out_result, "out_result", error, [&] {
    const auto inputs = vsr::c_api::read_pairs(texts, pairs, n_texts);
    MultiOptions multi;
    read_tasks(tasks, n_tasks, multi);
    read_options(options, n_texts, multi);
    return to_handle(vsr::c_api::engine_of(engine)->classify_all(inputs, multi));
  });
}

size_t vsr_multi_size(const vsr_multi_result* result) { return result == nullptr ? 0 : result->outcomes.size(); }

vsr_task_outcome vsr_multi_get(const vsr_multi_result* result, size_t index) {
  vsr_task_outcome outcome{};
  if (result == nullptr || index >= result->outcomes.size()) {
    outcome.status = VSR_ERR_INVALID_ARGUMENT;
    outcome.message = result == nullptr ? "result is NULL" : "index is beyond the tasks of the call";
    return outcome;
  }
  const Outcome& of_task = result->outcomes[index];
  outcome.task = of_task.task.c_str();
  outcome.model = of_task.model.c_str();
  outcome.status = of_task.error.code;
  outcome.kind = number_of(of_task.kind);
  outcome.path = static_cast<int32_t>(of_task.path);
  if (outcome.status == VSR_OK) {
    outcome.result = &of_task.result;
  } else {
    outcome.message = of_task.error.message;
  }
  return outcome;
}

size_t vsr_multi_pass_count(const vsr_multi_result* result) { return result == nullptr ? 0 : result->passes.size(); }

vsr_pass vsr_multi_pass(const vsr_multi_result* result, size_t index) {
  if (result == nullptr || index >= result->passes.size()) return {};
  const Pass& pass = result->passes[index];
  const PassSummary& summary = pass.summary;
  return {summary.model.c_str(), pass.tasks.data(),  pass.tasks.size(),    summary.blocks,
          summary.shared_blocks, summary.block_rows, summary.separate_rows};
}

void vsr_multi_free(vsr_multi_result* result) { vsr::c_api::free_handle(result); }
