// What inference calls of the C ABI take, as the engine takes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/call_limits.h"
#include "engine/calls/call_options.h"
#include "vsr/cancel.h"
#include "vsr/types.h"

namespace vsr::c_api {

base::CallLimits read_limits(int64_t deadline_ms, const vsr_cancel* cancel);
// NULL is no callback.
base::CallLimits::Progress read_progress(vsr_progress_callback progress, void* user_data);
// Of an option struct that was read: all that ends with deadline and cancel, and those that take many texts of any
// length have the rest, too.
template <class Options>
base::CallLimits read_limits(const Options& options) {
  base::CallLimits limits = read_limits(options.deadline_ms, options.cancel);
  if constexpr (requires { options.progress; }) {
    limits.max_tokens = options.max_tokens;
    limits.progress = read_progress(options.progress, options.user_data);
  }
  return limits;
}
// `pairs` may be NULL: then no text has one.
std::vector<engine::TextPair> read_pairs(const vsr_str* texts, const vsr_str* pairs, size_t n);
// 0 is none.
std::optional<float> read_threshold(float threshold);

}  // namespace vsr::c_api
