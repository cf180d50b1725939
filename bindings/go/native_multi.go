//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
*/
import "C"

import "unsafe"

// names copies names into an array; nil is NULL, and an empty list is none of them.
func (a *arena) names(values []string, what string) (**C.char, C.size_t, error) {
	if values == nil {
		return nil, 0, nil
	}
	array := unsafe.Slice((**C.char)(a.alloc(uintptr(len(values)+1)*unsafe.Sizeof(uintptr(0)))), len(values)+1)
	for i, value := range values {
		c, err := a.name(value, what)
		if err != nil {
			return nil, 0, err
		}
		array[i] = c
	}
	return &array[0], C.size_t(len(values)), nil
}

func (a *arena) bytes(values []byte) *C.uint8_t {
	if len(values) == 0 {
		return nil
	}
	block := a.alloc(uintptr(len(values)))
	copy(unsafe.Slice((*byte)(block), len(values)), values)
	return (*C.uint8_t)(block)
}

func (a *arena) multiOptions(options *MultiOptions, texts int, tasks []string) (c C.vsr_multi_options, err error) {
	c.struct_size = C.sizeof_vsr_multi_options
	c.path = C.int32_t(options.Path)
	c.threshold = C.float(options.Threshold)
	c.max_tokens = C.size_t(options.MaxTokens)
	if options.Wanted != nil && tasks == nil {
		return c, errorf(ErrInvalidArgument, "Wanted is given, and tasks is nil, so that its columns have no names")
	}
	cells, err := options.cells(texts, len(tasks))
	c.wanted = a.bytes(cells)
	return c, err
}

// pairs is nil, or as long as texts.
func nativeClassifyAll(e *Engine, texts, pairs, tasks []string, options *MultiOptions) (*MultiResult, error) {
	if options == nil {
		options = &MultiOptions{}
	}
	return withEngine(e, func(engine *C.vsr_engine, a *arena) (*MultiResult, error) {
		c, err := a.multiOptions(options, len(texts), tasks)
		if err != nil {
			return nil, err
		}
		names, nNames, err := a.names(tasks, "task")
		if err != nil {
			return nil, err
		}
		first, n := a.texts(texts)
		second, _ := a.texts(pairs)
		var result *C.vsr_multi_result
		err = withControl(options.Context, options.Progress, a, func(control callControl) error {
			c.deadline_ms, c.cancel, c.progress, c.user_data = control.fields()
			return call(func(cError *C.vsr_error) C.vsr_status {
				return C.vsr_classify_all(engine, first, second, n, names, nNames, &c, &result, cError)
			})
		})
		if err != nil {
			return nil, err
		}
		defer C.vsr_multi_result_free(result)
		return multiResultOf(result, len(texts)), nil
	})
}

func multiResultOf(r *C.vsr_multi_result, texts int) *MultiResult {
	out := &MultiResult{
		Tasks:  make([]TaskOutcome, int(C.vsr_multi_result_outcome_count(r))),
		Passes: make([]Pass, int(C.vsr_multi_result_pass_count(r))),
	}
	for i := range out.Tasks {
		out.Tasks[i] = outcomeOf(C.vsr_multi_result_outcome(r, C.size_t(i)), texts)
	}
	for i := range out.Passes {
		out.Passes[i] = passOf(C.vsr_multi_result_pass(r, C.size_t(i)))
	}
	return out
}

func outcomeOf(c *C.vsr_task_outcome, texts int) TaskOutcome {
	out := TaskOutcome{Task: textOf(c.task), Model: textOf(c.model), Kind: TaskKind(c.kind), Path: Path(c.path)}
	if c.status != C.VSR_OK {
		out.Err = &Error{Code: Status(c.status), Message: textOf(c.message)}
		return out
	}
	switch out.Kind {
	case TaskEmbedding:
		out.Embeddings = embeddingsOf(c.result, texts)
	case TaskSequenceClassification:
		out.Classifications = classificationsOf(c.result)
	case TaskTokenClassification:
		out.Entities = entitiesOf(c.result, texts)
	default:
		out.Err = errorf(ErrUnsupported, "task %q is of a kind (%d) that this package does not know", out.Task, out.Kind)
	}
	return out
}

func passOf(c *C.vsr_pass) Pass {
	out := Pass{Model: textOf(c.model), Tasks: make([]string, int(c.task_count)), Blocks: int64(c.block_count),
		SharedBlocks: int64(c.shared_block_count), BlockRows: int64(c.row_count), SeparateRows: int64(c.separate_row_count)}
	for i, task := range unsafe.Slice(c.tasks, int(c.task_count)) {
		out.Tasks[i] = textOf(task)
	}
	return out
}
