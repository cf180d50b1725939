// The `vsr:` section of a config file: which models an engine loads and which tasks they answer.
//
//   vsr:
//     models:
//       minilm: {path: models/all-MiniLM-L6-v2}
//       guard: {path: models/guard, dtype: float32}  # languages, quality, matryoshka_dims: model_traits.h
//     adapters:
//       domain: {path: adapters/domain, model: minilm}
//     tasks:
//       jailbreak: {model: guard, unsafe_labels: [jailbreak]}
//       pii: {model: pii, threshold: 0.7}
//       topic: {adapter: domain, model: merged-domain, path: auto}
//
// Paths are relative to the file's folder. Sections of other names belong to routing and are left alone here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/calls/task_kind.h"
#include "engine/config/engine_options.h"
#include "engine/config/model_traits.h"

namespace vsr::engine {

struct ConfiguredTask {
  std::string name;
  std::string model;    // answers on the standard path; may be empty if there is an adapter
  std::string adapter;  // answers on the LoRA path; may be empty
  TaskPath path = TaskPath::kAuto;
  std::vector<std::string> unsafe_labels;  // windows are joined by the largest sum of these
  std::optional<float> threshold;
  std::string where;  // "file:line:column"
};

struct EngineConfig {
  std::vector<ModelOptions> models;
  std::vector<AdapterOptions> adapters;
  std::vector<std::string> model_places;  // "file:line:column" of each
  std::vector<std::string> adapter_places;
  std::vector<ConfiguredTask> tasks;
};

// Throws kNotFound, kIo, or kParse with file, line and column.
EngineConfig read_engine_config(const std::string& path);
// The same; a file without the section names no models.
EngineConfig read_engine_config_if_any(const std::string& path);

}  // namespace vsr::engine
