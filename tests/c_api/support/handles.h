// What the tests of the C interface share: handles that free themselves, texts, the tiny models.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/data.h"
#include "vsr/vsr.h"

// Found by lookup in the namespace of vsr_str, for comparisons as in CHECK(vsr_result_label(result, 0) == "banking").
inline bool operator==(vsr_str a, std::string_view b) {
  return a.data != nullptr && std::string_view(a.data, a.size) == b;
}

namespace vsr::test {

inline std::string text_of(vsr_str text) {
  return text.data == nullptr ? std::string() : std::string(text.data, text.size);
}

template <class T, void (*Free)(T*)>
struct Freer {
  void operator()(T* handle) const { Free(handle); }
};
using EngineHandle = std::unique_ptr<vsr_engine, Freer<vsr_engine, vsr_engine_free>>;
using ResultHandle = std::unique_ptr<vsr_result, Freer<vsr_result, vsr_result_free>>;
using TokenizerHandle = std::unique_ptr<vsr_tokenizer, Freer<vsr_tokenizer, vsr_tokenizer_free>>;
using EncodingHandle = std::unique_ptr<vsr_encoding, Freer<vsr_encoding, vsr_encoding_free>>;
using StringHandle = std::unique_ptr<vsr_string, Freer<vsr_string, vsr_string_free>>;
using IntentsHandle = std::unique_ptr<vsr_intents, Freer<vsr_intents, vsr_intents_free>>;
using MatchesHandle = std::unique_ptr<vsr_matches, Freer<vsr_matches, vsr_matches_free>>;

inline vsr_str str(std::string_view text) { return {text.data(), text.size()}; }

// The folder of a tiny seeded model: "bert-embedding", "bert-sequence", ...
inline std::string tiny(const std::string& name) { return source_path("tests/goldens/models/" + name); }

inline EngineHandle load(const std::string& path) {
  vsr_error error = VSR_ERROR_INIT;
  vsr_engine* model = nullptr;
  const vsr_status status = vsr_engine_open_model(path.c_str(), nullptr, &model, &error);
  INFO(error.message);
  REQUIRE(status == VSR_OK);
  return EngineHandle(model);
}

// Of several calls only reading needs an engine: one of each kind, loaded once.
inline const vsr_engine* embedder() {
  static const EngineHandle& engine = *new EngineHandle(load(tiny("bert-embedding")));  // exit() frees no engines
  return engine.get();
}
inline const vsr_engine* classifier() {
  static const EngineHandle& engine = *new EngineHandle(load(tiny("bert-sequence")));  // exit() frees no engines
  return engine.get();
}
inline const vsr_engine* tagger() {
  static const EngineHandle& engine = *new EngineHandle(load(tiny("bert-token")));  // exit() frees no engines
  return engine.get();
}

// Options of an engine of one model, with what they point to.
class OneModel {
 public:
  explicit OneModel(std::string path) : path_(std::move(path)) {
    model_.path = path_.c_str();
    options_.models = &pointer_;
    options_.model_count = 1;
  }
  OneModel(const OneModel&) = delete;
  OneModel& operator=(const OneModel&) = delete;
  const vsr_engine_options* get() const { return &options_; }

 private:
  std::string path_;
  vsr_model_options model_ = VSR_MODEL_OPTIONS_INIT;
  const vsr_model_options* pointer_ = &model_;
  vsr_engine_options options_ = VSR_ENGINE_OPTIONS_INIT;
};

inline ResultHandle embed(const vsr_engine* engine, const std::vector<vsr_str>& texts,
                          const vsr_embed_options* options = nullptr) {
  vsr_error error = VSR_ERROR_INIT;
  vsr_result* result = nullptr;
  const vsr_status status = vsr_embed(engine, texts.data(), texts.size(), options, &result, &error);
  INFO(error.message);
  REQUIRE(status == VSR_OK);
  return ResultHandle(result);
}

}  // namespace vsr::test
