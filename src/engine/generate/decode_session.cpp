#include "engine/generate/decode_session.h"

#include <algorithm>

#include "base/error.h"
#include "core/schedule/row_blocks.h"
#include "engine/run/finite.h"

namespace vsr::engine {
namespace {

using base::fail;
using base::Status;

}  // namespace

DecodeSession::DecodeSession(const LoadedModel& model, const base::CallLimits& limits)
    : model_(model), limits_(limits), cache_(model.causal_lm->new_cache()) {}

void DecodeSession::read(std::span<const int32_t> ids) {
  if (tokens() + ids.size() > model_.max_tokens) {
    fail(Status::kLimit, "the text has more than ", model_.max_tokens, " tokens, the limit of model \"", model_.name,
         "\"");
  }
  while (!ids.empty()) {
    const auto block = ids.first(std::min(ids.size(), core::kRowsPerProduct));
    ids = ids.subspan(block.size());
    read_block(block, ids.empty());
  }
}

void DecodeSession::read_block(std::span<const int32_t> ids, bool last) {
  model_.compute().run([&] {
    const at::Tensor hidden = model_.causal_lm->read(core::pack_tokens(ids, cache_.size()), cache_, limits_);
    if (!last) return;
    const at::Tensor last_row = hidden.slice(0, hidden.size(0) - 1);
    const at::Tensor logits = model_.causal_lm->logits(last_row).to(at::kCPU, at::kFloat).contiguous();
    const float* data = logits.const_data_ptr<float>();
    logits_.assign(data, data + logits.numel());
  });
  if (last) check_finite(logits_, model_.path);
}

void DecodeSession::rewind(const Mark& mark) {
  cache_.truncate(mark.tokens);
  logits_ = mark.logits;
}

}  // namespace vsr::engine
