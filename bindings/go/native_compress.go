//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
*/
import "C"

func nativeCompress(text string, maxTokens int, options *CompressOptions) (*Compressed, error) {
	var a arena
	defer a.free()
	c := C.vsr_compress_options{struct_size: C.sizeof_vsr_compress_options}
	if err := a.optionals(optionalField{&c.language, options.Language, "Language"}); err != nil {
		return nil, err
	}
	if options.Tokenizer != nil {
		tokenizer, done, err := options.Tokenizer.use()
		if err != nil {
			return nil, err
		}
		defer done()
		c.tokenizer = tokenizer
	}
	limits, err := startLimits(options.Context)
	if err != nil {
		return nil, err
	}
	defer limits.end()
	c.deadline_ms, c.cancel = limits.deadline, limits.cancel
	var made *C.vsr_compressed
	err = call(func(cError *C.vsr_error) C.vsr_status {
		return C.vsr_compress(a.text(text), C.size_t(maxTokens), &c, &made, cError)
	})
	if err != nil {
		return nil, err
	}
	defer C.vsr_compressed_free(made)
	compressed := &Compressed{
		Text:         textOf(C.vsr_compressed_text(made)),
		Kept:         make([]Range, int(C.vsr_compressed_range_count(made))),
		TokensBefore: int(C.vsr_compressed_given_token_count(made)),
		TokensAfter:  int(C.vsr_compressed_kept_token_count(made)),
		Estimated:    C.vsr_compressed_estimated(made) != 0,
	}
	for i := range compressed.Kept {
		kept := C.vsr_compressed_range(made, C.size_t(i))
		compressed.Kept[i] = Range{int(kept.start), int(kept.end)}
	}
	return compressed, nil
}
