/* Pins the layout of every public struct and the numbers of every public constant, as compiled programs rely on them.
 * A field may only be appended; a change of a line that stands here breaks programs and raises VSR_ABI_VERSION. */
#include <stdio.h>
#include <vsr/vsr.h>

#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved")
#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " has changed its size")
#define IS(name, number) _Static_assert((name) == (number), #name " has changed its number")

SIZE(vsr_error, 520);
AT(vsr_error, struct_size, 0);
AT(vsr_error, code, 4);
AT(vsr_error, message, 8);

SIZE(vsr_str, 16);
AT(vsr_str, data, 0);
AT(vsr_str, len, 8);

SIZE(vsr_model_options, 40);
AT(vsr_model_options, struct_size, 0);
AT(vsr_model_options, name, 8);
AT(vsr_model_options, path, 16);
AT(vsr_model_options, dtype, 24);
AT(vsr_model_options, device, 32);

SIZE(vsr_engine_options, 64);
AT(vsr_engine_options, struct_size, 0);
AT(vsr_engine_options, threads, 4);
AT(vsr_engine_options, config_path, 8);
AT(vsr_engine_options, models, 16);
AT(vsr_engine_options, n_models, 24);
AT(vsr_engine_options, adapters, 32);
AT(vsr_engine_options, n_adapters, 40);
AT(vsr_engine_options, max_queued_calls, 48);
AT(vsr_engine_options, max_queued_tokens, 56);

SIZE(vsr_adapter_options, 32);
AT(vsr_adapter_options, struct_size, 0);
AT(vsr_adapter_options, name, 8);
AT(vsr_adapter_options, path, 16);
AT(vsr_adapter_options, model, 24);

SIZE(vsr_embed_options, 80);
AT(vsr_embed_options, struct_size, 0);
AT(vsr_embed_options, dim, 4);
AT(vsr_embed_options, layer, 8);
AT(vsr_embed_options, no_normalize, 12);
AT(vsr_embed_options, task, 16);
AT(vsr_embed_options, prompt, 24);
AT(vsr_embed_options, instruction, 32);
AT(vsr_embed_options, max_tokens, 40);
AT(vsr_embed_options, progress, 48);
AT(vsr_embed_options, user_data, 56);
AT(vsr_embed_options, deadline_ms, 64);
AT(vsr_embed_options, cancel, 72);

SIZE(vsr_classify_options, 56);
AT(vsr_classify_options, struct_size, 0);
AT(vsr_classify_options, threshold, 4);
AT(vsr_classify_options, task, 8);
AT(vsr_classify_options, max_tokens, 16);
AT(vsr_classify_options, progress, 24);
AT(vsr_classify_options, user_data, 32);
AT(vsr_classify_options, deadline_ms, 40);
AT(vsr_classify_options, cancel, 48);

SIZE(vsr_generate_options, 80);
AT(vsr_generate_options, struct_size, 0);
AT(vsr_generate_options, no_eos, 4);
AT(vsr_generate_options, max_new_tokens, 8);
AT(vsr_generate_options, task, 16);
AT(vsr_generate_options, temperature, 24);
AT(vsr_generate_options, top_k, 28);
AT(vsr_generate_options, top_p, 32);
AT(vsr_generate_options, reserved, 36);
AT(vsr_generate_options, seed, 40);
AT(vsr_generate_options, on_token, 48);
AT(vsr_generate_options, user_data, 56);
AT(vsr_generate_options, deadline_ms, 64);
AT(vsr_generate_options, cancel, 72);

SIZE(vsr_moderate_options, 40);
AT(vsr_moderate_options, struct_size, 0);
AT(vsr_moderate_options, reserved, 4);
AT(vsr_moderate_options, task, 8);
AT(vsr_moderate_options, max_new_tokens, 16);
AT(vsr_moderate_options, deadline_ms, 24);
AT(vsr_moderate_options, cancel, 32);

SIZE(vsr_multi_options, 64);
AT(vsr_multi_options, struct_size, 0);
AT(vsr_multi_options, path, 4);
AT(vsr_multi_options, threshold, 8);
AT(vsr_multi_options, wanted, 16);
AT(vsr_multi_options, max_tokens, 24);
AT(vsr_multi_options, progress, 32);
AT(vsr_multi_options, user_data, 40);
AT(vsr_multi_options, deadline_ms, 48);
AT(vsr_multi_options, cancel, 56);

SIZE(vsr_intents_options, 24);
AT(vsr_intents_options, struct_size, 0);
AT(vsr_intents_options, rule, 4);
AT(vsr_intents_options, top_k, 8);
AT(vsr_intents_options, threshold, 12);
AT(vsr_intents_options, task, 16);

SIZE(vsr_entity, 40);
AT(vsr_entity, text, 0);
AT(vsr_entity, start, 8);
AT(vsr_entity, end, 16);
AT(vsr_entity, score, 24);
AT(vsr_entity, label, 32);

SIZE(vsr_match, 32);
AT(vsr_match, label, 0);
AT(vsr_match, nearest, 8);
AT(vsr_match, runner_up, 16);
AT(vsr_match, score, 24);
AT(vsr_match, runner_up_score, 28);

SIZE(vsr_embed_policy, 24);
AT(vsr_embed_policy, struct_size, 0);
AT(vsr_embed_policy, quality_priority, 4);
AT(vsr_embed_policy, latency_priority, 8);
AT(vsr_embed_policy, reserved, 12);
AT(vsr_embed_policy, language, 16);

SIZE(vsr_candidate, 48);
AT(vsr_candidate, model, 0);
AT(vsr_candidate, rejected, 8);
AT(vsr_candidate, quality, 16);
AT(vsr_candidate, speed, 20);
AT(vsr_candidate, score, 24);
AT(vsr_candidate, chosen, 28);
AT(vsr_candidate, tokens, 32);
AT(vsr_candidate, windows, 40);

SIZE(vsr_task_outcome, 48);
AT(vsr_task_outcome, task, 0);
AT(vsr_task_outcome, model, 8);
AT(vsr_task_outcome, message, 16);
AT(vsr_task_outcome, result, 24);
AT(vsr_task_outcome, status, 32);
AT(vsr_task_outcome, kind, 36);
AT(vsr_task_outcome, path, 40);

SIZE(vsr_pass, 56);
AT(vsr_pass, model, 0);
AT(vsr_pass, tasks, 8);
AT(vsr_pass, n_tasks, 16);
AT(vsr_pass, blocks, 24);
AT(vsr_pass, shared_blocks, 32);
AT(vsr_pass, block_rows, 40);
AT(vsr_pass, separate_rows, 48);

SIZE(vsr_status, 4);
IS(VSR_OK, 0);
IS(VSR_ERR_INVALID_ARGUMENT, 1);
IS(VSR_ERR_NOT_FOUND, 2);
IS(VSR_ERR_IO, 3);
IS(VSR_ERR_PARSE, 4);
IS(VSR_ERR_WEIGHTS, 5);
IS(VSR_ERR_UNSUPPORTED, 6);
IS(VSR_ERR_STATE, 7);
IS(VSR_ERR_LIMIT, 8);
IS(VSR_ERR_OUT_OF_MEMORY, 9);
IS(VSR_ERR_CANCELLED, 10);
IS(VSR_ERR_INTERNAL, 11);
IS(VSR_ERR_DEADLINE, 12);
IS(VSR_FINISH_LENGTH, 1);
IS(VSR_FINISH_EOS, 2);
IS(VSR_SEVERITY_UNPARSED, 0);
IS(VSR_SEVERITY_SAFE, 1);
IS(VSR_SEVERITY_CONTROVERSIAL, 2);
IS(VSR_SEVERITY_UNSAFE, 3);
IS(VSR_REFUSAL_UNKNOWN, 0);
IS(VSR_REFUSAL_YES, 1);
IS(VSR_REFUSAL_NO, 2);

IS(VSR_RULE_DEFAULT, 0);
IS(VSR_RULE_VOTE, 1);
IS(VSR_RULE_BEST, 2);
IS(VSR_RULE_BLEND, 3);
IS(VSR_PATH_AUTO, 0);
IS(VSR_PATH_STANDARD, 1);
IS(VSR_PATH_LORA, 2);
IS(VSR_TASK_NONE, 0);
IS(VSR_TASK_EMBEDDING, 1);
IS(VSR_TASK_SEQUENCE_CLASSIFICATION, 2);
IS(VSR_TASK_TOKEN_CLASSIFICATION, 3);

SIZE(vsr_router_options, 40);
AT(vsr_router_options, struct_size, 0);
AT(vsr_router_options, lenient, 4);
AT(vsr_router_options, engine, 8);
AT(vsr_router_options, log, 16);
AT(vsr_router_options, user_data, 24);
AT(vsr_router_options, validate_models, 32);
AT(vsr_router_options, reserved, 36);

SIZE(vsr_field, 24);
AT(vsr_field, name, 0);
AT(vsr_field, value, 8);

SIZE(vsr_route_options, 96);
AT(vsr_route_options, struct_size, 0);
AT(vsr_route_options, explain, 4);
AT(vsr_route_options, evaluate_all, 8);
AT(vsr_route_options, user, 16);
AT(vsr_route_options, tenant, 24);
AT(vsr_route_options, groups, 32);
AT(vsr_route_options, n_groups, 40);
AT(vsr_route_options, headers, 48);
AT(vsr_route_options, n_headers, 56);
AT(vsr_route_options, metadata, 64);
AT(vsr_route_options, n_metadata, 72);
AT(vsr_route_options, deadline_ms, 80);
AT(vsr_route_options, cancel, 88);

SIZE(vsr_signal, 48);
AT(vsr_signal, name, 0);
AT(vsr_signal, matched, 8);
AT(vsr_signal, confidence, 16);
AT(vsr_signal, value, 24);
AT(vsr_signal, milliseconds, 32);
AT(vsr_signal, detail, 40);

SIZE(vsr_given_signal, 16);
AT(vsr_given_signal, name, 0);
AT(vsr_given_signal, confidence, 8);

SIZE(vsr_header, 16);
AT(vsr_header, name, 0);
AT(vsr_header, value, 8);

SIZE(vsr_compress_options, 24);
AT(vsr_compress_options, struct_size, 0);
AT(vsr_compress_options, language, 8);
AT(vsr_compress_options, tokenizer, 16);

SIZE(vsr_range, 16);
AT(vsr_range, start, 0);
AT(vsr_range, end, 8);

IS(VSR_LOG_INFO, 1);
IS(VSR_LOG_WARNING, 2);
IS(VSR_LOG_ERROR, 3);
IS(VSR_OUTCOME_NONE, 0);
IS(VSR_OUTCOME_FORWARD, 1);
IS(VSR_OUTCOME_RESPOND, 2);
IS(VSR_OUTCOME_CACHED, 3);
IS(VSR_OUTCOME_PASSTHROUGH, 4);

static int failed = 0;

static void check(int ok, const char* what) {
  if (ok) return;
  printf("failed: %s\n", what);
  failed = 1;
}

/* What the static assertions cannot see: the macros that callers compile in, and the library that they then meet. */
int main(void) {
  const vsr_error error = VSR_ERROR_INIT;
  const vsr_model_options model = VSR_MODEL_OPTIONS_INIT;
  const vsr_engine_options engine = VSR_ENGINE_OPTIONS_INIT;
  const vsr_adapter_options adapter = VSR_ADAPTER_OPTIONS_INIT;
  const vsr_multi_options multi = VSR_MULTI_OPTIONS_INIT;
  const vsr_embed_options embed = VSR_EMBED_OPTIONS_INIT;
  const vsr_classify_options classify = VSR_CLASSIFY_OPTIONS_INIT;
  const vsr_intents_options intents = VSR_INTENTS_OPTIONS_INIT;
  const vsr_embed_policy policy = VSR_EMBED_POLICY_INIT;
  const vsr_router_options router = VSR_ROUTER_OPTIONS_INIT;
  const vsr_route_options route = VSR_ROUTE_OPTIONS_INIT;
  const vsr_compress_options compress = VSR_COMPRESS_OPTIONS_INIT;
  check(router.struct_size == sizeof router && router.engine == NULL, "VSR_ROUTER_OPTIONS_INIT");
  check(route.struct_size == sizeof route && route.n_metadata == 0, "VSR_ROUTE_OPTIONS_INIT");
  check(compress.struct_size == sizeof compress && compress.tokenizer == NULL, "VSR_COMPRESS_OPTIONS_INIT");
  check(policy.struct_size == sizeof policy && policy.language == NULL, "VSR_EMBED_POLICY_INIT");
  check(error.struct_size == sizeof error && error.code == VSR_OK && error.message[0] == 0, "VSR_ERROR_INIT");
  check(model.struct_size == sizeof model && model.path == NULL, "VSR_MODEL_OPTIONS_INIT");
  check(engine.struct_size == sizeof engine && engine.n_models == 0 && engine.n_adapters == 0,
        "VSR_ENGINE_OPTIONS_INIT");
  check(adapter.struct_size == sizeof adapter && adapter.path == NULL, "VSR_ADAPTER_OPTIONS_INIT");
  check(multi.struct_size == sizeof multi && multi.path == VSR_PATH_AUTO, "VSR_MULTI_OPTIONS_INIT");
  check(embed.struct_size == sizeof embed && embed.progress == NULL, "VSR_EMBED_OPTIONS_INIT");
  check(classify.struct_size == sizeof classify && classify.task == NULL, "VSR_CLASSIFY_OPTIONS_INIT");
  check(intents.struct_size == sizeof intents && intents.rule == VSR_RULE_DEFAULT, "VSR_INTENTS_OPTIONS_INIT");
  check(vsr_abi_version() == VSR_ABI_VERSION, "vsr_abi_version() is the header's");
  printf("cases: %d passed, %d failed, 0 skipped\n", !failed, failed);
  return failed;
}
