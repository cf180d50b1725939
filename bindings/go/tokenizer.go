package vsr

// Tokenizer turns texts into token ids with byte offsets, and back. Immutable.
type Tokenizer struct{ handle *handle }

// Encoding is a text, or a pair, as a model reads it; one element per token.
type Encoding struct {
	IDs      []int32
	TypeIDs  []int32
	Offsets  []Offset // in the token's side of the input; 0, 0 for what the template added
	Sides    []int32  // 0 the text, 1 the pair, -1 what the template added
	Tokens   []string // the vocabulary's entries
	Windows  int      // in which the tokenizer's model reads the input; 1 for a tokenizer without a model
	Replaced int      // bytes that were not UTF-8 and were read as U+FFFD
}

// Offset is a range of bytes, end exclusive.
type Offset struct{ Start, End int }

// EncodeOptions: the zero value encodes one text with the template's special tokens.
type EncodeOptions struct {
	Pair            *string // the second side; joined by the tokenizer's own template
	NoSpecialTokens bool
}

// LoadTokenizer loads a tokenizer from a folder or file; see vsr_tokenizer_load.
func LoadTokenizer(path string) (*Tokenizer, error) {
	handle, err := nativeLoadTokenizer(path)
	if err != nil {
		return nil, err
	}
	return &Tokenizer{handle}, nil
}

// Tokenizer is the tokenizer of the model of that name; empty: of the only model. The caller closes it.
func (e *Engine) Tokenizer(model string) (*Tokenizer, error) {
	handle, err := nativeEngineTokenizer(e, model)
	if err != nil {
		return nil, err
	}
	return &Tokenizer{handle}, nil
}

// Close gives up the tokenizer.
func (t *Tokenizer) Close() error {
	if t != nil {
		t.handle.close()
	}
	return nil
}

// VocabSize is the number of ids in the vocabulary, added tokens included; 0 for a closed tokenizer.
func (t *Tokenizer) VocabSize() int { return nativeVocabSize(t) }

// Encode encodes a text to its full length; see vsr_tokenizer_encode.
func (t *Tokenizer) Encode(text string, options *EncodeOptions) (*Encoding, error) {
	if options == nil {
		options = &EncodeOptions{}
	}
	return nativeEncode(t, text, options)
}

// Decode turns ids back into text; see vsr_tokenizer_decode.
func (t *Tokenizer) Decode(ids []int32, skipSpecialTokens bool) (string, error) {
	return nativeDecode(t, ids, skipSpecialTokens)
}
