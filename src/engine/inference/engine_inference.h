// An engine as those see it who ask models by way of inference/inference.h.
#pragma once

#include <memory>
#include <string>

#include "engine/engine.h"
#include "inference/inference.h"

namespace vsr::engine {

// An embedding task, with its default prompt if it has one; an empty name means the only one. Throws kNotFound for a
// task that the engine does not have.
std::shared_ptr<const inference::Embedder> embedder_of(std::shared_ptr<const Engine> engine, const std::string& task);

// Where the models and adapters come from that were there when it was opened: the same words for the same folders.
std::string identity_of(const Engine& engine);
std::string identity_of_config(const std::string& path);

std::shared_ptr<const inference::Inference> inference_of(std::shared_ptr<const Engine> engine);
// Of the models in the `vsr:` section of a config file, opened when first needed. A call that fails to open them
// throws, and the next one tries again.
// Given what was made of the same file before it changed (else null), the models that are as they were are not loaded
// again: if all are, this is `previous` itself.
std::shared_ptr<const inference::Inference> inference_of_config(
    const std::string& path, const std::shared_ptr<const inference::Inference>& previous = nullptr);
// Whether it has opened its models, which one of a config does late.
bool has_opened(const inference::Inference& inference);

}  // namespace vsr::engine
