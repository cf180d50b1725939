// Private intents: labels with a few example texts each; a text belongs to the intent whose examples it resembles.
// Semantics: include/vsr/intents.h. The state is replaced whole, so that routing never waits for a change.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/snapshot.h"
#include "inference/embedder.h"
#include "routing/intents/intents_state.h"

namespace vsr::routing {

// Options that a caller may leave to a file.
struct GivenOptions {
  std::optional<NeighbourRule> rule = std::nullopt;
  std::optional<size_t> top_k = std::nullopt;
  std::optional<float> threshold = std::nullopt;  // of all intents, also of those that have their own
};

class Intents {
 public:
  Intents(std::shared_ptr<const inference::Embedder> embedder, const IntentsOptions& options);

  // Without a threshold the intent keeps the one it has.
  void add(const std::string& label, std::span<const std::string_view> examples, std::optional<float> threshold,
           const base::CallLimits& limits = {});
  void remove(const std::string& label);
  std::vector<Match> route(std::span<const std::string_view> texts, const base::CallLimits& limits = {}) const;
  // Of texts that were embedded before: rows of `dim` floats, as the set's embedder gives them.
  std::vector<Match> route_vectors(std::span<const float> vectors, size_t dim,
                                   const base::CallLimits& limits = {}) const;

  // The JSON of vsr_intents_describe().
  std::string describe() const;

  void save(const std::string& path) const;
  // Of a file that people write (intents_source.h), with what `given` has in place of what the file says.
  static std::unique_ptr<Intents> from_file(const std::string& path,
                                            std::shared_ptr<const inference::Embedder> embedder,
                                            const GivenOptions& given, const base::CallLimits& limits = {});
  static std::unique_ptr<Intents> load(const std::string& path, std::shared_ptr<const inference::Embedder> embedder);

 private:
  Intents(std::shared_ptr<const inference::Embedder> embedder, const IntentsOptions& options, IntentsState state);
  std::vector<float> embed(std::span<const std::string_view> texts, const base::CallLimits& limits) const;

  std::shared_ptr<const inference::Embedder> embedder_;
  IntentsOptions options_;
  base::Snapshot<IntentsState> state_;
};

}  // namespace vsr::routing
