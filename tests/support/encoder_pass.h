// A whole pass of an encoder, whose parts the library calls one by one.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/batch/batch.h"
#include "core/encoder.h"

namespace vsr::test {

// Stops after `layers` blocks (0: all), with the final norm.
inline at::Tensor run_encoder(const core::Encoder& encoder, const core::PackedBatch& batch, int64_t layers = 0) {
  const int64_t last = layers == 0 ? encoder.info().num_hidden_layers : layers;
  return encoder.final_norm(encoder.run_blocks(encoder.embed(batch), batch, {0, last}), batch);
}

}  // namespace vsr::test
