package vsr

// AdapterOptions says which LoRA adapter to load; see vsr_adapter_options.
type AdapterOptions struct {
	Name  string // its name in the engine, and of its task; empty: the last part of Path
	Path  string // folder with adapter_config.json and adapter_model.safetensors
	Model string // name of the model that it adapts; empty: the only one
}

// LoadAdapter loads an adapter while the engine serves; with replace it takes the place of the one of its name. See
// vsr_engine_load_adapter.
func (e *Engine) LoadAdapter(options AdapterOptions, replace bool) error {
	return nativeLoadAdapter(e, &options, replace)
}

// UnloadAdapter takes an adapter and its task away; calls in flight end with it. See vsr_engine_unload_adapter.
func (e *Engine) UnloadAdapter(name string) error { return nativeUnloadAdapter(e, name) }

// MergeAdapter writes an adapter and its base as one standard checkpoint, a new folder; see vsr_engine_merge_adapter.
func (e *Engine) MergeAdapter(options AdapterOptions, outputPath string) error {
	return nativeMergeAdapter(e, &options, outputPath)
}
