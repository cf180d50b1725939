// vsr/generate.h: text that goes on from a prompt.
#include "vsr/generate.h"

#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "c_api/inputs.h"
#include "c_api/views.h"

namespace {

using vsr::c_api::engine_of;
using vsr::c_api::guard_new;
using vsr::c_api::read_bool;
using vsr::c_api::read_options;
using vsr::c_api::read_text;
using vsr::engine::FinishReason;
using vsr::engine::GenerateOptions;

static_assert(static_cast<int>(FinishReason::kLength) + 1 == VSR_FINISH_LENGTH &&
              static_cast<int>(FinishReason::kEos) + 1 == VSR_FINISH_EOS);

GenerateOptions read_generate(const vsr_generate_options* given) {
  const vsr_generate_options options = read_options(given, "vsr_generate_options");
  vsr::c_api::check_reserved(options.reserved, "vsr_generate_options.reserved");
  GenerateOptions generate;
  generate.task = vsr::c_api::optional_string(options.task);
  if (options.max_new_tokens != 0) generate.max_new_tokens = options.max_new_tokens;
  generate.stop_at_eos = !read_bool(options.no_eos, "no_eos");
  generate.temperature = options.temperature;
  generate.top_k = options.top_k;
  if (options.top_p != 0) generate.top_p = options.top_p;
  generate.seed = options.seed;
  generate.limits = vsr::c_api::read_limits(options);
  if (options.on_token != nullptr) {
    generate.on_token = [callback = options.on_token, user_data = options.user_data](int32_t id,
                                                                                     std::string_view text) {
      const std::string piece(text);  // ends with a NUL
      return callback(id, vsr::c_api::view(piece), user_data) != 0;
    };
  }
  return generate;
}

}  // namespace

vsr_status vsr_generate(const vsr_engine* engine, vsr_str prompt, const vsr_generate_options* options,
                        vsr_generation** out_generation, vsr_error* error) {
  return guard_new(out_generation, "out_generation", error, [&] {
    const std::string_view text = read_text(prompt, "prompt");
    const GenerateOptions generate = read_generate(options);
    return engine_of(engine)->generate(text, generate);
  });
}

vsr_str vsr_generation_text(const vsr_generation* generation) {
  return generation == nullptr ? VSR_STR("") : vsr::c_api::view(generation->generation.text);
}

size_t vsr_generation_token_count(const vsr_generation* generation) {
  return generation == nullptr ? 0 : generation->generation.ids.size();
}

const int32_t* vsr_generation_ids(const vsr_generation* generation) {
  return generation == nullptr ? nullptr : generation->generation.ids.data();
}

int32_t vsr_generation_finish(const vsr_generation* generation) {
  return generation == nullptr ? 0 : static_cast<int32_t>(generation->generation.finish) + 1;
}

size_t vsr_generation_prompt_token_count(const vsr_generation* generation) {
  return generation == nullptr ? 0 : generation->generation.prompt_tokens;
}

size_t vsr_generation_replaced_size(const vsr_generation* generation) {
  return generation == nullptr ? 0 : generation->generation.replaced_bytes;
}

void vsr_generation_free(vsr_generation* generation) { vsr::c_api::free_handle(generation); }
