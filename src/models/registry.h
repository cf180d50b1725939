// Models by the architecture of their checkpoint, which the `model_type` of config.json names.
#pragma once

#include "base/json.h"
#include "core/nn/heads.h"
#include "models/architecture.h"

namespace vsr::models {

// Builds the model and checks that every tensor has its place. Throws kUnsupported for an unknown `model_type` or head,
// kParse for a config that is incomplete or contradicts itself, kWeights for tensors that do not fit it.
LoadedParts make_model(const ModelSource& source);

// Builds a head alone, which an adapter brings along for a model of this config. The names of `source.weights` are
// those of a checkpoint without a head: neither "bert." nor "model." comes before them. Throws kUnsupported for a head
// that the architecture does not have, kWeights for tensors that do not fit.
core::ClassificationHead make_head(const ModelSource& source, core::HeadKind kind);

// Throws kUnsupported for an unknown model_type.
const Naming& naming_of(const base::JsonObject& config);

}  // namespace vsr::models
