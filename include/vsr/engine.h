/* Engines: which models are loaded, under which names; the process-wide default engine. */
#ifndef VSR_ENGINE_H
#define VSR_ENGINE_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Loaded models, which never change, and the tasks they answer. Adapters come and go beside them (vsr/adapters.h); a
 * call ends with those it began with. Every function on engines is thread-safe. Functions that take an engine accept
 * NULL for the default engine, which vsr_init() opens.
 */
typedef struct vsr_engine vsr_engine;

/** How to load one model. Zero means default in every field. */
typedef struct vsr_model_options {
  uint32_t struct_size; /**< set by VSR_MODEL_OPTIONS_INIT */
  uint32_t reserved;    /**< 0 */
  const char *name;     /**< its name in the engine, and of its tasks; NULL: the last part of `path` */
  const char *path; /**< folder with config.json, model.safetensors and tokenizer; ignored by vsr_engine_open_model() */
  /** "float32", "bfloat16", "int8": what the linear layers of the blocks compute in. "auto" or NULL: float32. What this
   *  machine cannot run is VSR_ERR_UNSUPPORTED. */
  const char *dtype;
  /** Where the model's weights are and its passes run: "cpu", or a GPU by CUDA, "cuda" or "cuda:N". "auto" or NULL:
   *  cpu. Without such a GPU, or without LibTorch's CUDA libraries, VSR_ERR_UNSUPPORTED says which is missing. */
  const char *device;
} vsr_model_options;

#define VSR_MODEL_OPTIONS_INIT {(uint32_t)sizeof(vsr_model_options), 0, NULL, NULL, NULL, NULL}

struct vsr_adapter_options; /* vsr/adapters.h */

/** What an engine holds: the models and adapters of a config file's `vsr:` section, then the given ones. */
typedef struct vsr_engine_options {
  uint32_t struct_size; /**< set by VSR_ENGINE_OPTIONS_INIT */
  uint32_t
      thread_count; /**< threads for computing, shared by all engines; 0: one per core. The first engine decides. */
  const char *config_path;                /**< a YAML file with a `vsr:` section, or NULL */
  const vsr_model_options *const *models; /**< array of model_count pointers, or NULL */
  size_t model_count;
  const struct vsr_adapter_options *const *adapters; /**< array of adapter_count pointers, or NULL */
  size_t adapter_count;
  size_t max_queued_calls;  /**< calls that wait or run at a time; more are VSR_ERR_LIMIT; 0: 4,096 */
  size_t max_queued_tokens; /**< tokens that they wait for, beyond which none is let in; 0: 8,388,608 */
} vsr_engine_options;

#define VSR_ENGINE_OPTIONS_INIT {(uint32_t)sizeof(vsr_engine_options), 0, NULL, NULL, 0, NULL, 0, 0, 0}

/**
 * Loads every model and adapter that `options` names. All files are checked before the call returns.
 *
 * @param out_engine  Caller frees with vsr_engine_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT (no model at all, two of one name), or what vsr_engine_open_model() and
 *   vsr_engine_load_adapter() return.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_engine_open(const vsr_engine_options *options, vsr_engine **out_engine, vsr_error *error);

/**
 * Opens an engine of one model, that in the folder `path`: config.json (its `model_type` selects the architecture), model.safetensors or
 * the sharded model.safetensors.index.json, the tokenizer's files, and where present the modules.json,
 * sentence_bert_config.json and 1_Pooling/config.json of sentence-transformers.
 *
 * @param options  NULL for defaults.
 * @param out_engine  Caller frees with vsr_engine_free().
 * @return VSR_OK, VSR_ERR_NOT_FOUND (a file is missing), VSR_ERR_IO, VSR_ERR_PARSE (config or tokenizer),
 *   VSR_ERR_WEIGHTS, VSR_ERR_UNSUPPORTED (architecture, tokenizer component, dtype or device), VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_engine_open_model(const char *path, const vsr_model_options *options, vsr_engine **out_engine,
                                         vsr_error *error);

/**
 * Gives up the caller's hold on `engine`; NULL is allowed. Calls in flight and handles made from the engine keep it
 * alive, so the order in which handles are freed is free.
 * @since 0.2
 * Thread-safe.
 */
VSR_API void vsr_engine_free(vsr_engine *engine);

/**
 * Opens the process-wide default engine, once. Of callers that race, one opens it and the others wait and get its
 * outcome. A second call with equal options succeeds and does nothing. A call that fails leaves no default engine, and
 * may be repeated.
 *
 * @return VSR_OK, VSR_ERR_STATE (open with other options; the message names both), or what vsr_engine_open() returns.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_init(const vsr_engine_options *options, vsr_error *error);

/**
 * Opens an engine with `options` and makes it the default one in a single step. Calls in flight end on the engine they
 * began with; the old one is freed when the last of them returns. On failure the old one stays.
 *
 * @return VSR_OK, VSR_ERR_STATE (vsr_init() has not succeeded yet), or what vsr_engine_open() returns.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_reload(const vsr_engine_options *options, vsr_error *error);

/**
 * Closes the default engine. Later calls on it return VSR_ERR_STATE until vsr_init() is called again. Without a
 * default engine the call does nothing.
 * @since 0.2
 * Thread-safe.
 */
VSR_API void vsr_shutdown(void);

/**
 * Describes an engine as a JSON object:
 * {"models": [{"name", "path", "architecture", "layers", "hidden_size", "attention_heads", "key_value_heads",
 *   "head_dim", "attention": [{"type", "layers", "causal", "window", "rope": {"type", "theta", "factor"}}],
 *   "intermediate_size", "vocab_size", "max_tokens", "max_tokens_source", "dtype", "device", "parameters",
 *   "bytes_in_memory", "tokenizer",
 *   "embedding": {"pooling", "normalize", "dim", "matryoshka_dims", "modules", "include_prompt", "default_prompt",
 *     "prompts", "quality", "languages"}, "heads": [{"task", "kind", "labels", "multi_label"}]}],
 *  "adapters": [{"name", "path", "model", "kind", "labels", "multi_label", "rank", "first_layer", "parameters",
 *   "head_parameters", "bytes_in_memory"}],
 *  "tasks": [{"name", "kind", "model", "path", "adapter"}],
 *  "queue": {"calls", "tokens", "max_calls", "max_tokens", "accepted", "rejected", "cancelled", "late"},
 *  "compute": {"threads", "busy_threads", "waiting_calls", "waiting_tokens", "batches", "batched_calls", "sequences",
 *   "tokens"}}
 * with "kind" one of "embedding", "sequence_classification", "token_classification", "generation"; "window" in tokens to
 * a side, and absent where there is none; "rope" absent where positions are learned; "first_layer" the first block that
 * an adapter changes; "queue" the engine's calls that wait or run, and those since it was opened that were let in, found
 * the queue full, were cancelled, or missed their deadline; "compute" the process's threads, and what they ran since
 * the start; "path" one of "standard" and "lora", which alone has an "adapter". A task that has both is listed
 * twice.
 *
 * @param out_json  Caller frees with vsr_string_free().
 * @return VSR_OK, VSR_ERR_STATE.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_engine_describe(const vsr_engine *engine, vsr_string **out_json, vsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
