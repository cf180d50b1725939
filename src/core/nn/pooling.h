// Reductions of a packed batch's hidden states to one row per sequence.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <string_view>

#include "core/batch/batch.h"

namespace vsr::core {

enum class Pooling { kCls, kMean, kMax, kLastToken, kMeanSqrtLength };

// Names as sentence-transformers has them: "cls", "mean", "max", "lasttoken", "mean_sqrt_len_tokens". Throws
// kUnsupported for others, naming `where`.
Pooling pooling_named(const std::string& name, const std::string& where);
std::string_view pooling_name(Pooling pooling);

// hidden [total_tokens, size] -> [sequences, size], of the tokens from PackedBatch::pooled_from on; special tokens
// count like any other. As in sentence-transformers, where no token is left kCls is the first of all and the others are
// zero.
at::Tensor pool(Pooling pooling, const at::Tensor& hidden, const PackedBatch& batch);

// The tokens of sequence i that pool() reads; the others' hidden states may be left out.
TokenRange pooled_tokens(Pooling pooling, const PackedBatch& batch, int64_t i);

// The last token of each sequence that is not `pad_token_id`, else its first: a text may itself end with that token,
// and transformers' heads on the last token then look before it.
at::Tensor pool_last_unpadded(const at::Tensor& hidden, const PackedBatch& batch, int64_t pad_token_id);
// That token of sequence i.
TokenRange last_unpadded(const PackedBatch& batch, int64_t i, int64_t pad_token_id);

}  // namespace vsr::core
