#include "c_api/inputs.h"

#include <string_view>

#include "c_api/boundary.h"
#include "c_api/handles.h"

namespace vsr::c_api {

using base::fail;
using base::Status;

base::CallLimits read_limits(int64_t deadline_ms, const vsr_cancel* cancel) {
  base::CallLimits limits;
  limits.deadline = base::deadline_in(deadline_ms);
  if (cancel != nullptr) limits.cancel = cancel->source.get_token();
  return limits;
}

base::CallLimits::Progress read_progress(vsr_progress_callback progress, void* user_data) {
  if (progress == nullptr) return {};
  return [progress, user_data](size_t done, size_t total) { return progress(done, total, user_data) != 0; };
}

std::vector<engine::TextPair> read_pairs(const vsr_str* texts, const vsr_str* pairs, size_t n) {
  const std::vector<std::string_view> first = read_texts(texts, n, "texts", "text_count");
  std::vector<std::string_view> second;
  if (pairs != nullptr) second = read_texts(pairs, n, "pairs", "text_count");
  std::vector<engine::TextPair> inputs(n);
  for (size_t i = 0; i < n; ++i) {
    inputs[i].text = first[i];
    if (pairs != nullptr) inputs[i].pair = second[i];
  }
  return inputs;
}

std::optional<float> read_threshold(float threshold) {
  // Written so that NaN fails.
  if (!(threshold >= 0.0f && threshold <= 1.0f)) {
    fail(Status::kInvalidArgument, "threshold is ", threshold, ", expected 0 to 1");
  }
  if (threshold == 0.0f) return std::nullopt;
  return threshold;
}

}  // namespace vsr::c_api
