// vsr/types.h: versions, status names, strings; and the layout that released structs keep for ever.
#include "vsr/types.h"

#include "c_api/guard.h"
#include "c_api/handles.h"

namespace {

using vsr::base::Status;

constexpr bool same(Status status, vsr_status code) { return static_cast<vsr_status>(status) == code; }
static_assert(same(Status::kInvalidArgument, VSR_ERR_INVALID_ARGUMENT) && same(Status::kNotFound, VSR_ERR_NOT_FOUND) &&
              same(Status::kIo, VSR_ERR_IO) && same(Status::kParse, VSR_ERR_PARSE) &&
              same(Status::kWeights, VSR_ERR_WEIGHTS) && same(Status::kUnsupported, VSR_ERR_UNSUPPORTED) &&
              same(Status::kState, VSR_ERR_STATE) && same(Status::kLimit, VSR_ERR_LIMIT) &&
              same(Status::kOutOfMemory, VSR_ERR_OUT_OF_MEMORY) && same(Status::kCancelled, VSR_ERR_CANCELLED) &&
              same(Status::kInternal, VSR_ERR_INTERNAL) && same(Status::kDeadline, VSR_ERR_DEADLINE));

// Fields are only appended to a struct: a line below never changes, a new field brings a new one.
#if UINTPTR_MAX == UINT64_MAX
static_assert(offsetof(vsr_error, struct_size) == 0 && offsetof(vsr_error, code) == 4 &&
              offsetof(vsr_error, message) == 8 && sizeof(vsr_error) == 520);
static_assert(offsetof(vsr_str, data) == 0 && offsetof(vsr_str, len) == 8 && sizeof(vsr_str) == 16);
static_assert(offsetof(vsr_model_options, reserved) == 4 && offsetof(vsr_model_options, name) == 8 &&
              offsetof(vsr_model_options, path) == 16 && offsetof(vsr_model_options, dtype) == 24 &&
              offsetof(vsr_model_options, device) == 32);
static_assert(offsetof(vsr_engine_options, threads) == 4 && offsetof(vsr_engine_options, config_path) == 8 &&
              offsetof(vsr_engine_options, models) == 16 && offsetof(vsr_engine_options, n_models) == 24);
static_assert(offsetof(vsr_engine_options, adapters) == 32 && offsetof(vsr_engine_options, n_adapters) == 40);
static_assert(offsetof(vsr_adapter_options, reserved) == 4 && offsetof(vsr_adapter_options, name) == 8 &&
              offsetof(vsr_adapter_options, path) == 16 && offsetof(vsr_adapter_options, model) == 24);
static_assert(offsetof(vsr_embed_options, dim) == 4 && offsetof(vsr_embed_options, layer) == 8 &&
              offsetof(vsr_embed_options, no_normalize) == 12 && offsetof(vsr_embed_options, task) == 16 &&
              offsetof(vsr_embed_options, prompt) == 24 && offsetof(vsr_embed_options, instruction) == 32 &&
              offsetof(vsr_embed_options, max_tokens) == 40 && offsetof(vsr_embed_options, progress) == 48 &&
              offsetof(vsr_embed_options, user_data) == 56);
static_assert(offsetof(vsr_classify_options, threshold) == 4 && offsetof(vsr_classify_options, task) == 8 &&
              offsetof(vsr_classify_options, max_tokens) == 16 && offsetof(vsr_classify_options, progress) == 24 &&
              offsetof(vsr_classify_options, user_data) == 32);
static_assert(offsetof(vsr_multi_options, path) == 4 && offsetof(vsr_multi_options, threshold) == 8 &&
              offsetof(vsr_multi_options, reserved) == 12 && offsetof(vsr_multi_options, wanted) == 16 &&
              offsetof(vsr_multi_options, max_tokens) == 24 && offsetof(vsr_multi_options, progress) == 32 &&
              offsetof(vsr_multi_options, user_data) == 40);
static_assert(offsetof(vsr_engine_options, max_queued_calls) == 48 &&
              offsetof(vsr_engine_options, max_queued_tokens) == 56);
static_assert(offsetof(vsr_embed_options, deadline_ms) == 64 && offsetof(vsr_embed_options, cancel) == 72);
static_assert(offsetof(vsr_classify_options, deadline_ms) == 40 && offsetof(vsr_classify_options, cancel) == 48);
static_assert(offsetof(vsr_multi_options, deadline_ms) == 48 && offsetof(vsr_multi_options, cancel) == 56);
static_assert(offsetof(vsr_generate_options, no_eos) == 4 && offsetof(vsr_generate_options, max_new_tokens) == 8 &&
              offsetof(vsr_generate_options, task) == 16 && offsetof(vsr_generate_options, temperature) == 24 &&
              offsetof(vsr_generate_options, top_k) == 28 && offsetof(vsr_generate_options, top_p) == 32 &&
              offsetof(vsr_generate_options, reserved) == 36 && offsetof(vsr_generate_options, seed) == 40 &&
              offsetof(vsr_generate_options, on_token) == 48 && offsetof(vsr_generate_options, user_data) == 56);
static_assert(offsetof(vsr_moderate_options, reserved) == 4 && offsetof(vsr_moderate_options, task) == 8 &&
              offsetof(vsr_moderate_options, max_new_tokens) == 16);
static_assert(offsetof(vsr_intents_options, rule) == 4 && offsetof(vsr_intents_options, top_k) == 8 &&
              offsetof(vsr_intents_options, threshold) == 12 && offsetof(vsr_intents_options, task) == 16);
static_assert(offsetof(vsr_entity, text) == 0 && offsetof(vsr_entity, start) == 8 && offsetof(vsr_entity, end) == 16 &&
              offsetof(vsr_entity, score) == 24 && offsetof(vsr_entity, label) == 32 && sizeof(vsr_entity) == 40);
static_assert(offsetof(vsr_embed_policy, quality_priority) == 4 && offsetof(vsr_embed_policy, latency_priority) == 8 &&
              offsetof(vsr_embed_policy, reserved) == 12 && offsetof(vsr_embed_policy, language) == 16);
static_assert(offsetof(vsr_candidate, model) == 0 && offsetof(vsr_candidate, rejected) == 8 &&
              offsetof(vsr_candidate, quality) == 16 && offsetof(vsr_candidate, speed) == 20 &&
              offsetof(vsr_candidate, score) == 24 && offsetof(vsr_candidate, chosen) == 28 &&
              offsetof(vsr_candidate, tokens) == 32 && offsetof(vsr_candidate, windows) == 40 &&
              sizeof(vsr_candidate) == 48);
static_assert(offsetof(vsr_match, label) == 0 && offsetof(vsr_match, nearest) == 8 &&
              offsetof(vsr_match, runner_up) == 16 && offsetof(vsr_match, score) == 24 &&
              offsetof(vsr_match, runner_up_score) == 28 && sizeof(vsr_match) == 32);
static_assert(offsetof(vsr_task_outcome, task) == 0 && offsetof(vsr_task_outcome, model) == 8 &&
              offsetof(vsr_task_outcome, message) == 16 && offsetof(vsr_task_outcome, result) == 24 &&
              offsetof(vsr_task_outcome, status) == 32 && offsetof(vsr_task_outcome, kind) == 36 &&
              offsetof(vsr_task_outcome, path) == 40 && sizeof(vsr_task_outcome) == 48);
static_assert(offsetof(vsr_pass, model) == 0 && offsetof(vsr_pass, tasks) == 8 && offsetof(vsr_pass, n_tasks) == 16 &&
              offsetof(vsr_pass, blocks) == 24 && offsetof(vsr_pass, shared_blocks) == 32 &&
              offsetof(vsr_pass, block_rows) == 40 && offsetof(vsr_pass, separate_rows) == 48 &&
              sizeof(vsr_pass) == 56);
#endif

}  // namespace

uint32_t vsr_abi_version(void) { return VSR_ABI_VERSION; }

const char* vsr_version(void) { return VSR_VERSION; }

const char* vsr_torch_version(void) { return VSR_TORCH_VERSION; }

const char* vsr_status_name(vsr_status status) {
  switch (status) {
    case VSR_OK:
      return "VSR_OK";
    case VSR_ERR_INVALID_ARGUMENT:
      return "VSR_ERR_INVALID_ARGUMENT";
    case VSR_ERR_NOT_FOUND:
      return "VSR_ERR_NOT_FOUND";
    case VSR_ERR_IO:
      return "VSR_ERR_IO";
    case VSR_ERR_PARSE:
      return "VSR_ERR_PARSE";
    case VSR_ERR_WEIGHTS:
      return "VSR_ERR_WEIGHTS";
    case VSR_ERR_UNSUPPORTED:
      return "VSR_ERR_UNSUPPORTED";
    case VSR_ERR_STATE:
      return "VSR_ERR_STATE";
    case VSR_ERR_LIMIT:
      return "VSR_ERR_LIMIT";
    case VSR_ERR_OUT_OF_MEMORY:
      return "VSR_ERR_OUT_OF_MEMORY";
    case VSR_ERR_CANCELLED:
      return "VSR_ERR_CANCELLED";
    case VSR_ERR_INTERNAL:
      return "VSR_ERR_INTERNAL";
    case VSR_ERR_DEADLINE:
      return "VSR_ERR_DEADLINE";
    default:
      return "VSR_ERR_UNKNOWN";
  }
}

const char* vsr_string_data(const vsr_string* s) { return s == nullptr ? "" : s->text.c_str(); }

size_t vsr_string_size(const vsr_string* s) { return s == nullptr ? 0 : s->text.size(); }

void vsr_string_free(vsr_string* s) { vsr::c_api::free_handle(s); }
