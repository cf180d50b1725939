// What the opaque handles of the C ABI hold. Each keeps alive what it needs, so handles are freed in any order.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/default_engine.h"
#include "engine/engine.h"
#include "text/tokens/tokenizer.h"
#include "vsr/vsr.h"

struct vsr_string {
  std::string text;
};

struct vsr_engine {
  std::shared_ptr<const vsr::engine::Engine> engine;
};

struct vsr_cancel {
  std::stop_source source;
};

// Moved, never copied: `entities` point to the labels in `result`.
struct vsr_result {
  vsr_result() = default;
  explicit vsr_result(vsr::engine::Result found);
  vsr_result(vsr_result&&) = default;
  vsr_result& operator=(vsr_result&&) = default;

  vsr::engine::Result result;
  std::vector<vsr_entity> entities;
};

struct vsr_generation {
  vsr::engine::Generation generation;
};

struct vsr_verdict {
  vsr::engine::Verdict verdict;
};

struct vsr_tokenizer {
  std::shared_ptr<const vsr::text::Tokenizer> tokenizer;
  size_t window_limit = std::numeric_limits<size_t>::max();  // of the model that it belongs to, if any
};

struct vsr_encoding {
  vsr::text::Encoding encoding;
  std::vector<size_t> offsets;  // start, end, start, end, ...
  size_t replaced_bytes = 0;
  size_t windows = 1;
  std::shared_ptr<const vsr::text::Tokenizer> tokenizer;  // owns the tokens' strings
};

namespace vsr::c_api {

// NULL is the default engine; throws kState when there is none.
inline std::shared_ptr<const engine::Engine> engine_of(const vsr_engine* handle) {
  return handle == nullptr ? engine::default_engine() : handle->engine;
}

}  // namespace vsr::c_api
