// vsr/infer.h: embeddings, classification of texts and tokens, entities, similarity.
#include "vsr/infer.h"

#include <algorithm>

#include "c_api/boundary.h"
#include "c_api/embed_options.h"
#include "c_api/handles.h"
#include "c_api/inputs.h"
#include "engine/similarity.h"

namespace {

using vsr::base::fail;
using vsr::base::Status;
using vsr::c_api::engine_of;
using vsr::c_api::guard;
using vsr::c_api::guard_new;
using vsr::c_api::read_embed;
using vsr::c_api::read_options;
using vsr::c_api::read_pairs;
using vsr::c_api::read_text;
using vsr::c_api::read_texts;
using vsr::c_api::read_threshold;
using vsr::c_api::require;
using vsr::engine::ClassifyOptions;
using vsr::engine::EmbedOptions;

enum class Threshold { kAllowed, kRejected };

ClassifyOptions read_classify(const vsr_classify_options* given, Threshold threshold) {
  const vsr_classify_options options = read_options(given, "vsr_classify_options");
  ClassifyOptions classify;
  classify.task = vsr::c_api::optional_string(options.task);
  classify.threshold = read_threshold(options.threshold);
  if (classify.threshold && threshold == Threshold::kRejected) {
    fail(Status::kInvalidArgument, "threshold is ", options.threshold,
         ", and only vsr_entities() and vsr_entities_of_pairs() take one");
  }
  classify.limits = vsr::c_api::read_limits(options);
  return classify;
}

// Memory of the caller that is written only when there is something to write.
void require_room(const void* out, size_t count, const char* name) {
  if (out == nullptr && count > 0) fail(Status::kInvalidArgument, name, " is NULL");
}

}  // namespace

vsr_status vsr_embed(const vsr_engine* engine, const vsr_str* texts, size_t text_count,
                     const vsr_embed_options* options, vsr_result** out_result, vsr_error* error) {
  return guard_new(out_result, "out_result", error, [&] {
    const auto views = read_texts(texts, text_count, "texts", "text_count");
    const EmbedOptions embed = read_embed(options);
    return engine_of(engine)->embed(views, embed);
  });
}

vsr_status vsr_embed_into(const vsr_engine* engine, const vsr_str* texts, size_t text_count,
                          const vsr_embed_options* options, float* out_vectors, size_t capacity, size_t* out_dim,
                          vsr_error* error) {
  if (out_dim != nullptr) *out_dim = 0;
  return guard(error, [&] {
    const auto views = read_texts(texts, text_count, "texts", "text_count");
    const EmbedOptions embed = read_embed(options);
    require_room(out_vectors, text_count, "out_vectors");
    const auto held = engine_of(engine);
    // Checked before the work is done, not after.
    const size_t dim = embed.dim > 0 ? static_cast<size_t>(embed.dim) : held->embedding_dim(embed.task);
    if (capacity < text_count * dim) {
      fail(Status::kInvalidArgument, "capacity is ", capacity, " floats, ", text_count, " texts of ", dim,
           " dimensions need ", text_count * dim);
    }
    const vsr::engine::Result result = held->embed(views, embed);
    std::copy(result.values.begin(), result.values.end(), out_vectors);
    if (out_dim != nullptr) *out_dim = dim;
  });
}

vsr_status vsr_classify(const vsr_engine* engine, const vsr_str* texts, const vsr_str* pairs, size_t text_count,
                        const vsr_classify_options* options, vsr_result** out_result, vsr_error* error) {
  return guard_new(out_result, "out_result", error, [&] {
    const auto inputs = read_pairs(texts, pairs, text_count);
    const ClassifyOptions classify = read_classify(options, Threshold::kRejected);
    return engine_of(engine)->classify(inputs, classify);
  });
}

vsr_status vsr_token_probs(const vsr_engine* engine, vsr_str text, const vsr_classify_options* options,
                           vsr_result** out_result, vsr_error* error) {
  return guard_new(out_result, "out_result", error, [&] {
    const std::string_view view = read_text(text, "text");
    const ClassifyOptions classify = read_classify(options, Threshold::kRejected);
    return engine_of(engine)->token_probs(view, classify);
  });
}

vsr_status vsr_entities(const vsr_engine* engine, const vsr_str* texts, size_t text_count,
                        const vsr_classify_options* options, vsr_result** out_result, vsr_error* error) {
  return guard_new(out_result, "out_result", error, [&] {
    const auto views = read_texts(texts, text_count, "texts", "text_count");
    const ClassifyOptions classify = read_classify(options, Threshold::kAllowed);
    return engine_of(engine)->entities(views, classify);
  });
}

vsr_status vsr_token_probs_of_pair(const vsr_engine* engine, vsr_str text, vsr_str pair,
                                   const vsr_classify_options* options, vsr_result** out_result, vsr_error* error) {
  return guard_new(out_result, "out_result", error, [&] {
    const vsr::engine::TextPair input{read_text(text, "text"), read_text(pair, "pair")};
    const ClassifyOptions classify = read_classify(options, Threshold::kRejected);
    return engine_of(engine)->token_probs_of_pair(input, classify);
  });
}

vsr_status vsr_entities_of_pairs(const vsr_engine* engine, const vsr_str* texts, const vsr_str* pairs,
                                 size_t text_count, const vsr_classify_options* options, vsr_result** out_result,
                                 vsr_error* error) {
  return guard_new(out_result, "out_result", error, [&] {
    if (text_count > 0) require(pairs, "pairs");
    const auto inputs = read_pairs(texts, pairs, text_count);
    const ClassifyOptions classify = read_classify(options, Threshold::kAllowed);
    return engine_of(engine)->entities_of_pairs(inputs, classify);
  });
}

vsr_status vsr_similarity(const vsr_engine* engine, const vsr_str* a, const vsr_str* b, size_t n,
                          const vsr_embed_options* options, float* out_scores, vsr_error* error) {
  return guard(error, [&] {
    const auto left = read_texts(a, n, "a", "n");
    const auto right = read_texts(b, n, "b", "n");
    require_room(out_scores, n, "out_scores");
    const EmbedOptions embed = read_embed(options);
    const auto scores = vsr::engine::similarity(*engine_of(engine), left, right, embed);
    std::copy(scores.begin(), scores.end(), out_scores);
  });
}

vsr_status vsr_similarity_matrix(const vsr_engine* engine, const vsr_str* a, size_t a_count, const vsr_str* b,
                                 size_t b_count, const vsr_embed_options* options, float* out_scores,
                                 vsr_error* error) {
  return guard(error, [&] {
    const auto rows = read_texts(a, a_count, "a", "a_count");
    const auto cols = read_texts(b, b_count, "b", "b_count");
    require_room(out_scores, a_count * b_count, "out_scores");
    const EmbedOptions embed = read_embed(options);
    const auto scores = vsr::engine::similarity_matrix(*engine_of(engine), rows, cols, embed);
    std::copy(scores.begin(), scores.end(), out_scores);
  });
}

vsr_status vsr_nearest(const vsr_engine* engine, vsr_str query, const vsr_str* candidates, size_t candidate_count,
                       size_t k, const vsr_embed_options* options, size_t* out_indices, float* out_scores,
                       size_t* out_count, vsr_error* error) {
  if (out_count != nullptr) *out_count = 0;
  return guard(error, [&] {
    const std::string_view text = read_text(query, "query");
    const auto views = read_texts(candidates, candidate_count, "candidates", "candidate_count");
    require_room(out_indices, std::min(k, candidate_count), "out_indices");
    require(out_count, "out_count");
    const EmbedOptions embed = read_embed(options);
    const auto neighbours = vsr::engine::nearest(*engine_of(engine), text, views, k, embed);
    for (size_t i = 0; i < neighbours.size(); ++i) {
      out_indices[i] = neighbours[i].index;
      if (out_scores != nullptr) out_scores[i] = neighbours[i].score;
    }
    *out_count = neighbours.size();
  });
}
