//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
*/
import "C"

import (
	"math"
	"unsafe"
)

// embedCall prepares what every embedding call has in common, and runs it.
func embedCall(e *Engine, options *EmbedOptions,
	f func(*C.vsr_engine, *C.vsr_embed_options, *arena, *C.vsr_error) C.vsr_status) error {
	if options == nil {
		options = &EmbedOptions{}
	}
	return e.with(func(engine *C.vsr_engine, a *arena) error {
		c := C.vsr_embed_options{
			struct_size:  C.sizeof_vsr_embed_options,
			dim:          C.int32_t(options.Dim),
			layer:        C.int32_t(options.Layer),
			no_normalize: cBool(options.NoNormalize),
			max_tokens:   C.size_t(options.MaxTokens),
		}
		err := a.optionals(optionalField{&c.task, options.Task, "Task"}, optionalField{&c.prompt, options.Prompt, "Prompt"},
			optionalField{&c.instruction, options.Instruction, "Instruction"})
		if err != nil {
			return err
		}
		return withControl(options.Context, options.Progress, a, func(control callControl) error {
			c.deadline_ms, c.cancel, c.progress, c.user_data = control.fields()
			return call(func(cError *C.vsr_error) C.vsr_status { return f(engine, &c, a, cError) })
		})
	})
}

// classifyCall is embedCall for classification; read sees the result before it is freed.
func classifyCall(e *Engine, options *ClassifyOptions,
	f func(*C.vsr_engine, *C.vsr_classify_options, *arena, **C.vsr_result, *C.vsr_error) C.vsr_status,
	read func(*C.vsr_result)) error {
	if options == nil {
		options = &ClassifyOptions{}
	}
	return e.with(func(engine *C.vsr_engine, a *arena) error {
		c := C.vsr_classify_options{
			struct_size: C.sizeof_vsr_classify_options,
			threshold:   C.float(options.Threshold),
			max_tokens:  C.size_t(options.MaxTokens),
		}
		if err := a.optionals(optionalField{&c.task, options.Task, "Task"}); err != nil {
			return err
		}
		var result *C.vsr_result
		err := withControl(options.Context, options.Progress, a, func(control callControl) error {
			c.deadline_ms, c.cancel, c.progress, c.user_data = control.fields()
			return call(func(cError *C.vsr_error) C.vsr_status { return f(engine, &c, a, &result, cError) })
		})
		if err != nil {
			return err
		}
		defer C.vsr_result_free(result)
		read(result)
		return nil
	})
}

func matrixOf(r *C.vsr_result) Matrix {
	rows, cols := int(C.vsr_result_row_count(r)), int(C.vsr_result_col_count(r))
	return Matrix{Rows: rows, Cols: cols, Data: copied[float32](C.vsr_result_data(r), rows*cols)}
}

func usageOf(r *C.vsr_result, text int) Usage {
	i := C.size_t(text)
	return Usage{
		Tokens:   int(C.vsr_result_token_count(r, i)),
		Windows:  int(C.vsr_result_window_count(r, i)),
		Dropped:  int(C.vsr_result_dropped_count(r, i)),
		Replaced: int(C.vsr_result_replaced_size(r, i)),
	}
}

func labelsOf(r *C.vsr_result) []string {
	labels := make([]string, int(C.vsr_result_col_count(r)))
	for i := range labels {
		labels[i] = textOf(C.vsr_result_label(r, C.size_t(i)))
	}
	return labels
}

func embeddingsOf(r *C.vsr_result, texts int) *Embeddings {
	embeddings := &Embeddings{Matrix: matrixOf(r), Usage: make([]Usage, texts)}
	for i := range embeddings.Usage {
		embeddings.Usage[i] = usageOf(r, i)
	}
	return embeddings
}

func classificationsOf(r *C.vsr_result) []Classification {
	matrix, labels := matrixOf(r), labelsOf(r)
	out := make([]Classification, matrix.Rows)
	for i := range out {
		best := int(C.vsr_result_best(r, C.size_t(i)))
		out[i] = Classification{LabelID: -1, Score: float32(math.NaN()), Probs: matrix.Row(i), Labels: labels,
			Usage: usageOf(r, i)}
		if best < len(labels) { // the text was read
			out[i].Label, out[i].LabelID, out[i].Score = labels[best], best, out[i].Probs[best]
		}
	}
	return out
}

func entitiesOf(r *C.vsr_result, texts int) []TextEntities {
	out := make([]TextEntities, texts)
	for i := range out {
		out[i].Usage = usageOf(r, i)
	}
	for i := C.size_t(0); i < C.vsr_result_entity_count(r); i++ {
		entity := C.vsr_result_entity(r, i)
		text := &out[entity.text]
		text.Entities = append(text.Entities, Entity{Label: textOf(entity.label), Start: int(entity.start),
			End: int(entity.end), Score: float32(entity.score)})
	}
	return out
}

func nativeEmbed(e *Engine, texts []string, options *EmbedOptions) (*Embeddings, error) {
	var result *C.vsr_result
	err := embedCall(e, options,
		func(engine *C.vsr_engine, c *C.vsr_embed_options, a *arena, cError *C.vsr_error) C.vsr_status {
			array, n := a.texts(texts)
			return C.vsr_embed(engine, array, n, c, &result, cError)
		})
	if err != nil {
		return nil, err
	}
	defer C.vsr_result_free(result)
	return embeddingsOf(result, len(texts)), nil
}

func nativeEmbedInto(e *Engine, vectors []float32, texts []string, options *EmbedOptions) (int, error) {
	var dim C.size_t
	err := embedCall(e, options,
		func(engine *C.vsr_engine, c *C.vsr_embed_options, a *arena, cError *C.vsr_error) C.vsr_status {
			array, n := a.texts(texts)
			return C.vsr_embed_into(engine, array, n, c, (*C.float)(unsafe.SliceData(vectors)), C.size_t(len(vectors)),
				&dim, cError)
		})
	return int(dim), err
}

// pairs is nil, or as long as texts.
func nativeClassify(e *Engine, texts, pairs []string, options *ClassifyOptions) ([]Classification, error) {
	var out []Classification
	err := classifyCall(e, options,
		func(engine *C.vsr_engine, c *C.vsr_classify_options, a *arena, r **C.vsr_result, cError *C.vsr_error) C.vsr_status {
			first, n := a.texts(texts)
			second, _ := a.texts(pairs)
			return C.vsr_classify(engine, first, second, n, c, r, cError)
		},
		func(r *C.vsr_result) { out = classificationsOf(r) })
	return out, err
}

// pair is nil for a single text.
func nativeTokenProbs(e *Engine, text string, pair *string, options *ClassifyOptions) (*TokenProbs, error) {
	var out *TokenProbs
	err := classifyCall(e, options,
		func(engine *C.vsr_engine, c *C.vsr_classify_options, a *arena, r **C.vsr_result, cError *C.vsr_error) C.vsr_status {
			if pair != nil {
				return C.vsr_token_probs_of_pair(engine, a.text(text), a.text(*pair), c, r, cError)
			}
			return C.vsr_token_probs(engine, a.text(text), c, r, cError)
		},
		func(r *C.vsr_result) {
			out = &TokenProbs{Matrix: matrixOf(r), Labels: labelsOf(r), Usage: usageOf(r, 0)}
		})
	return out, err
}

// pairs is nil, or as long as texts.
func nativeEntities(e *Engine, texts, pairs []string, options *ClassifyOptions) ([]TextEntities, error) {
	var out []TextEntities
	err := classifyCall(e, options,
		func(engine *C.vsr_engine, c *C.vsr_classify_options, a *arena, r **C.vsr_result, cError *C.vsr_error) C.vsr_status {
			first, n := a.texts(texts)
			if pairs != nil {
				second, _ := a.texts(pairs)
				return C.vsr_entities_of_pairs(engine, first, second, n, c, r, cError)
			}
			return C.vsr_entities(engine, first, n, c, r, cError)
		},
		func(r *C.vsr_result) { out = entitiesOf(r, len(texts)) })
	return out, err
}

func nativeSimilarity(e *Engine, a, b []string, options *EmbedOptions) ([]float32, error) {
	scores := make([]float32, len(a))
	err := embedCall(e, options,
		func(engine *C.vsr_engine, c *C.vsr_embed_options, m *arena, cError *C.vsr_error) C.vsr_status {
			left, n := m.texts(a)
			right, _ := m.texts(b)
			return C.vsr_similarity(engine, left, right, n, c, (*C.float)(unsafe.SliceData(scores)), cError)
		})
	if err != nil {
		return nil, err
	}
	return scores, nil
}

func nativeSimilarityMatrix(e *Engine, a, b []string, options *EmbedOptions) (*Matrix, error) {
	scores := make([]float32, len(a)*len(b))
	err := embedCall(e, options,
		func(engine *C.vsr_engine, c *C.vsr_embed_options, m *arena, cError *C.vsr_error) C.vsr_status {
			rows, nRows := m.texts(a)
			cols, nCols := m.texts(b)
			return C.vsr_similarity_matrix(engine, rows, nRows, cols, nCols, c, (*C.float)(unsafe.SliceData(scores)),
				cError)
		})
	if err != nil {
		return nil, err
	}
	return &Matrix{Rows: len(a), Cols: len(b), Data: scores}, nil
}

func nativeNearest(e *Engine, query string, candidates []string, k int, options *EmbedOptions) ([]Neighbour, error) {
	indices, scores := make([]C.size_t, k), make([]C.float, k)
	var count C.size_t
	err := embedCall(e, options,
		func(engine *C.vsr_engine, c *C.vsr_embed_options, a *arena, cError *C.vsr_error) C.vsr_status {
			array, n := a.texts(candidates)
			return C.vsr_nearest(engine, a.text(query), array, n, C.size_t(k), c, unsafe.SliceData(indices),
				unsafe.SliceData(scores), &count, cError)
		})
	if err != nil {
		return nil, err
	}
	neighbours := make([]Neighbour, int(count))
	for i := range neighbours {
		neighbours[i] = Neighbour{Index: int(indices[i]), Score: float32(scores[i])}
	}
	return neighbours, nil
}
