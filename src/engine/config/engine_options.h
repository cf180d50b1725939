// What an engine is opened with. No LibTorch here: the layers above include this.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/config/model_traits.h"

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

}  // namespace vsr::engine
