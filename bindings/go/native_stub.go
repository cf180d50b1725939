//go:build !cgo

// Without cgo there is no engine: every call fails, so that a gateway cannot take "not looked at" for "harmless".

package vsr

import "context"

func nativeVersion() string      { return "" }
func nativeTorchVersion() string { return "" }

func nativeOpen(*EngineOptions) (*handle, error)                 { return nil, ErrNoCgo }
func nativeLoadModel(string, *ModelOptions) (*handle, error)     { return nil, ErrNoCgo }
func nativeInit(*EngineOptions) error                            { return ErrNoCgo }
func nativeReload(*EngineOptions) error                          { return ErrNoCgo }
func nativeShutdown()                                            {}
func nativeDescribe(*Engine) (string, error)                     { return "", ErrNoCgo }
func nativeEngineTokenizer(*Engine, string) (*handle, error)     { return nil, ErrNoCgo }
func nativeLoadTokenizer(string) (*handle, error)                { return nil, ErrNoCgo }
func nativeVocabSize(*Tokenizer) int                             { return 0 }
func nativeDecode(*Tokenizer, []int32, bool) (string, error)     { return "", ErrNoCgo }
func nativeDescribeIntents(*Intents) (string, error)             { return "", ErrNoCgo }
func nativeSaveIntents(*Intents, string) error                   { return ErrNoCgo }
func nativeRemoveIntent(*Intents, string) error                  { return ErrNoCgo }
func nativeLoadIntents(*Engine, string, string) (*handle, error) { return nil, ErrNoCgo }

func nativeEmbed(*Engine, []string, *EmbedOptions) (*Embeddings, error) { return nil, ErrNoCgo }
func nativeEmbedInto(*Engine, []float32, []string, *EmbedOptions) (int, error) {
	return 0, ErrNoCgo
}
func nativeClassify(_ *Engine, _, _ []string, _ *ClassifyOptions) ([]Classification, error) {
	return nil, ErrNoCgo
}
func nativeTokenProbs(*Engine, string, *ClassifyOptions) (*TokenProbs, error) { return nil, ErrNoCgo }
func nativeEntities(*Engine, []string, *ClassifyOptions) ([]TextEntities, error) {
	return nil, ErrNoCgo
}
func nativeSimilarity(_ *Engine, _, _ []string, _ *EmbedOptions) ([]float32, error) {
	return nil, ErrNoCgo
}
func nativeSimilarityMatrix(_ *Engine, _, _ []string, _ *EmbedOptions) (*Matrix, error) {
	return nil, ErrNoCgo
}
func nativeNearest(*Engine, string, []string, int, *EmbedOptions) ([]Neighbour, error) {
	return nil, ErrNoCgo
}
func nativeLoadAdapter(*Engine, *AdapterOptions, bool) error    { return ErrNoCgo }
func nativeUnloadAdapter(*Engine, string) error                 { return ErrNoCgo }
func nativeMergeAdapter(*Engine, *AdapterOptions, string) error { return ErrNoCgo }
func nativeClassifyAll(_ *Engine, _, _, _ []string, _ *MultiOptions) (*MultiResult, error) {
	return nil, ErrNoCgo
}
func nativeRouteVectors(*Intents, *Matrix) ([]Match, error) { return nil, ErrNoCgo }
func nativeSelectModel(*Engine, []string, *EmbedPolicy, *EmbedOptions) (*Selection, error) {
	return nil, ErrNoCgo
}
func nativeEmbedSelect(*Engine, []string, *EmbedPolicy, *EmbedOptions) (*Embeddings, *Selection, error) {
	return nil, nil, ErrNoCgo
}
func nativeEncode(*Tokenizer, string, *EncodeOptions) (*Encoding, error)          { return nil, ErrNoCgo }
func nativeNewIntents(*Engine, *IntentsOptions) (*handle, error)                  { return nil, ErrNoCgo }
func nativeAddIntent(context.Context, *Intents, string, []string, *float32) error { return ErrNoCgo }
func nativeRoute(context.Context, *Intents, []string) ([]Match, error)            { return nil, ErrNoCgo }
func nativeGenerate(*Engine, string, *GenerateOptions) (*Generation, error)       { return nil, ErrNoCgo }
func nativeModerate(*Engine, string, *string, *ModerateOptions) (*Verdict, error) {
	return nil, ErrNoCgo
}
func nativeOpenRouter(string, *RouterOptions) (*handle, error) { return nil, ErrNoCgo }
func nativeRouteRequest(*Router, []byte, *RouteOptions) (*Decision, error) {
	return nil, ErrNoCgo
}
func nativeDecide(*Router, map[string]float64) (*Decision, error)       { return nil, ErrNoCgo }
func nativeStoreResponse(*Router, *Decision, []byte) error              { return ErrNoCgo }
func nativeFeedback(*Router, *Decision, bool) error                     { return ErrNoCgo }
func nativeDescribeRouter(*Router) (string, error)                      { return "", ErrNoCgo }
func nativeMetrics(*Router) (string, error)                             { return "", ErrNoCgo }
func nativeRouterSchema() (string, error)                               { return "", ErrNoCgo }
func nativeCompress(string, int, *CompressOptions) (*Compressed, error) { return nil, ErrNoCgo }

func nativeNewFacts(*Engine, []string, *FactsOptions) (*handle, error) { return nil, ErrNoCgo }
func nativeCheck(*Facts, string, *GuardOptions) (*GuardStep, error)    { return nil, ErrNoCgo }
func nativeNewGuard(*Facts, *GuardOptions) (*handle, error)            { return nil, ErrNoCgo }
func nativeFeed(*Guard, []byte) (*GuardStep, error)                    { return nil, ErrNoCgo }
func nativeFinish(*Guard) (*GuardStep, error)                          { return nil, ErrNoCgo }
func nativeDescribeGuard(*Guard) (string, error)                       { return "", ErrNoCgo }
func nativeGuardKindName(GuardKind) string                             { return "" }
