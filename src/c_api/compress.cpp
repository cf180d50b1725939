// vsr/compress.h: the parts of a long text that say most about it.
#include "vsr/compress.h"

#include <utility>
#include <vector>

#include "base/checkpoint.h"
#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "c_api/inputs.h"
#include "c_api/views.h"
#include "routing/compress/compress.h"

struct vsr_compressed {
  explicit vsr_compressed(vsr::routing::Compressed made) : compressed(std::move(made)) {
    ranges.reserve(compressed.kept.size());
    for (const auto& [start, end] : compressed.kept) {
      vsr_range& range = ranges.emplace_back(vsr::c_api::sized<vsr_range>());
      range.start = start;
      range.end = end;
    }
  }

  vsr::routing::Compressed compressed;
  std::vector<vsr_range> ranges;
};

namespace {

using vsr::base::CallLimits;
using vsr::routing::CompressOptions;

CompressOptions read_options(const vsr_compress_options* given, size_t max_tokens) {
  const vsr_compress_options options = vsr::c_api::read_options(given, "vsr_compress_options");
  vsr::c_api::check_reserved(options.reserved, "vsr_compress_options.reserved");
  CompressOptions compress{.max_tokens = max_tokens, .language = vsr::c_api::optional_string(options.language)};
  if (options.tokenizer != nullptr) {
    compress.count_tokens = [tokenizer = options.tokenizer->tokenizer](std::string_view text) {
      return tokenizer->count_tokens(text);
    };
  }
  return compress;
}

CallLimits limits_of(const vsr_compress_options* given) {
  const vsr_compress_options options = vsr::c_api::read_options(given, "vsr_compress_options");
  return vsr::c_api::read_limits(options);
}

}  // namespace

vsr_status vsr_compress(vsr_str text, size_t max_tokens, const vsr_compress_options* options,
                        vsr_compressed** out_compressed, vsr_error* error) {
  return vsr::c_api::guard_new(out_compressed, "out_compressed", error, [&] {
    const std::string_view given = vsr::c_api::read_text(text, "text");
    const CompressOptions compress = read_options(options, max_tokens);
    const CallLimits limits = limits_of(options);
    const vsr::base::LimitScope scope(&limits);
    limits.check();
    return vsr::routing::compress(given, compress);
  });
}

vsr_str vsr_compressed_text(const vsr_compressed* compressed) {
  return compressed == nullptr ? VSR_STR("") : vsr::c_api::view(compressed->compressed.text);
}

size_t vsr_compressed_range_count(const vsr_compressed* compressed) {
  return compressed == nullptr ? 0 : compressed->ranges.size();
}

const vsr_range* vsr_compressed_range(const vsr_compressed* compressed, size_t index) {
  return compressed == nullptr ? nullptr : vsr::c_api::element(compressed->ranges, index);
}

size_t vsr_compressed_given_token_count(const vsr_compressed* compressed) {
  return compressed == nullptr ? 0 : compressed->compressed.tokens_before;
}

size_t vsr_compressed_kept_token_count(const vsr_compressed* compressed) {
  return compressed == nullptr ? 0 : compressed->compressed.tokens_after;
}

int32_t vsr_compressed_estimated(const vsr_compressed* compressed) {
  return compressed != nullptr && compressed->compressed.estimated ? 1 : 0;
}

void vsr_compressed_free(vsr_compressed* compressed) { vsr::c_api::free_handle(compressed); }
