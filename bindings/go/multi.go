package vsr

import "context"

// Path says what answers a task: a model of its own, or an adapter of another; see vsr_classify_all.
type Path int32

const (
	PathAuto     Path = 0 // the adapter where its base runs anyway, else the model
	PathStandard Path = 1
	PathLora     Path = 2
)

// TaskKind says what a task answers with.
type TaskKind int32

const (
	TaskEmbedding              TaskKind = 1
	TaskSequenceClassification TaskKind = 2
	TaskTokenClassification    TaskKind = 3
)

// MultiOptions: see vsr_multi_options.
type MultiOptions struct {
	Path      Path     // of tasks that have both
	Threshold float32  // least score of an entity; 0: each task's own, else 0.5
	Wanted    [][]bool // which text each task reads: a row for each text, a column for each task; nil: all
	MaxTokens uint     // longer texts are ErrLimit instead of windowed; 0: no limit
	Progress  Progress
	Context   context.Context // its end and its deadline are the call's; nil: none
}

// TaskOutcome is what one task answered. Err says why it failed; then all answers are nil, and else the one of its kind
// is there. Of a text that the task did not have to read Usage.Windows is 0 and scores are NaN; its classification has
// no label and the LabelID -1.
type TaskOutcome struct {
	Task            string
	Model           string // name of the base model
	Kind            TaskKind
	Path            Path // the one taken
	Err             error
	Embeddings      *Embeddings
	Classifications []Classification
	Entities        []TextEntities
}

// Pass is one pass of a base model.
type Pass struct {
	Model        string
	Tasks        []string
	Blocks       int64 // of the model
	SharedBlocks int64 // the first of them, which ran once for all tasks
	BlockRows    int64 // tokens times blocks that were run
	SeparateRows int64 // what a pass for each adapter, and one for the model itself, would have run
}

// MultiResult is what many tasks answered, in the order of the call.
type MultiResult struct {
	Tasks  []TaskOutcome
	Passes []Pass // one for each base model
}

// Task gives the outcome of a task by name. A task that failed, or that was not in the call, is an error.
func (r *MultiResult) Task(name string) (*TaskOutcome, error) {
	for i := range r.Tasks {
		if r.Tasks[i].Task == name {
			return &r.Tasks[i], r.Tasks[i].Err
		}
	}
	return nil, errorf(ErrNotFound, "task %q was not in the call", name)
}

// ClassifyAll runs many tasks of any kind on the same texts, one pass for each base model; nil tasks are all for
// classification. A task that fails has its Err, and the others their answers. See vsr_classify_all.
func (e *Engine) ClassifyAll(texts, tasks []string, options *MultiOptions) (*MultiResult, error) {
	return nativeClassifyAll(e, texts, nil, tasks, options)
}

// ClassifyAllPairs is ClassifyAll of texts[i] together with pairs[i].
func (e *Engine) ClassifyAllPairs(texts, pairs, tasks []string, options *MultiOptions) (*MultiResult, error) {
	if err := sameLength("texts", texts, "pairs", pairs); err != nil {
		return nil, err
	}
	return nativeClassifyAll(e, texts, pairs, tasks, options)
}

// cells is Wanted as C takes it.
func (o *MultiOptions) cells(texts, tasks int) ([]byte, error) {
	if o.Wanted == nil {
		return nil, nil
	}
	if len(o.Wanted) != texts {
		return nil, errorf(ErrInvalidArgument, "Wanted has %d rows, expected one for each of %d texts", len(o.Wanted), texts)
	}
	cells := make([]byte, 0, texts*tasks)
	for i, row := range o.Wanted {
		if len(row) != tasks {
			return nil, errorf(ErrInvalidArgument, "Wanted[%d] has %d columns, expected one for each of %d tasks", i,
				len(row), tasks)
		}
		for _, wanted := range row {
			cell := byte(0)
			if wanted {
				cell = 1
			}
			cells = append(cells, cell)
		}
	}
	return cells, nil
}
