// Engines of the tiny golden models.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "support/data.h"

namespace vsr::test {

inline engine::ModelOptions golden_options(const std::string& name) {
  return {.name = name, .path = source_path("tests/goldens/models/" + name)};
}

inline engine::EngineOptions engine_options(const std::vector<std::string>& goldens) {
  engine::EngineOptions options;
  for (const std::string& name : goldens) options.models.push_back(golden_options(name));
  return options;
}

inline std::shared_ptr<const engine::Engine> open_goldens(const std::vector<std::string>& goldens) {
  return engine::Engine::open(engine_options(goldens));
}

inline std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

// Borrows from `texts`.
inline std::vector<engine::TextPair> single(const std::vector<std::string>& texts) {
  std::vector<engine::TextPair> inputs;
  for (const std::string& text : texts) inputs.push_back({text, std::nullopt});
  return inputs;
}

inline std::vector<float> row(const engine::Result& result, size_t i) {
  const auto begin = result.values.begin() + static_cast<ptrdiff_t>(i * result.cols);
  return {begin, begin + static_cast<ptrdiff_t>(result.cols)};
}

}  // namespace vsr::test
