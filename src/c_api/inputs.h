// What inference calls of the C ABI take, as the engine takes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/calls/call_options.h"
#include "vsr/cancel.h"
#include "vsr/types.h"

namespace vsr::c_api {

// Both as the option structs have them.
base::CallLimits read_limits(int64_t deadline_ms, const vsr_cancel* cancel);
// NULL is no callback.
engine::Progress read_progress(vsr_progress_callback progress, void* user_data);
// `pairs` may be NULL: then no text has one.
std::vector<engine::TextPair> read_pairs(const vsr_str* texts, const vsr_str* pairs, size_t n);
// 0 is none.
std::optional<float> read_threshold(float threshold);

}  // namespace vsr::c_api
