#include "core/nn_attention.h"

#include <ATen/ops/empty_like.h>
#include <ATen/ops/scaled_dot_product_attention.h>

namespace vsr::core {
namespace {

// Rows of one run as [sequences, heads, length, head_dim]: a view, nothing is copied.
at::Tensor heads_view(const at::Tensor& rows, int64_t heads, const EqualRun& run) {
  return rows.narrow(0, run.first_row, run.sequences * run.length)
      .view({run.sequences, run.length, heads, rows.size(1) / heads})
      .transpose(1, 2);
}

}  // namespace

at::Tensor attend_full(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, int64_t heads,
                       const PackedBatch& batch) {
  at::Tensor output = at::empty_like(query);
  for (const EqualRun& run : equal_runs(batch)) {
    const at::Tensor attended = at::scaled_dot_product_attention(
        heads_view(query, heads, run), heads_view(key, heads, run), heads_view(value, heads, run));
    heads_view(output, heads, run).copy_(attended);
  }
  return output;
}

}  // namespace vsr::core
