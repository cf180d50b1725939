/* Written by tests/abi/generate.py from include/vsr; do not edit.
 * Holds the layout of every public struct and the number of every public constant, as compiled programs rely on
 * them, against the compiler. After a release a field may only be appended; any other change of a line breaks
 * programs and raises VSR_ABI_VERSION. */
#include <stdio.h>
#include <vsr/vsr.h>

#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved")
#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " has changed its size")
#define IS(name, number) _Static_assert((name) == (number), #name " has changed its number")

/* clang-format off */
#if UINTPTR_MAX == UINT64_MAX
SIZE(vsr_str, 16);
AT(vsr_str, data, 0);
AT(vsr_str, size, 8);

SIZE(vsr_error, 520);
AT(vsr_error, struct_size, 0);
AT(vsr_error, code, 4);
AT(vsr_error, message, 8);

SIZE(vsr_model_options, 40);
AT(vsr_model_options, struct_size, 0);
AT(vsr_model_options, reserved, 4);
AT(vsr_model_options, name, 8);
AT(vsr_model_options, path, 16);
AT(vsr_model_options, dtype, 24);
AT(vsr_model_options, device, 32);

SIZE(vsr_engine_options, 64);
AT(vsr_engine_options, struct_size, 0);
AT(vsr_engine_options, thread_count, 4);
AT(vsr_engine_options, config_path, 8);
AT(vsr_engine_options, models, 16);
AT(vsr_engine_options, model_count, 24);
AT(vsr_engine_options, adapters, 32);
AT(vsr_engine_options, adapter_count, 40);
AT(vsr_engine_options, max_queued_calls, 48);
AT(vsr_engine_options, max_queued_tokens, 56);

SIZE(vsr_adapter_options, 32);
AT(vsr_adapter_options, struct_size, 0);
AT(vsr_adapter_options, reserved, 4);
AT(vsr_adapter_options, name, 8);
AT(vsr_adapter_options, path, 16);
AT(vsr_adapter_options, model, 24);

SIZE(vsr_facts_options, 24);
AT(vsr_facts_options, struct_size, 0);
AT(vsr_facts_options, reserved, 4);
AT(vsr_facts_options, nli, 8);
AT(vsr_facts_options, tokens, 16);

SIZE(vsr_guard_options, 152);
AT(vsr_guard_options, struct_size, 0);
AT(vsr_guard_options, policy, 4);
AT(vsr_guard_options, format, 8);
AT(vsr_guard_options, hold, 12);
AT(vsr_guard_options, fail_closed, 16);
AT(vsr_guard_options, no_grounding, 20);
AT(vsr_guard_options, pii, 24);
AT(vsr_guard_options, threshold, 28);
AT(vsr_guard_options, safety_threshold, 32);
AT(vsr_guard_options, reserved, 36);
AT(vsr_guard_options, question, 40);
AT(vsr_guard_options, pii_task, 56);
AT(vsr_guard_options, jailbreak_task, 64);
AT(vsr_guard_options, marker, 72);
AT(vsr_guard_options, replacement, 88);
AT(vsr_guard_options, deadline_ms, 104);
AT(vsr_guard_options, max_hold_ms, 112);
AT(vsr_guard_options, max_hold_size, 120);
AT(vsr_guard_options, max_event_size, 128);
AT(vsr_guard_options, max_body_size, 136);
AT(vsr_guard_options, own_safety_policy, 144);
AT(vsr_guard_options, safety_policy, 148);

SIZE(vsr_guard_event, 104);
AT(vsr_guard_event, struct_size, 0);
AT(vsr_guard_event, kind, 4);
AT(vsr_guard_event, start, 8);
AT(vsr_guard_event, end, 16);
AT(vsr_guard_event, claim_start, 24);
AT(vsr_guard_event, claim_end, 32);
AT(vsr_guard_event, text, 40);
AT(vsr_guard_event, claim, 56);
AT(vsr_guard_event, score, 72);
AT(vsr_guard_event, fact, 76);
AT(vsr_guard_event, milliseconds, 80);
AT(vsr_guard_event, choice, 88);
AT(vsr_guard_event, field, 92);
AT(vsr_guard_event, index, 96);
AT(vsr_guard_event, reserved, 100);

SIZE(vsr_router_options, 40);
AT(vsr_router_options, struct_size, 0);
AT(vsr_router_options, lenient, 4);
AT(vsr_router_options, own_models, 8);
AT(vsr_router_options, validate_models, 12);
AT(vsr_router_options, engine, 16);
AT(vsr_router_options, log, 24);
AT(vsr_router_options, user_data, 32);

SIZE(vsr_route_options, 112);
AT(vsr_route_options, struct_size, 0);
AT(vsr_route_options, explain, 4);
AT(vsr_route_options, evaluate_all, 8);
AT(vsr_route_options, reserved, 12);
AT(vsr_route_options, user, 16);
AT(vsr_route_options, tenant, 24);
AT(vsr_route_options, groups, 32);
AT(vsr_route_options, group_count, 40);
AT(vsr_route_options, header_names, 48);
AT(vsr_route_options, header_values, 56);
AT(vsr_route_options, header_count, 64);
AT(vsr_route_options, metadata_names, 72);
AT(vsr_route_options, metadata_values, 80);
AT(vsr_route_options, metadata_count, 88);
AT(vsr_route_options, deadline_ms, 96);
AT(vsr_route_options, cancel, 104);

SIZE(vsr_signal, 64);
AT(vsr_signal, struct_size, 0);
AT(vsr_signal, matched, 4);
AT(vsr_signal, name, 8);
AT(vsr_signal, detail, 24);
AT(vsr_signal, confidence, 40);
AT(vsr_signal, value, 48);
AT(vsr_signal, duration_ms, 56);

SIZE(vsr_header, 40);
AT(vsr_header, struct_size, 0);
AT(vsr_header, reserved, 4);
AT(vsr_header, name, 8);
AT(vsr_header, value, 24);

SIZE(vsr_answer_policy, 88);
AT(vsr_answer_policy, struct_size, 0);
AT(vsr_answer_policy, include_details, 4);
AT(vsr_answer_policy, guard, 8);
AT(vsr_answer_policy, facts, 16);
AT(vsr_answer_policy, sources, 24);
AT(vsr_answer_policy, source_count, 32);
AT(vsr_answer_policy, hallucination_action, 40);
AT(vsr_answer_policy, unverified_action, 56);
AT(vsr_answer_policy, jailbreak_action, 72);

SIZE(vsr_compress_options, 40);
AT(vsr_compress_options, struct_size, 0);
AT(vsr_compress_options, reserved, 4);
AT(vsr_compress_options, language, 8);
AT(vsr_compress_options, tokenizer, 16);
AT(vsr_compress_options, deadline_ms, 24);
AT(vsr_compress_options, cancel, 32);

SIZE(vsr_range, 24);
AT(vsr_range, struct_size, 0);
AT(vsr_range, reserved, 4);
AT(vsr_range, start, 8);
AT(vsr_range, end, 16);

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

SIZE(vsr_entity, 48);
AT(vsr_entity, struct_size, 0);
AT(vsr_entity, score, 4);
AT(vsr_entity, text, 8);
AT(vsr_entity, start, 16);
AT(vsr_entity, end, 24);
AT(vsr_entity, label, 32);

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

SIZE(vsr_intents_options, 24);
AT(vsr_intents_options, struct_size, 0);
AT(vsr_intents_options, rule, 4);
AT(vsr_intents_options, top_k, 8);
AT(vsr_intents_options, threshold, 12);
AT(vsr_intents_options, task, 16);

SIZE(vsr_intents_add_options, 32);
AT(vsr_intents_add_options, struct_size, 0);
AT(vsr_intents_add_options, reserved, 4);
AT(vsr_intents_add_options, threshold, 8);
AT(vsr_intents_add_options, deadline_ms, 16);
AT(vsr_intents_add_options, cancel, 24);

SIZE(vsr_intents_read_file_options, 48);
AT(vsr_intents_read_file_options, struct_size, 0);
AT(vsr_intents_read_file_options, rule, 4);
AT(vsr_intents_read_file_options, top_k, 8);
AT(vsr_intents_read_file_options, reserved, 12);
AT(vsr_intents_read_file_options, threshold, 16);
AT(vsr_intents_read_file_options, task, 24);
AT(vsr_intents_read_file_options, deadline_ms, 32);
AT(vsr_intents_read_file_options, cancel, 40);

SIZE(vsr_intents_route_options, 24);
AT(vsr_intents_route_options, struct_size, 0);
AT(vsr_intents_route_options, reserved, 4);
AT(vsr_intents_route_options, deadline_ms, 8);
AT(vsr_intents_route_options, cancel, 16);

SIZE(vsr_match, 64);
AT(vsr_match, struct_size, 0);
AT(vsr_match, score, 4);
AT(vsr_match, runner_up_score, 8);
AT(vsr_match, reserved, 12);
AT(vsr_match, label, 16);
AT(vsr_match, nearest, 32);
AT(vsr_match, runner_up, 48);

SIZE(vsr_mask_options, 72);
AT(vsr_mask_options, struct_size, 0);
AT(vsr_mask_options, fail_on_unknown, 4);
AT(vsr_mask_options, key, 8);
AT(vsr_mask_options, tenant, 24);
AT(vsr_mask_options, pii_task, 40);
AT(vsr_mask_options, threshold, 48);
AT(vsr_mask_options, reserved, 52);
AT(vsr_mask_options, types, 56);
AT(vsr_mask_options, type_count, 64);

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
AT(vsr_multi_options, reserved, 12);
AT(vsr_multi_options, wanted, 16);
AT(vsr_multi_options, max_tokens, 24);
AT(vsr_multi_options, progress, 32);
AT(vsr_multi_options, user_data, 40);
AT(vsr_multi_options, deadline_ms, 48);
AT(vsr_multi_options, cancel, 56);

SIZE(vsr_task_outcome, 72);
AT(vsr_task_outcome, struct_size, 0);
AT(vsr_task_outcome, status, 4);
AT(vsr_task_outcome, task, 8);
AT(vsr_task_outcome, model, 24);
AT(vsr_task_outcome, message, 40);
AT(vsr_task_outcome, result, 56);
AT(vsr_task_outcome, kind, 64);
AT(vsr_task_outcome, path, 68);

SIZE(vsr_pass, 72);
AT(vsr_pass, struct_size, 0);
AT(vsr_pass, reserved, 4);
AT(vsr_pass, model, 8);
AT(vsr_pass, tasks, 24);
AT(vsr_pass, task_count, 32);
AT(vsr_pass, block_count, 40);
AT(vsr_pass, shared_block_count, 48);
AT(vsr_pass, row_count, 56);
AT(vsr_pass, separate_row_count, 64);

SIZE(vsr_policy_options, 24);
AT(vsr_policy_options, struct_size, 0);
AT(vsr_policy_options, quality_priority, 4);
AT(vsr_policy_options, latency_priority, 8);
AT(vsr_policy_options, reserved, 12);
AT(vsr_policy_options, language, 16);

SIZE(vsr_candidate, 72);
AT(vsr_candidate, struct_size, 0);
AT(vsr_candidate, chosen, 4);
AT(vsr_candidate, model, 8);
AT(vsr_candidate, rejected, 24);
AT(vsr_candidate, quality, 40);
AT(vsr_candidate, speed, 44);
AT(vsr_candidate, score, 48);
AT(vsr_candidate, reserved, 52);
AT(vsr_candidate, token_count, 56);
AT(vsr_candidate, window_count, 64);

#endif

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
IS(VSR_POLICY_OBSERVE, 0);
IS(VSR_POLICY_ANNOTATE, 1);
IS(VSR_POLICY_WARN, 2);
IS(VSR_POLICY_REPLACE, 3);
IS(VSR_POLICY_TERMINATE, 4);
IS(VSR_STREAM_AUTO, 0);
IS(VSR_STREAM_SSE, 1);
IS(VSR_STREAM_TEXT, 2);
IS(VSR_STREAM_JSON, 3);
IS(VSR_GUARD_NUMBER, 0);
IS(VSR_GUARD_DATE, 1);
IS(VSR_GUARD_AMOUNT, 2);
IS(VSR_GUARD_UNIT, 3);
IS(VSR_GUARD_PERCENT, 4);
IS(VSR_GUARD_NAME, 5);
IS(VSR_GUARD_IDENTIFIER, 6);
IS(VSR_GUARD_NEGATION, 7);
IS(VSR_GUARD_CONTRADICTION, 8);
IS(VSR_GUARD_UNSUPPORTED, 9);
IS(VSR_GUARD_PII, 10);
IS(VSR_GUARD_JAILBREAK, 11);
IS(VSR_FIELD_TEXT, 0);
IS(VSR_FIELD_REFUSAL, 1);
IS(VSR_FIELD_REASONING, 2);
IS(VSR_FIELD_TOOL, 3);
IS(VSR_LOG_INFO, 1);
IS(VSR_LOG_WARNING, 2);
IS(VSR_LOG_ERROR, 3);
IS(VSR_OUTCOME_NONE, 0);
IS(VSR_OUTCOME_FORWARD, 1);
IS(VSR_OUTCOME_RESPOND, 2);
IS(VSR_OUTCOME_CACHED, 3);
IS(VSR_OUTCOME_PASSTHROUGH, 4);
IS(VSR_FINISH_LENGTH, 1);
IS(VSR_FINISH_EOS, 2);
IS(VSR_RULE_DEFAULT, 0);
IS(VSR_RULE_VOTE, 1);
IS(VSR_RULE_BEST, 2);
IS(VSR_RULE_BLEND, 3);
IS(VSR_SEVERITY_UNPARSED, 0);
IS(VSR_SEVERITY_SAFE, 1);
IS(VSR_SEVERITY_CONTROVERSIAL, 2);
IS(VSR_SEVERITY_UNSAFE, 3);
IS(VSR_REFUSAL_UNKNOWN, 0);
IS(VSR_REFUSAL_YES, 1);
IS(VSR_REFUSAL_NO, 2);
IS(VSR_PATH_AUTO, 0);
IS(VSR_PATH_STANDARD, 1);
IS(VSR_PATH_LORA, 2);
IS(VSR_TASK_NONE, 0);
IS(VSR_TASK_EMBEDDING, 1);
IS(VSR_TASK_SEQUENCE_CLASSIFICATION, 2);
IS(VSR_TASK_TOKEN_CLASSIFICATION, 3);

static int passed = 0, failed = 0;

static void check(int ok, const char* what) {
  if (!ok) printf("failed: %s\n", what);
  ok ? ++passed : ++failed;
}

/* What assertions cannot see: the macros that callers compile in, and the library that they then meet. */
int main(void) {
  const vsr_adapter_options a_vsr_adapter_options = VSR_ADAPTER_OPTIONS_INIT;
  check(a_vsr_adapter_options.struct_size == sizeof a_vsr_adapter_options, "VSR_ADAPTER_OPTIONS_INIT");
  const vsr_compress_options a_vsr_compress_options = VSR_COMPRESS_OPTIONS_INIT;
  check(a_vsr_compress_options.struct_size == sizeof a_vsr_compress_options, "VSR_COMPRESS_OPTIONS_INIT");
  const vsr_model_options a_vsr_model_options = VSR_MODEL_OPTIONS_INIT;
  check(a_vsr_model_options.struct_size == sizeof a_vsr_model_options, "VSR_MODEL_OPTIONS_INIT");
  const vsr_engine_options a_vsr_engine_options = VSR_ENGINE_OPTIONS_INIT;
  check(a_vsr_engine_options.struct_size == sizeof a_vsr_engine_options, "VSR_ENGINE_OPTIONS_INIT");
  const vsr_generate_options a_vsr_generate_options = VSR_GENERATE_OPTIONS_INIT;
  check(a_vsr_generate_options.struct_size == sizeof a_vsr_generate_options, "VSR_GENERATE_OPTIONS_INIT");
  const vsr_facts_options a_vsr_facts_options = VSR_FACTS_OPTIONS_INIT;
  check(a_vsr_facts_options.struct_size == sizeof a_vsr_facts_options, "VSR_FACTS_OPTIONS_INIT");
  const vsr_guard_options a_vsr_guard_options = VSR_GUARD_OPTIONS_INIT;
  check(a_vsr_guard_options.struct_size == sizeof a_vsr_guard_options, "VSR_GUARD_OPTIONS_INIT");
  const vsr_embed_options a_vsr_embed_options = VSR_EMBED_OPTIONS_INIT;
  check(a_vsr_embed_options.struct_size == sizeof a_vsr_embed_options, "VSR_EMBED_OPTIONS_INIT");
  const vsr_classify_options a_vsr_classify_options = VSR_CLASSIFY_OPTIONS_INIT;
  check(a_vsr_classify_options.struct_size == sizeof a_vsr_classify_options, "VSR_CLASSIFY_OPTIONS_INIT");
  const vsr_intents_options a_vsr_intents_options = VSR_INTENTS_OPTIONS_INIT;
  check(a_vsr_intents_options.struct_size == sizeof a_vsr_intents_options, "VSR_INTENTS_OPTIONS_INIT");
  const vsr_intents_add_options a_vsr_intents_add_options = VSR_INTENTS_ADD_OPTIONS_INIT;
  check(a_vsr_intents_add_options.struct_size == sizeof a_vsr_intents_add_options, "VSR_INTENTS_ADD_OPTIONS_INIT");
  const vsr_intents_read_file_options a_vsr_intents_read_file_options = VSR_INTENTS_READ_FILE_OPTIONS_INIT;
  check(a_vsr_intents_read_file_options.struct_size == sizeof a_vsr_intents_read_file_options, "VSR_INTENTS_READ_FILE_OPTIONS_INIT");
  const vsr_intents_route_options a_vsr_intents_route_options = VSR_INTENTS_ROUTE_OPTIONS_INIT;
  check(a_vsr_intents_route_options.struct_size == sizeof a_vsr_intents_route_options, "VSR_INTENTS_ROUTE_OPTIONS_INIT");
  const vsr_mask_options a_vsr_mask_options = VSR_MASK_OPTIONS_INIT;
  check(a_vsr_mask_options.struct_size == sizeof a_vsr_mask_options, "VSR_MASK_OPTIONS_INIT");
  const vsr_moderate_options a_vsr_moderate_options = VSR_MODERATE_OPTIONS_INIT;
  check(a_vsr_moderate_options.struct_size == sizeof a_vsr_moderate_options, "VSR_MODERATE_OPTIONS_INIT");
  const vsr_multi_options a_vsr_multi_options = VSR_MULTI_OPTIONS_INIT;
  check(a_vsr_multi_options.struct_size == sizeof a_vsr_multi_options, "VSR_MULTI_OPTIONS_INIT");
  const vsr_router_options a_vsr_router_options = VSR_ROUTER_OPTIONS_INIT;
  check(a_vsr_router_options.struct_size == sizeof a_vsr_router_options, "VSR_ROUTER_OPTIONS_INIT");
  const vsr_route_options a_vsr_route_options = VSR_ROUTE_OPTIONS_INIT;
  check(a_vsr_route_options.struct_size == sizeof a_vsr_route_options, "VSR_ROUTE_OPTIONS_INIT");
  const vsr_policy_options a_vsr_policy_options = VSR_POLICY_OPTIONS_INIT;
  check(a_vsr_policy_options.struct_size == sizeof a_vsr_policy_options, "VSR_POLICY_OPTIONS_INIT");
  const vsr_error a_vsr_error = VSR_ERROR_INIT;
  check(a_vsr_error.struct_size == sizeof a_vsr_error, "VSR_ERROR_INIT");
  check(vsr_abi_version() == VSR_ABI_VERSION, "vsr_abi_version() is the header's");
  printf("cases: %d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
