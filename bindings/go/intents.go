package vsr

import "context"

// Rule says how neighbours decide; see vsr/intents.h.
type Rule int32

const (
	RuleDefault Rule = 0 // RuleVote
	RuleVote    Rule = 1 // the nearest examples vote, near ones with much more weight
	RuleBest    Rule = 2 // the intent of the nearest example wins
	RuleBlend   Rule = 3 // nearness to the nearest example and to the mean of an intent's examples count alike
)

// IntentsOptions: see vsr_intents_options.
type IntentsOptions struct {
	Rule      Rule
	TopK      int32   // examples that vote; 0: 5
	Threshold float32 // least score of a match, for intents without their own
	Task      string  // the embedding task; empty: the only one
}

// Intents is a set of private intents, each a label with example texts, that may change while others route.
type Intents struct{ handle *handle }

// Match is a text's intent. Empty labels mean none.
type Match struct {
	Label         string // empty: none of these (below the threshold, or an empty set)
	Nearest       string // the winner before the threshold
	RunnerUp      string // the next other intent among the neighbours
	Score         float32
	RunnerUpScore float32
}

// NewIntents makes an empty set over an engine's embedding task; see vsr_intents_create.
func NewIntents(engine *Engine, options *IntentsOptions) (*Intents, error) {
	if options == nil {
		options = &IntentsOptions{}
	}
	handle, err := nativeNewIntents(engine, options)
	if err != nil {
		return nil, err
	}
	return &Intents{handle}, nil
}

// LoadIntents reads a set that Save wrote; see vsr_intents_load. An empty task is the only one.
func LoadIntents(engine *Engine, path, task string) (*Intents, error) {
	handle, err := nativeLoadIntents(engine, path, task)
	if err != nil {
		return nil, err
	}
	return &Intents{handle}, nil
}

// IntentsFileOptions: see vsr_intents_read_file_options. What is given counts in place of what the file says.
type IntentsFileOptions struct {
	Rule      Rule
	TopK      int32           // 0: the file's
	Threshold *float32        // of all intents; nil: the file's
	Task      string          // the embedding task; empty: the only one
	Context   context.Context // its end and its deadline are the call's; nil: none
}

// ReadIntents makes a set of a YAML or CSV file that people write; see vsr_intents_read_file.
func ReadIntents(engine *Engine, path string, options *IntentsFileOptions) (*Intents, error) {
	if options == nil {
		options = &IntentsFileOptions{}
	}
	handle, err := nativeReadIntents(engine, path, options)
	if err != nil {
		return nil, err
	}
	return &Intents{handle}, nil
}

// Close gives up the set.
func (x *Intents) Close() error {
	if x != nil {
		x.handle.close()
	}
	return nil
}

// Add adds examples to an intent, which begins with its first example; see vsr_intents_add. A threshold that is not nil
// becomes the intent's own.
func (x *Intents) Add(label string, examples []string, threshold *float32) error {
	return nativeAddIntent(nil, x, label, examples, threshold)
}

// AddContext is Add under a Context, which ends it while the examples are embedded.
func (x *Intents) AddContext(ctx context.Context, label string, examples []string, threshold *float32) error {
	return nativeAddIntent(ctx, x, label, examples, threshold)
}

// RouteVectors finds the intents of texts that were embedded before, by the set's own embedding task; see
// vsr_intents_route_vectors.
func (x *Intents) RouteVectors(vectors *Matrix) ([]Match, error) {
	return x.RouteVectorsContext(nil, vectors)
}

// RouteVectorsContext is RouteVectors under a Context, which ends it between vectors.
func (x *Intents) RouteVectorsContext(ctx context.Context, vectors *Matrix) ([]Match, error) {
	if vectors == nil || vectors.Rows < 0 || vectors.Cols < 0 || len(vectors.Data) != vectors.Rows*vectors.Cols {
		return nil, errorf(ErrInvalidArgument, "vectors is nil, or Data is not Rows times Cols long")
	}
	return nativeRouteVectors(ctx, x, vectors)
}

// Remove removes an intent with all its examples; see vsr_intents_remove.
func (x *Intents) Remove(label string) error { return nativeRemoveIntent(x, label) }

// Route finds each text's intent; see vsr_intents_route.
func (x *Intents) Route(texts []string) ([]Match, error) { return nativeRoute(nil, x, texts) }

// RouteContext is Route under a Context, which ends it while the texts are embedded or compared.
func (x *Intents) RouteContext(ctx context.Context, texts []string) ([]Match, error) {
	return nativeRoute(ctx, x, texts)
}

// Describe describes the set as the JSON of vsr_intents_describe.
func (x *Intents) Describe() (string, error) { return nativeDescribeIntents(x) }

// Save writes the set, examples and vectors included, to one file; see vsr_intents_save.
func (x *Intents) Save(path string) error { return nativeSaveIntents(x, path) }
