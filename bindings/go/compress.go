package vsr

import "context"

// CompressOptions: see vsr_compress_options.
type CompressOptions struct {
	Language  string          // ISO 639-1, chooses the stop words; empty: found out from the text
	Tokenizer *Tokenizer      // counts tokens; nil: they are estimated
	Context   context.Context // its end and its deadline are the call's; nil: none
}

// Range is a part of a text, in bytes, end exclusive.
type Range struct{ Start, End int }

// Compressed holds the parts of a text that say most about it; see vsr_compressed.
type Compressed struct {
	Text         string
	Kept         []Range
	TokensBefore int
	TokensAfter  int
	Estimated    bool // tokens are estimates, made without a tokenizer
}

// Compress keeps the sentences of a text that carry most information, whole and in their order; see vsr_compress.
func Compress(text string, maxTokens int, options *CompressOptions) (*Compressed, error) {
	if options == nil {
		options = &CompressOptions{}
	}
	if maxTokens < 0 {
		return nil, errorf(ErrInvalidArgument, "maxTokens is %d, expected 1 or more", maxTokens)
	}
	return nativeCompress(text, maxTokens, options)
}
