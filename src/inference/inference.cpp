#include "inference/inference.h"

#include "base/error.h"

namespace vsr::inference {

TaskAnswer Inference::classify_pairs(std::span<const QuestionPair>, const std::string& task,
                                     const base::CallLimits&) const {
  base::fail(base::Status::kNotFound, "task \"", task, "\" is not there: no model reads pairs of texts");
}

TaskAnswer Inference::entities_of_pairs(std::span<const QuestionPair>, const std::string& task,
                                        const base::CallLimits&) const {
  base::fail(base::Status::kNotFound, "task \"", task, "\" is not there: no model labels the tokens of pairs");
}

}  // namespace vsr::inference
