//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
*/
import "C"

import "unsafe"

func newTokenizerHandle(tokenizer *C.vsr_tokenizer) *handle {
	return newHandle("tokenizer", unsafe.Pointer(tokenizer),
		func(p unsafe.Pointer) { C.vsr_tokenizer_free((*C.vsr_tokenizer)(p)) })
}

func (t *Tokenizer) use() (*C.vsr_tokenizer, func(), error) {
	var h *handle
	if t != nil {
		h = t.handle
	}
	p, err := h.acquire()
	if err != nil {
		return nil, nothing, err
	}
	return (*C.vsr_tokenizer)(p), h.release, nil
}

func nativeLoadTokenizer(path string) (*handle, error) {
	var a arena
	defer a.free()
	cPath, err := a.name(path, "path")
	if err != nil {
		return nil, err
	}
	var tokenizer *C.vsr_tokenizer
	err = call(func(cError *C.vsr_error) C.vsr_status { return C.vsr_tokenizer_load(cPath, &tokenizer, cError) })
	if err != nil {
		return nil, err
	}
	return newTokenizerHandle(tokenizer), nil
}

func nativeEngineTokenizer(e *Engine, model string) (*handle, error) {
	return withEngine(e, func(engine *C.vsr_engine, a *arena) (*handle, error) {
		cModel, err := a.optional(model, "model")
		if err != nil {
			return nil, err
		}
		var tokenizer *C.vsr_tokenizer
		err = call(func(cError *C.vsr_error) C.vsr_status {
			return C.vsr_engine_tokenizer(engine, cModel, &tokenizer, cError)
		})
		if err != nil {
			return nil, err
		}
		return newTokenizerHandle(tokenizer), nil
	})
}

func nativeVocabSize(t *Tokenizer) int {
	tokenizer, done, err := t.use()
	if err != nil {
		return 0
	}
	defer done()
	return int(C.vsr_tokenizer_id_count(tokenizer))
}

func nativeEncode(t *Tokenizer, text string, options *EncodeOptions) (*Encoding, error) {
	tokenizer, done, err := t.use()
	if err != nil {
		return nil, err
	}
	defer done()
	var a arena
	defer a.free()
	var pair *C.vsr_str
	if options.Pair != nil {
		pair, _ = a.texts([]string{*options.Pair})
	}
	var encoding *C.vsr_encoding
	err = call(func(cError *C.vsr_error) C.vsr_status {
		return C.vsr_tokenizer_encode(tokenizer, a.text(text), pair, cBool(!options.NoSpecialTokens), &encoding, cError)
	})
	if err != nil {
		return nil, err
	}
	defer C.vsr_encoding_free(encoding)
	return readEncoding(encoding), nil
}

func readEncoding(encoding *C.vsr_encoding) *Encoding {
	n := int(C.vsr_encoding_token_count(encoding))
	out := &Encoding{
		IDs:      copied[int32](C.vsr_encoding_ids(encoding), n),
		TypeIDs:  copied[int32](C.vsr_encoding_type_ids(encoding), n),
		Sides:    copied[int32](C.vsr_encoding_sides(encoding), n),
		Offsets:  make([]Offset, n),
		Tokens:   make([]string, n),
		Windows:  int(C.vsr_encoding_window_count(encoding)),
		Replaced: int(C.vsr_encoding_replaced_size(encoding)),
	}
	if n == 0 {
		return out
	}
	offsets := unsafe.Slice(C.vsr_encoding_offsets(encoding), 2*n)
	for i := range out.Offsets {
		out.Offsets[i] = Offset{Start: int(offsets[2*i]), End: int(offsets[2*i+1])}
		out.Tokens[i] = textOf(C.vsr_encoding_token(encoding, C.size_t(i)))
	}
	return out
}

func nativeDecode(t *Tokenizer, ids []int32, skipSpecialTokens bool) (string, error) {
	tokenizer, done, err := t.use()
	if err != nil {
		return "", err
	}
	defer done()
	var text *C.vsr_string
	err = call(func(cError *C.vsr_error) C.vsr_status {
		return C.vsr_tokenizer_decode(tokenizer, (*C.int32_t)(unsafe.SliceData(ids)), C.size_t(len(ids)),
			cBool(skipSpecialTokens), &text, cError)
	})
	if err != nil {
		return "", err
	}
	return takeString(text), nil
}
