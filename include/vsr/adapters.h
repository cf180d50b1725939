/* LoRA adapters: small tasks on a loaded model, which come and go while it serves. */
#ifndef VSR_ADAPTERS_H
#define VSR_ADAPTERS_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An adapter is a folder as PEFT saves it (adapter_config.json, adapter_model.safetensors, and the labels of its head
 * in id2label.json), trained on one of the engine's models. It answers a task of its own name: classification if it
 * has a head, else embeddings. The model's weights stay as they are. See docs/adapters.md.
 */

/** One adapter. Zero means default in every field but `path`. */
typedef struct vsr_adapter_options {
  uint32_t struct_size; /**< set by VSR_ADAPTER_OPTIONS_INIT */
  uint32_t reserved;    /**< 0 */
  const char *name;     /**< its name in the engine, and of its task; NULL: the last part of `path` */
  const char *path;     /**< folder with adapter_config.json and adapter_model.safetensors */
  const char *model;    /**< name of the model that it adapts; NULL: the only one */
} vsr_adapter_options;

#define VSR_ADAPTER_OPTIONS_INIT {(uint32_t)sizeof(vsr_adapter_options), 0, NULL, NULL, NULL}

/**
 * Loads an adapter into an engine that may be serving. Calls in flight end with the adapters they began with; later
 * ones see the new one. On failure nothing changes.
 *
 * Adapters belong to the engine, not to its options: what was loaded into the default engine is gone after
 * vsr_reload(), whose own options say which adapters the new one begins with.
 *
 * @param engine  NULL for the default engine.
 * @param options  Not NULL.
 * @param replace  1: takes the place of the adapter of that name, if there is one; 0: a name in use is an error.
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT (the name is in use), VSR_ERR_NOT_FOUND (a file, or the model),
 *   VSR_ERR_IO, VSR_ERR_PARSE (config or labels), VSR_ERR_WEIGHTS (tensors that do not fit the config or the model),
 *   VSR_ERR_UNSUPPORTED (a kind of adapter that vsr does not run), VSR_ERR_STATE, VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_engine_load_adapter(vsr_engine *engine, const vsr_adapter_options *options, int32_t replace,
                                           vsr_error *error);

/**
 * Takes an adapter and its task out of an engine. Calls in flight that use it end with it; its memory is freed when the
 * last of them returns.
 *
 * @param engine  NULL for the default engine.
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_NOT_FOUND (no adapter of that name), VSR_ERR_PARSE (a task of the
 *   config file names it), VSR_ERR_STATE.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_engine_unload_adapter(vsr_engine *engine, const char *name, vsr_error *error);

/**
 * Folds an adapter into a copy of the model that it adapts, and writes both as one standard checkpoint that answers as
 * they do, for deployments with a single task. What changed is stored in float32, the rest as the model has it. The
 * engine does not change, and the adapter need not be loaded.
 *
 * @param engine  NULL for the default engine.
 * @param options  `path` and `model` count. Not NULL.
 * @param output_path  A folder that does not exist yet; on failure nothing is left of it.
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT (the folder exists), VSR_ERR_IO, VSR_ERR_UNSUPPORTED (an adapter of
 *   embeddings for a model with a head), or what vsr_engine_load_adapter() returns.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_engine_merge_adapter(const vsr_engine *engine, const vsr_adapter_options *options,
                                            const char *output_path, vsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
