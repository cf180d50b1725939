#include "models/attention_info.h"

#include <algorithm>

namespace vsr::models {

std::vector<core::AttentionInfo> attention_info(const std::vector<LayerType>& layers,
                                                std::initializer_list<AttentionKind> kinds) {
  std::vector<core::AttentionInfo> infos;
  for (const AttentionKind& kind : kinds) {
    const auto count = std::count(layers.begin(), layers.end(), kind.type);
    if (count == 0) continue;
    infos.push_back({.type = kind.type == LayerType::kFull ? "full_attention" : "sliding_attention",
                     .layers = count,
                     .causal = kind.spec.causal,
                     .window = kind.spec.window,
                     .rope = kind.rope});
  }
  return infos;
}

}  // namespace vsr::models
