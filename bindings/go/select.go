package vsr

// EmbedPolicy: see vsr_policy_options.
type EmbedPolicy struct {
	QualityPriority float32 // 0 to 1; only its proportion to the other counts, and both 0 count alike
	LatencyPriority float32 // 0 to 1
	Language        string  // of the texts, such as "de" or "pt-BR"; empty: not asked for
}

// Candidate is one model of the engine, and what speaks for and against it; see vsr_candidate.
type Candidate struct {
	Model    string
	Rejected string // why it could not be chosen; empty: it could
	Quality  float32
	Speed    float32
	Score    float32
	Chosen   bool
	Tokens   int // of the longest text, prompt included
	Windows  int // in which all texts are read
}

// Selection says which embedding model was chosen, and why.
type Selection struct {
	Model      string // its name, which is that of its task
	Reason     string // one line
	Candidates []Candidate
}

// SelectModel says which model EmbedSelect would choose; see vsr_select_model.
func (e *Engine) SelectModel(texts []string, policy *EmbedPolicy, options *EmbedOptions) (*Selection, error) {
	return nativeSelectModel(e, texts, policy, options)
}

// EmbedSelect chooses one model for all texts and embeds with it; see vsr_embed_select.
func (e *Engine) EmbedSelect(texts []string, policy *EmbedPolicy, options *EmbedOptions) (*Embeddings, *Selection, error) {
	return nativeEmbedSelect(e, texts, policy, options)
}
