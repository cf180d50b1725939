// What is asked of a task of the models, and what it answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::inference {

// How windows are joined is no part of it: see TaskAnswer.
struct TaskQuestion {
  std::string task;
};

struct QuestionPair {
  std::string_view first, second;
};

// What somebody asks of a task.
enum class TaskUse : uint8_t { kEmbed, kClassify, kFindEntities };

struct ModelEntity {
  std::string label;
  size_t begin = 0;  // bytes in the text; of a pair in its second one
  size_t end = 0;
  double score = 0;
};

// What one task says of each of several texts. Classifications come window by window, so that whoever asks joins them
// by its own rule: an answer to one question is never that to another.
struct TaskAnswer {
  std::exception_ptr error = {};                        // a base::Error; then there is nothing else
  bool has_entities = false;                            // else scores
  std::vector<std::string> labels = {};                 // of the scores
  std::vector<float> scores = {};                       // [windows of all texts, labels]
  std::vector<size_t> windows = {};                     // of each text, 0 where it was not read; empty: one of each
  std::vector<std::string> unsafe_labels = {};          // those that the config names; empty: none
  std::vector<std::vector<ModelEntity>> entities = {};  // [texts]
};

}  // namespace vsr::inference
