// What an encoder tells of its attention.
#pragma once

#include <initializer_list>
#include <vector>

#include "core/encoder.h"
#include "core/nn/nn_attention.h"
#include "core/nn/nn_rope.h"
#include "models/config_fields.h"

namespace vsr::models {

struct AttentionKind {
  LayerType type;
  core::AttentionSpec spec;
  core::RopeInfo rope;
};

std::vector<core::AttentionInfo> attention_info(const std::vector<LayerType>& layers,
                                                std::initializer_list<AttentionKind> kinds);

}  // namespace vsr::models
