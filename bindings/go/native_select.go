//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
*/
import "C"

// policyOf lives in C memory, because it points to a string there.
func (a *arena) policyOf(policy *EmbedPolicy) (*C.vsr_policy_options, error) {
	if policy == nil {
		return nil, nil
	}
	c := (*C.vsr_policy_options)(a.alloc(C.sizeof_vsr_policy_options))
	*c = C.vsr_policy_options{
		struct_size:      C.sizeof_vsr_policy_options,
		quality_priority: C.float(policy.QualityPriority),
		latency_priority: C.float(policy.LatencyPriority),
	}
	return c, a.optionals(optionalField{&c.language, policy.Language, "Language"})
}

func selectionOf(s *C.vsr_selection) *Selection {
	selection := &Selection{
		Model:      textOf(C.vsr_selection_model(s)),
		Reason:     textOf(C.vsr_selection_reason(s)),
		Candidates: make([]Candidate, int(C.vsr_selection_candidate_count(s))),
	}
	for i := range selection.Candidates {
		c := C.vsr_selection_candidate(s, C.size_t(i))
		selection.Candidates[i] = Candidate{Model: textOf(c.model), Rejected: textOf(c.rejected),
			Quality: float32(c.quality), Speed: float32(c.speed), Score: float32(c.score), Chosen: c.chosen != 0,
			Tokens: int(c.token_count), Windows: int(c.window_count)}
	}
	return selection
}

func nativeSelectModel(e *Engine, texts []string, policy *EmbedPolicy, options *EmbedOptions) (*Selection, error) {
	var memory arena
	defer memory.free()
	cPolicy, err := memory.policyOf(policy)
	if err != nil {
		return nil, err
	}
	var selection *C.vsr_selection
	err = embedCall(e, options,
		func(engine *C.vsr_engine, c *C.vsr_embed_options, a *arena, cError *C.vsr_error) C.vsr_status {
			array, n := a.texts(texts)
			return C.vsr_select_model(engine, array, n, cPolicy, c, &selection, cError)
		})
	if err != nil {
		return nil, err
	}
	defer C.vsr_selection_free(selection)
	return selectionOf(selection), nil
}

func nativeEmbedSelect(e *Engine, texts []string, policy *EmbedPolicy,
	options *EmbedOptions) (*Embeddings, *Selection, error) {
	var memory arena
	defer memory.free()
	cPolicy, err := memory.policyOf(policy)
	if err != nil {
		return nil, nil, err
	}
	var result *C.vsr_result
	var selection *C.vsr_selection
	err = embedCall(e, options,
		func(engine *C.vsr_engine, c *C.vsr_embed_options, a *arena, cError *C.vsr_error) C.vsr_status {
			array, n := a.texts(texts)
			return C.vsr_embed_select(engine, array, n, cPolicy, c, &result, &selection, cError)
		})
	if err != nil {
		return nil, nil, err
	}
	defer C.vsr_result_free(result)
	defer C.vsr_selection_free(selection)
	return embeddingsOf(result, len(texts)), selectionOf(selection), nil
}
