// What comes out of an engine's calls. No LibTorch here: the layers above include this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "engine/calls/task_kind.h"

namespace vsr::engine {

// How one text was read.
struct TextUsage {
  size_t tokens = 0;  // of the full encoding, special tokens once
  size_t windows = 0;
  size_t dropped = 0;
  size_t replaced_bytes = 0;
};

struct Entity {
  size_t text = 0;
  size_t begin = 0;  // bytes in the caller's text
  size_t end = 0;
  float score = 0;
  size_t label = 0;  // index into Result::labels
};

// One shape for all calls: a float32 matrix, the meaning of its columns, and how each text was read.
struct Result {
  std::vector<float> values;  // row-major [rows, cols]
  size_t rows = 0;
  size_t cols = 0;
  std::vector<std::string> labels;  // of columns; for entities the labels without BIO prefix; empty for embeddings
  std::vector<TextUsage> usage;     // one per text
  std::vector<Entity> entities;
};

// What one task of several answered. A text that it did not have to read has zero windows and a row of NaN.
struct TaskOutcome {
  std::string task;
  TaskKind kind = TaskKind::kEmbedding;
  TaskPath path = TaskPath::kStandard;          // the one taken
  std::string model;                            // whose pass it was, by name
  std::exception_ptr error;                     // a base::Error; then there is no result
  std::vector<std::string> unsafe_labels = {};  // that the config names, whose sum decides between windows
  Result result;
};

// One pass per base model.
struct PassSummary {
  std::string model;
  std::vector<std::string> tasks;
  int64_t blocks = 0;         // of the model
  int64_t shared_blocks = 0;  // the first of them, which ran once for all tasks
  int64_t block_rows = 0;     // tokens times blocks that were run
  int64_t separate_rows = 0;  // what one pass for each task would have run
};

struct MultiResult {
  std::vector<TaskOutcome> tasks;  // in the order of the options
  std::vector<PassSummary> passes;
};

}  // namespace vsr::engine
