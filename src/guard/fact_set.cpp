#include "guard/fact_set.h"

#include <utility>
#include <vector>

#include "base/error.h"
#include "base/utf8.h"
#include "guard/checks/fact_index.h"

namespace vsr::guard {

FactSet::FactSet() = default;
FactSet::~FactSet() = default;

std::shared_ptr<const FactSet> FactSet::make(std::span<const std::string_view> texts,
                                             std::shared_ptr<const inference::Inference> models, FactTasks tasks) {
  if (texts.size() > kMostFacts) {
    base::fail(base::Status::kLimit, "facts: ", texts.size(), " texts, expected at most ", size_t{kMostFacts});
  }
  size_t bytes = 0;
  for (const std::string_view text : texts) bytes += text.size();
  if (bytes > kMostBytes) {
    base::fail(base::Status::kLimit, "facts: ", bytes, " bytes, expected at most ", size_t{kMostBytes});
  }
  const auto check = [&](const std::string& task, inference::TaskUse use) {
    if (task.empty()) return;
    if (!models) base::fail(base::Status::kInvalidArgument, "facts: task \"", task, "\" is named without models");
    const std::string why = models->missing(task, use);
    if (!why.empty()) base::fail(base::Status::kNotFound, "facts: ", why);
  };
  check(tasks.nli, inference::TaskUse::kClassify);
  check(tasks.tokens, inference::TaskUse::kFindEntities);
  std::vector<std::string> copies;
  copies.reserve(texts.size());
  for (const std::string_view text : texts) copies.emplace_back(base::CleanText(text).view());
  const std::shared_ptr<FactSet> made(new FactSet);
  made->index_ = std::make_unique<const FactIndex>(std::move(copies));
  made->models_ = std::move(models);
  made->tasks_ = std::move(tasks);
  return made;
}

size_t FactSet::size() const { return index_->size(); }
std::string_view FactSet::text(size_t fact) const { return index_->text(fact); }

}  // namespace vsr::guard
