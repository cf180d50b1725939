// What goes into an engine's calls and what comes out. No LibTorch here: the layers above include this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "engine/load/model_traits.h"

namespace vsr::engine {

struct ModelOptions {
  std::string name;  // empty: the last part of `path`
  std::string path;
  std::string dtype = "auto";   // auto, float32, bfloat16, int8: core/linear/linear_type.h
  std::string device = "auto";  // auto, cpu, cuda, cuda:N: core/schedule/device.h
  ModelTraits traits;           // from a config file only
  friend bool operator==(const ModelOptions&, const ModelOptions&) = default;
};

// A PEFT adapter and the model it adapts.
struct AdapterOptions {
  std::string name;  // its name, and that of its task; empty: the last part of `path`
  std::string path;
  std::string model;  // the base's name; empty: the only model
  friend bool operator==(const AdapterOptions&, const AdapterOptions&) = default;
};

// Beyond either, calls are refused. 0: the default.
struct QueueLimits {
  size_t calls = 0;   // that wait or run
  size_t tokens = 0;  // that they wait for
  friend bool operator==(const QueueLimits&, const QueueLimits&) = default;
};

struct EngineOptions {
  std::string config_path;  // empty: none
  std::vector<ModelOptions> models;
  std::vector<AdapterOptions> adapters;
  int threads = 0;  // 0: one per core
  QueueLimits queue = {};
  friend bool operator==(const EngineOptions&, const EngineOptions&) = default;
};

// Called between batches with the texts done and of all; true asks to stop, which throws kCancelled.
using Progress = std::function<bool(size_t done, size_t total)>;

struct EmbedOptions {
  std::string task;   // empty: the only embedding task
  int64_t dim = 0;    // 0: all
  int64_t layer = 0;  // 0: all
  bool normalize = true;
  std::optional<std::string> prompt;       // a name from the checkpoint's prompts
  std::optional<std::string> instruction;  // free text instead
  size_t max_tokens = 0;                   // longer texts are kLimit; 0: windows
  Progress progress;
  base::CallLimits limits;
};

struct ClassifyOptions {
  std::string task;                // empty: the only task of the kind
  std::optional<float> threshold;  // entities only; unset: the task's, else 0.5
  size_t max_tokens = 0;
  Progress progress;
  base::CallLimits limits;
};

// A task that has both is answered by a model of its own or by an adapter of another.
enum class TaskPath { kAuto, kStandard, kLora };
enum class TaskKind { kEmbedding, kSequenceClassification, kTokenClassification, kGeneration };

struct MultiOptions {
  std::vector<std::string> tasks;
  bool every_task = false;          // all classification tasks in place of `tasks`
  TaskPath path = TaskPath::kAuto;  // of tasks that have both; auto: the adapter where its base runs anyway
  std::optional<float> threshold;   // of entities; unset: each task's, else 0.5
  std::vector<bool> wanted;         // [texts, tasks] row-major: which text each task reads; empty: all
  bool missing_alone = false;       // a task that does not exist fails alone, and not the call
  size_t max_tokens = 0;
  // Sequence classification gives the rows of all windows, one text after the other (`usage` says how many each has),
  // and the caller joins them.
  bool every_window = false;
  Progress progress;
  base::CallLimits limits;
};

struct TextPair {
  std::string_view text;
  std::optional<std::string_view> pair;
};

// How one text was read.
struct TextUsage {
  size_t tokens = 0;  // of the full encoding, special tokens once
  size_t windows = 0;
  size_t dropped = 0;
  size_t replaced_bytes = 0;
};

struct Entity {
  size_t text = 0;
  size_t start = 0;  // bytes in the caller's text
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
