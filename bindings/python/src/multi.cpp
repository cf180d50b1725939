// Many tasks in one call.
#include <memory>
#include <string>
#include <vector>

#include "options.h"
#include "result.h"
#include "text.h"

namespace vsr_python {
namespace {

using Handle = std::shared_ptr<vsr_multi_result>;

const char* name_of_path(int32_t path) { return path == VSR_PATH_LORA ? "lora" : "standard"; }

// Names of tasks as C takes them: None is NULL, for all of them.
class TaskNames {
 public:
  explicit TaskNames(py::handle tasks) : given_(!tasks.is_none()) {
    if (!given_) return;
    size_t i = 0;
    for (const py::handle task : py::iter(tasks)) {
      const std::string what = "tasks[" + std::to_string(i++) + "]";
      if (task.is_none()) throw py::type_error(what + " is None, expected str");
      names_.emplace_back(task, what.c_str());
    }
    for (const CString& name : names_) pointers_.push_back(name.get());
    if (pointers_.empty()) pointers_.push_back("");  // not NULL: no task at all
  }
  TaskNames(const TaskNames&) = delete;
  TaskNames& operator=(const TaskNames&) = delete;
  const char* const* data() const { return given_ ? pointers_.data() : nullptr; }
  size_t size() const { return names_.size(); }

 private:
  bool given_;
  std::vector<CString> names_;
  std::vector<const char*> pointers_;
};

// A failed task's (code, message); of the others a Result, or what entities() gives.
py::object value_of(const vsr_task_outcome& outcome, const Handle& owner, const PairBatch& batch) {
  if (outcome.status != VSR_OK) return py::make_tuple(outcome.status, decoded(outcome.message));
  if (outcome.kind == VSR_TASK_TOKEN_CLASSIFICATION) return entities_of(outcome.result, batch.first());
  return py::cast(Result(std::shared_ptr<const vsr_result>(owner, outcome.result)));
}

const char* name_of_kind(const vsr_task_outcome& outcome) {
  if (outcome.status != VSR_OK) return "error";
  switch (outcome.kind) {
    case VSR_TASK_EMBEDDING:
      return "embedding";
    case VSR_TASK_SEQUENCE_CLASSIFICATION:
      return "sequence_classification";
    case VSR_TASK_TOKEN_CLASSIFICATION:
      return "token_classification";
    default:
      throw StatusError(VSR_ERR_INTERNAL, "python: task kind " + std::to_string(outcome.kind) + " is not known");
  }
}

py::dict pass_of(const vsr_pass& pass) {
  py::list tasks;
  for (size_t i = 0; i < pass.task_count; ++i) tasks.append(decoded(pass.tasks[i]));
  py::dict report;
  report["model"] = decoded(pass.model);
  report["tasks"] = tasks;
  report["blocks"] = pass.block_count;
  report["shared_blocks"] = pass.shared_block_count;
  report["block_rows"] = pass.row_count;
  report["separate_rows"] = pass.separate_row_count;
  return report;
}

// ([(task, kind or "error", path, model, value)], [pass])
py::tuple classify_all(const Engine& engine, py::object texts, py::object tasks, const py::dict& given) {
  const auto handle = engine.hold();
  const PairBatch batch(texts);
  const TaskNames names(tasks);
  MultiOptions options(given);
  options.wanted.expect(batch.size() * names.size());
  vsr_multi_result* made = nullptr;
  options.progress.call([&](vsr_error* error) {
    return vsr_classify_all(handle.get(), batch.texts(), batch.pairs(), batch.size(), names.data(), names.size(),
                            options.get(), &made, error);
  });
  const Handle owner = owned(made, &vsr_multi_result_free);
  py::list outcomes;
  for (size_t i = 0; i < vsr_multi_result_outcome_count(made); ++i) {
    const vsr_task_outcome& outcome = *vsr_multi_result_outcome(made, i);
    outcomes.append(py::make_tuple(str_or_none(outcome.task), name_of_kind(outcome), name_of_path(outcome.path),
                                   str_or_none(outcome.model), value_of(outcome, owner, batch)));
  }
  py::list passes;
  for (size_t i = 0; i < vsr_multi_result_pass_count(made); ++i)
    passes.append(pass_of(*vsr_multi_result_pass(made, i)));
  return py::make_tuple(outcomes, passes);
}

}  // namespace

void register_multi(py::module_& m) {
  m.def("classify_all", &classify_all, py::arg("engine"), py::arg("texts"), py::arg("tasks"), py::arg("options"));
}

}  // namespace vsr_python
