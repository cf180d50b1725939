package vsr

import "context"

// Progress is called between batches of a long call, by the goroutine that made the call, with the number of texts done
// and of all. True ends the call with ErrCancelled. A panic ends the call too, and goes on in its caller.
type Progress func(done, total int) bool

// EmbedOptions: see vsr_embed_options.
type EmbedOptions struct {
	Dim         int32  // keep the first Dim values (Matryoshka); 0: all
	Layer       int32  // output of the first Layer blocks and the final norm; 0: all
	NoNormalize bool   // leave vectors as the model's modules make them
	Task        string // an embedding task, which is a model's name; empty: the only one
	Prompt      string // name of one of the checkpoint's prompts; empty: its default prompt, if any
	Instruction string // free text in front of each text instead of a prompt; empty: none
	MaxTokens   uint   // longer texts are ErrLimit instead of windowed; 0: no limit
	Progress    Progress
	Context     context.Context // its end and its deadline are the call's; nil: none
}

// ClassifyOptions: see vsr_classify_options.
type ClassifyOptions struct {
	Task      string  // empty: the only one of the kind that the call needs
	Threshold float32 // entities only: least score of one; 0: 0.5
	MaxTokens uint    // longer texts are ErrLimit instead of windowed; 0: no limit
	Progress  Progress
	Context   context.Context // its end and its deadline are the call's; nil: none
}

// Usage says how one text was read.
type Usage struct {
	Tokens   int // of the full encoding, special tokens counted once
	Windows  int // 1 when the text fits the model
	Dropped  int // tokens that no window read
	Replaced int // bytes that were not UTF-8 and were read as U+FFFD
}

// Matrix is a float32 matrix, row-major.
type Matrix struct {
	Rows, Cols int
	Data       []float32
}

// Row is row i, not copied.
func (m *Matrix) Row(i int) []float32 { return m.Data[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols] }

// Embeddings holds one vector per text.
type Embeddings struct {
	Matrix
	Usage []Usage // one per text
}

// Classification is what a sequence-classification head says about one text.
type Classification struct {
	Label   string // the one with the highest score
	LabelID int    // its index in Labels
	Score   float32
	Probs   []float32 // one per label
	Labels  []string  // in the order of the checkpoint; shared by the results of one call
	Usage   Usage
}

// TokenProbs is what a token-classification head says about every token of one text, special tokens included.
type TokenProbs struct {
	Matrix // [tokens, labels]
	Labels []string
	Usage  Usage
}

// Entity is a part of a text with a label.
type Entity struct {
	Label      string // without its BIO prefix
	Start, End int    // bytes in the text (of a pair in the second one), end exclusive
	Score      float32
}

// TextEntities are the entities of one text, ordered by start.
type TextEntities struct {
	Entities []Entity
	Usage    Usage
}

// Neighbour is a candidate of Nearest.
type Neighbour struct {
	Index int
	Score float32
}

// Embed embeds each text; see vsr_embed.
func (e *Engine) Embed(texts []string, options *EmbedOptions) (*Embeddings, error) {
	return nativeEmbed(e, texts, options)
}

// EmbedInto is Embed into memory of the caller: the vector of text i begins at vectors[i*dim]. It returns dim.
func (e *Engine) EmbedInto(vectors []float32, texts []string, options *EmbedOptions) (int, error) {
	return nativeEmbedInto(e, vectors, texts, options)
}

// Classify scores each text against every label of a sequence-classification head; see vsr_classify.
func (e *Engine) Classify(texts []string, options *ClassifyOptions) ([]Classification, error) {
	return nativeClassify(e, texts, nil, options)
}

// ClassifyPairs scores texts[i] together with pairs[i]; see vsr_classify.
func (e *Engine) ClassifyPairs(texts, pairs []string, options *ClassifyOptions) ([]Classification, error) {
	if err := sameLength("texts", texts, "pairs", pairs); err != nil {
		return nil, err
	}
	return nativeClassify(e, texts, pairs, options)
}

// TokenProbs scores every token of one text; see vsr_token_probs.
func (e *Engine) TokenProbs(text string, options *ClassifyOptions) (*TokenProbs, error) {
	return nativeTokenProbs(e, text, nil, options)
}

// TokenProbsOfPair scores every token of two texts that are read together; see vsr_token_probs_of_pair.
func (e *Engine) TokenProbsOfPair(text, pair string, options *ClassifyOptions) (*TokenProbs, error) {
	return nativeTokenProbs(e, text, &pair, options)
}

// Entities finds the entities in each text; see vsr_entities.
func (e *Engine) Entities(texts []string, options *ClassifyOptions) ([]TextEntities, error) {
	return nativeEntities(e, texts, nil, options)
}

// EntitiesOfPairs finds the entities in pairs[i], which is read together with texts[i]; see vsr_entities_of_pairs.
func (e *Engine) EntitiesOfPairs(texts, pairs []string, options *ClassifyOptions) ([]TextEntities, error) {
	if err := sameLength("texts", texts, "pairs", pairs); err != nil {
		return nil, err
	}
	if pairs == nil { // to the C side that is no pairs
		pairs = []string{}
	}
	return nativeEntities(e, texts, pairs, options)
}

// Similarity is the cosine similarity of a[i] and b[i]; see vsr_similarity.
func (e *Engine) Similarity(a, b []string, options *EmbedOptions) ([]float32, error) {
	if err := sameLength("a", a, "b", b); err != nil {
		return nil, err
	}
	return nativeSimilarity(e, a, b, options)
}

// SimilarityMatrix is the cosine similarity of every a[i] with every b[j]; see vsr_similarity_matrix.
func (e *Engine) SimilarityMatrix(a, b []string, options *EmbedOptions) (*Matrix, error) {
	return nativeSimilarityMatrix(e, a, b, options)
}

// Nearest gives the k candidates most similar to query, best first; see vsr_nearest.
func (e *Engine) Nearest(query string, candidates []string, k int, options *EmbedOptions) ([]Neighbour, error) {
	if k < 0 {
		return nil, errorf(ErrInvalidArgument, "k is %d, the least is 0", k)
	}
	return nativeNearest(e, query, candidates, min(k, len(candidates)), options)
}

// The C interface takes one length for both.
func sameLength(aName string, a []string, bName string, b []string) error {
	if len(a) == len(b) {
		return nil
	}
	return errorf(ErrInvalidArgument, "%s has %d elements, %s has %d", aName, len(a), bName, len(b))
}
