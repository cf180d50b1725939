// Engines of a tiny model with tiny adapters, and calls of many tasks.
#pragma once

#include <string>
#include <vector>

#include "handles.h"

namespace vsr::test {

using MultiHandle = std::unique_ptr<vsr_multi_result, Freer<vsr_multi_result, vsr_multi_result_free>>;

// The folder of a tiny adapter of "bert-embedding": "bert-last-layer", "bert-token", ...
inline std::string tiny_adapter(const std::string& name) { return source_path("tests/goldens/adapters/" + name); }

// Options of an adapter, with what they point to.
class OneAdapter {
 public:
  OneAdapter(std::string name, std::string path) : name_(std::move(name)), path_(std::move(path)) {
    options_.name = name_.c_str();
    options_.path = path_.c_str();
  }
  OneAdapter(const OneAdapter&) = delete;
  OneAdapter& operator=(const OneAdapter&) = delete;
  const vsr_adapter_options* get() const { return &options_; }

 private:
  std::string name_;
  std::string path_;
  vsr_adapter_options options_ = VSR_ADAPTER_OPTIONS_INIT;
};

inline vsr_status load_adapter(vsr_engine* engine, const std::string& name, const std::string& folder,
                               bool replace = false, vsr_error* error = nullptr) {
  const OneAdapter adapter(name, tiny_adapter(folder));
  return vsr_engine_load_adapter(engine, adapter.get(), replace ? 1 : 0, error);
}

// "bert-embedding" with the adapters "topic" (banking, travel, other), "names" (entities) and "near" (embeddings).
inline EngineHandle open_adapted() {
  EngineHandle engine = load(tiny("bert-embedding"));
  REQUIRE(load_adapter(engine.get(), "topic", "bert-last-layer") == VSR_OK);
  REQUIRE(load_adapter(engine.get(), "names", "bert-token") == VSR_OK);
  REQUIRE(load_adapter(engine.get(), "near", "bert-embedding") == VSR_OK);
  return engine;
}

inline MultiHandle classify_all(const vsr_engine* engine, const std::vector<vsr_str>& texts,
                                const std::vector<const char*>& tasks, const vsr_multi_options* options = nullptr) {
  vsr_error error = VSR_ERROR_INIT;
  vsr_multi_result* result = nullptr;
  const vsr_status status = vsr_classify_all(engine, texts.data(), nullptr, texts.size(), tasks.data(), tasks.size(),
                                             options, &result, &error);
  INFO(error.message);
  REQUIRE(status == VSR_OK);
  return MultiHandle(result);
}

}  // namespace vsr::test
