package vsr

// ModelOptions says how to load one model; see vsr_model_options.
type ModelOptions struct {
	Name   string // its name in the engine, and of its tasks; empty: the last part of Path
	Path   string // ignored by LoadModel
	DType  string // "auto" (float32), "float32", "bfloat16", "int8"; empty: auto
	Device string // "auto" (cpu), "cpu", "cuda", "cuda:N"; empty: auto
}

// EngineOptions says what an engine holds; see vsr_engine_options.
type EngineOptions struct {
	Models     []ModelOptions
	ConfigPath string // a YAML file with a `vsr:` section; empty: none
	Threads    uint32 // shared by all engines; 0: one per core. The first engine decides.
	Adapters   []AdapterOptions
	// Calls that wait or run at a time, and tokens that they wait for; more are ErrLimit. 0: 4,096 and 8,388,608.
	MaxQueuedCalls, MaxQueuedTokens uint
}

// Engine is a set of loaded models, which never change, and the tasks they answer. Adapters come and go beside them.
type Engine struct {
	handle    *handle
	isDefault bool
}

// Model is an Engine of one model.
type Model = Engine

// Open loads every model that options name; see vsr_engine_open.
func Open(options EngineOptions) (*Engine, error) {
	handle, err := nativeOpen(&options)
	if err != nil {
		return nil, err
	}
	return &Engine{handle: handle}, nil
}

// LoadModel loads the model in the folder path; see vsr_engine_open_model.
func LoadModel(path string, options *ModelOptions) (*Model, error) {
	if options == nil {
		options = &ModelOptions{}
	}
	handle, err := nativeLoadModel(path, options)
	if err != nil {
		return nil, err
	}
	return &Engine{handle: handle}, nil
}

// Default is the process-wide engine that Init opens, whichever it is when a call is made. Closing it does nothing.
func Default() *Engine { return &Engine{isDefault: true} }

// Init opens the default engine, once; see vsr_init.
func Init(options EngineOptions) error { return nativeInit(&options) }

// Reload replaces the default engine in a single step; see vsr_reload.
func Reload(options EngineOptions) error { return nativeReload(&options) }

// Shutdown closes the default engine; see vsr_shutdown.
func Shutdown() { nativeShutdown() }

// Close gives up the engine. Intents and tokenizers made from it go on working.
func (e *Engine) Close() error {
	if e != nil {
		e.handle.close()
	}
	return nil
}

// Describe describes the engine as the JSON of vsr_engine_describe.
func (e *Engine) Describe() (string, error) { return nativeDescribe(e) }

// Version is the library's version; empty without cgo.
func Version() string { return nativeVersion() }

// TorchVersion is the version of LibTorch that the library was built with; empty without cgo.
func TorchVersion() string { return nativeTorchVersion() }
