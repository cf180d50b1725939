// vsr/multi.h: many tasks in one call, and what each of them answered.
#include "vsr/multi.h"

#include <cstring>
#include <deque>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "c_api/inputs.h"
#include "c_api/views.h"

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
  vsr_error error = VSR_ERROR_INIT;
  vsr_result result;
  vsr_task_outcome view = vsr::c_api::sized<vsr_task_outcome>();  // of the above
};

struct Pass {
  PassSummary summary;
  std::vector<vsr_str> tasks;  // of `summary`
  vsr_pass view = vsr::c_api::sized<vsr_pass>();
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

std::vector<bool> read_wanted(const uint8_t* wanted, size_t text_count, size_t task_count) {
  std::vector<bool> mask;
  if (wanted == nullptr) return mask;
  mask.reserve(text_count * task_count);
  for (size_t i = 0; i < text_count * task_count; ++i) {
    if (wanted[i] > 1) {
      fail(Status::kInvalidArgument, "wanted[", i, "] is ", static_cast<int>(wanted[i]), ", expected 0 or 1");
    }
    mask.push_back(wanted[i] == 1);
  }
  return mask;
}

void read_tasks(const char* const* tasks, size_t task_count, MultiOptions& multi) {
  vsr::c_api::check_array(tasks, task_count, "tasks", "task_count");
  multi.every_task = tasks == nullptr;
  for (size_t i = 0; i < task_count; ++i) {
    const std::string name = "tasks[" + std::to_string(i) + "]";
    multi.tasks.push_back(vsr::c_api::required_string(tasks[i], name.c_str()));
  }
}

void read_options(const vsr_multi_options* given, size_t text_count, MultiOptions& multi) {
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
  multi.wanted = read_wanted(options.wanted, text_count, multi.tasks.size());
  multi.limits = vsr::c_api::read_limits(options);
}

// Callers see a message without its place.
void fail_as(const std::string& task, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const vsr::base::Error& e) {
    fail(e.status(), "task \"", task, "\": ", e.what());
  }
}

void fill(Outcome& to, TaskOutcome from) {
  to.task = std::move(from.task);
  to.model = std::move(from.model);
  to.result = vsr_result(std::move(from.result));
  if (from.error) guard(&to.error, [&] { fail_as(to.task, from.error); });
  vsr_task_outcome& view = to.view;
  view.task = vsr::c_api::view(to.task);
  view.model = vsr::c_api::view(to.model);
  view.status = to.error.code;
  view.kind = number_of(from.kind);
  view.path = static_cast<int32_t>(from.path);
  if (view.status == VSR_OK) {
    view.result = &to.result;
  } else {
    view.message = {to.error.message, std::strlen(to.error.message)};
  }
}

void fill(Pass& to, PassSummary from) {
  to.summary = std::move(from);
  for (const std::string& task : to.summary.tasks) to.tasks.push_back(vsr::c_api::view(task));
  vsr_pass& view = to.view;
  view.model = vsr::c_api::view(to.summary.model);
  view.tasks = to.tasks.data();
  view.task_count = to.tasks.size();
  view.block_count = static_cast<size_t>(to.summary.blocks);
  view.shared_block_count = static_cast<size_t>(to.summary.shared_blocks);
  view.row_count = static_cast<size_t>(to.summary.block_rows);
  view.separate_row_count = static_cast<size_t>(to.summary.separate_rows);
}

vsr_multi_result to_handle(MultiResult found) {
  vsr_multi_result handle;
  for (TaskOutcome& from : found.tasks) fill(handle.outcomes.emplace_back(), std::move(from));
  for (PassSummary& from : found.passes) fill(handle.passes.emplace_back(), std::move(from));
  return handle;
}

}  // namespace

vsr_status vsr_classify_all(const vsr_engine* engine, const vsr_str* texts, const vsr_str* pairs, size_t text_count,
                            const char* const* tasks, size_t task_count, const vsr_multi_options* options,
                            vsr_multi_result** out_result, vsr_error* error) {
  return guard_new(out_result, "out_result", error, [&] {
    const auto inputs = vsr::c_api::read_pairs(texts, pairs, text_count);
    MultiOptions multi;
    read_tasks(tasks, task_count, multi);
    read_options(options, text_count, multi);
    return to_handle(vsr::c_api::engine_of(engine)->classify_all(inputs, multi));
  });
}

size_t vsr_multi_result_outcome_count(const vsr_multi_result* result) {
  return result == nullptr ? 0 : result->outcomes.size();
}

const vsr_task_outcome* vsr_multi_result_outcome(const vsr_multi_result* result, size_t index) {
  if (result == nullptr || index >= result->outcomes.size()) return nullptr;
  return &result->outcomes[index].view;
}

size_t vsr_multi_result_pass_count(const vsr_multi_result* result) {
  return result == nullptr ? 0 : result->passes.size();
}

const vsr_pass* vsr_multi_result_pass(const vsr_multi_result* result, size_t index) {
  if (result == nullptr || index >= result->passes.size()) return nullptr;
  return &result->passes[index].view;
}

void vsr_multi_result_free(vsr_multi_result* result) { vsr::c_api::free_handle(result); }
