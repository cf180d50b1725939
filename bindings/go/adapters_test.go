//go:build cgo

package vsr

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"sync/atomic"
	"testing"
)

var someTexts = []string{"where is my card?", "", "book a flight to paris"}

// tinyAdapter is the folder of a tiny adapter of "bert-embedding".
func tinyAdapter(name string) string { return "../../tests/goldens/adapters/" + name }

// adapted is "bert-embedding" with an adapter of each kind.
func adapted(t testing.TB) *Engine {
	t.Helper()
	engine := must(Open(EngineOptions{
		Models: []ModelOptions{{Path: tiny("bert-embedding")}},
		Adapters: []AdapterOptions{{Name: "topic", Path: tinyAdapter("bert-last-layer")},
			{Name: "names", Path: tinyAdapter("bert-token")}, {Name: "near", Path: tinyAdapter("bert-embedding")}},
	}))(t)
	t.Cleanup(func() { engine.Close() })
	return engine
}

func sameClassifications(a, b []Classification) error {
	if len(a) != len(b) {
		return fmt.Errorf("%d and %d classifications", len(a), len(b))
	}
	for i := range a {
		if a[i].Label != b[i].Label || a[i].Usage != b[i].Usage || !near(a[i].Score, b[i].Score) ||
			!near(a[i].Probs[0], b[i].Probs[0]) {
			return fmt.Errorf("%v and %v", a[i], b[i])
		}
	}
	return nil
}

func TestPath_EqualsTheHeader(t *testing.T) {
	want := map[string]int{"VSR_PATH_AUTO": int(PathAuto), "VSR_PATH_STANDARD": int(PathStandard),
		"VSR_PATH_LORA": int(PathLora)}
	if header := constants(t, "multi.h", "VSR_PATH_"); !reflect.DeepEqual(header, want) {
		t.Errorf("the header has %v, the package %v", header, want)
	}
	kinds := map[string]int{"VSR_TASK_NONE": 0, "VSR_TASK_EMBEDDING": int(TaskEmbedding),
		"VSR_TASK_SEQUENCE_CLASSIFICATION": int(TaskSequenceClassification),
		"VSR_TASK_TOKEN_CLASSIFICATION":    int(TaskTokenClassification)}
	if header := constants(t, "multi.h", "VSR_TASK_"); !reflect.DeepEqual(header, kinds) {
		t.Errorf("the header has %v, the package %v", header, kinds)
	}
}

func TestClassifyAll_EqualsSingleCalls(t *testing.T) {
	engine := adapted(t)
	all := must(engine.ClassifyAll(someTexts, []string{"names", "topic", "near", "bert-embedding"},
		&MultiOptions{Threshold: 0.2}))(t)
	topic := must(all.Task("topic"))(t)
	alone := must(engine.Classify(someTexts, &ClassifyOptions{Task: "topic"}))(t)
	if err := sameClassifications(topic.Classifications, alone); err != nil {
		t.Error(err)
	}
	if topic.Path != PathLora || topic.Model != "bert-embedding" || topic.Kind != TaskSequenceClassification {
		t.Errorf("%+v", topic)
	}
	entities := must(engine.Entities(someTexts, &ClassifyOptions{Task: "names", Threshold: 0.2}))(t)
	for i, found := range must(all.Task("names"))(t).Entities {
		if len(found.Entities) != len(entities[i].Entities) || found.Usage != entities[i].Usage {
			t.Errorf("%v and %v", found, entities[i])
		}
	}
	for _, task := range []string{"near", "bert-embedding"} {
		vectors := must(engine.Embed(someTexts, &EmbedOptions{Task: task}))(t)
		found := must(all.Task(task))(t).Embeddings
		if found.Cols != 32 || !near(found.Row(2)[5], vectors.Row(2)[5]) || found.Usage[2] != vectors.Usage[2] {
			t.Errorf("%s: %v and %v", task, found, vectors)
		}
	}
	if len(all.Passes) != 1 || len(all.Passes[0].Tasks) != 4 || all.Passes[0].Blocks != 3 ||
		all.Passes[0].BlockRows >= all.Passes[0].SeparateRows {
		t.Errorf("%+v", all.Passes)
	}
}

func TestClassifyAll_NamesOrAll(t *testing.T) {
	engine := adapted(t)
	every := must(engine.ClassifyAll(someTexts, nil, nil))(t)
	if len(every.Tasks) != 2 || every.Tasks[0].Task != "topic" || every.Tasks[1].Task != "names" {
		t.Errorf("%+v", every.Tasks)
	}
	if none := must(engine.ClassifyAll(someTexts, []string{}, nil))(t); len(none.Tasks) != 0 {
		t.Errorf("%+v", none.Tasks)
	}
	if _, err := every.Task("near"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if empty := must(engine.ClassifyAll(nil, nil, nil))(t); len(empty.Tasks) != 2 || empty.Tasks[0].Err != nil {
		t.Errorf("%+v", empty.Tasks)
	}
}

func TestClassifyAll_FailedTask(t *testing.T) {
	engine := adapted(t)
	pairs := []string{"it has not arrived", "a", "b"}
	all := must(engine.ClassifyAllPairs(someTexts, pairs, []string{"names", "topic"}, nil))(t)
	names, err := all.Task("names")
	wantError(t, err, ErrUnsupported, "pairs")
	if names.Entities != nil || all.Tasks[0].Err == nil {
		t.Errorf("%+v", names)
	}
	alone := must(engine.ClassifyPairs(someTexts, pairs, &ClassifyOptions{Task: "topic"}))(t)
	if err := sameClassifications(must(all.Task("topic"))(t).Classifications, alone); err != nil {
		t.Error(err)
	}
	limited := must(engine.ClassifyAll(someTexts, []string{"topic"}, &MultiOptions{MaxTokens: 6}))(t)
	_, err = limited.Task("topic")
	wantError(t, err, ErrLimit, "texts[0]")
}

func TestClassifyAll_Wanted(t *testing.T) {
	engine := adapted(t)
	all := must(engine.ClassifyAll(someTexts, []string{"topic", "near"},
		&MultiOptions{Wanted: [][]bool{{true, false}, {false, true}, {true, true}}}))(t)
	unread := all.Tasks[0].Classifications[1]
	if unread.Label != "" || unread.LabelID != -1 || !math.IsNaN(float64(unread.Score)) || unread.Usage.Windows != 0 {
		t.Errorf("%+v", unread)
	}
	if read := all.Tasks[0].Classifications[2]; read.Label == "" || read.Usage.Windows != 1 {
		t.Errorf("%+v", read)
	}
	if !math.IsNaN(float64(all.Tasks[1].Embeddings.Row(0)[0])) || math.IsNaN(float64(all.Tasks[1].Embeddings.Row(1)[0])) {
		t.Error("the wrong vectors are not there")
	}
	for _, wanted := range [][][]bool{{}, {{true}, {true}, {true}}, {{true, true}}} {
		_, err := engine.ClassifyAll(someTexts, []string{"topic", "near"}, &MultiOptions{Wanted: wanted})
		wantError(t, err, ErrInvalidArgument, "Wanted")
	}
	_, err := engine.ClassifyAll(someTexts, nil, &MultiOptions{Wanted: [][]bool{{}, {}, {}}})
	wantError(t, err, ErrInvalidArgument, "tasks is nil")
}

func TestClassifyAll_BadArguments(t *testing.T) {
	engine := adapted(t)
	for name, want := range map[string]Status{"nothing": ErrNotFound, "": ErrInvalidArgument, "a\x00b": ErrInvalidArgument} {
		_, err := engine.ClassifyAll(someTexts, []string{"topic", name}, nil)
		wantError(t, err, want, "task")
	}
	_, err := engine.ClassifyAll(someTexts, []string{"topic"}, &MultiOptions{Path: 7})
	wantError(t, err, ErrInvalidArgument, "path is 7")
	_, err = engine.ClassifyAllPairs(someTexts, someTexts[:1], nil, nil)
	wantError(t, err, ErrInvalidArgument, "pairs")
	_, err = engine.ClassifyAll(someTexts, nil, &MultiOptions{Progress: func(int, int) bool { return true }})
	wantError(t, err, ErrCancelled, "")
	engine.Close()
	_, err = engine.ClassifyAll(someTexts, nil, nil)
	wantError(t, err, ErrState, "closed")
	wantError(t, engine.LoadAdapter(AdapterOptions{Path: tinyAdapter("bert-token")}, false), ErrState, "closed")
	wantError(t, engine.UnloadAdapter("topic"), ErrState, "closed")
}

func TestClassifyAll_DualPath(t *testing.T) {
	path := func(name string) string { return must(filepath.Abs(name))(t) }
	config := filepath.Join(t.TempDir(), "vsr.yaml")
	yaml := fmt.Sprintf("vsr:\n  models:\n    base: {path: %s}\n    full: {path: %s}\n  adapters:\n    lora: {path: %s, model: base}\n"+
		"  tasks:\n    both: {model: full, adapter: lora}\n",
		path(tiny("bert-embedding")), path(tiny("bert-sequence")), path(tinyAdapter("bert-last-layer")))
	if err := os.WriteFile(config, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	engine := must(Open(EngineOptions{ConfigPath: config}))(t)
	defer engine.Close()
	for _, c := range []struct {
		tasks      []string
		path, want Path
	}{{[]string{"both"}, PathAuto, PathStandard}, {[]string{"both", "base"}, PathAuto, PathLora},
		{[]string{"both"}, PathLora, PathLora}, {[]string{"both", "base"}, PathStandard, PathStandard}} {
		all := must(engine.ClassifyAll(someTexts, c.tasks, &MultiOptions{Path: c.path}))(t)
		if got := must(all.Task("both"))(t).Path; got != c.want {
			t.Errorf("%v: path %d, want %d", c, got, c.want)
		}
	}
}

func TestAdapter_ComesAndGoes(t *testing.T) {
	model := load(t, "bert-embedding")
	topic := AdapterOptions{Name: "topic", Path: tinyAdapter("bert-last-layer")}
	if err := model.LoadAdapter(topic, false); err != nil {
		t.Fatal(err)
	}
	before := must(model.Classify(someTexts, &ClassifyOptions{Task: "topic"}))(t)
	topic.Path = tinyAdapter("bert-patterns")
	wantError(t, model.LoadAdapter(topic, false), ErrInvalidArgument, "topic")
	if err := model.LoadAdapter(topic, true); err != nil {
		t.Fatal(err)
	}
	if after := must(model.Classify(someTexts, &ClassifyOptions{Task: "topic"}))(t); near(after[0].Probs[0], before[0].Probs[0]) {
		t.Errorf("%v and %v", before, after)
	}
	topic.Path = tinyAdapter("modernbert-fused")
	wantError(t, model.LoadAdapter(topic, true), ErrWeights, "bert-embedding")
	topic.Model = "a\x00b"
	wantError(t, model.LoadAdapter(topic, true), ErrInvalidArgument, "Model")
	if err := model.UnloadAdapter("topic"); err != nil {
		t.Fatal(err)
	}
	wantError(t, model.UnloadAdapter("topic"), ErrNotFound, "topic")
	wantError(t, model.UnloadAdapter(""), ErrInvalidArgument, "name")
	_, err := Open(EngineOptions{Models: []ModelOptions{{Path: tiny("bert-embedding")}},
		Adapters: []AdapterOptions{{Path: "/nowhere"}}})
	wantError(t, err, ErrNotFound, "/nowhere")
}

func TestAdapter_SwapUnderLoad(t *testing.T) {
	engine := adapted(t)
	folders := []string{"bert-last-layer", "bert-patterns"}
	var answers [][]Classification
	for _, folder := range folders {
		if err := engine.LoadAdapter(AdapterOptions{Name: "topic", Path: tinyAdapter(folder)}, true); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, must(engine.Classify(someTexts, &ClassifyOptions{Task: "topic"}))(t))
	}
	if sameClassifications(answers[0], answers[1]) == nil {
		t.Fatal("the two adapters answer alike, so a mixture would not show")
	}
	var calls atomic.Int64
	var stop atomic.Bool
	inParallel(5, func(i int) {
		if i == 0 {
			defer stop.Store(true)
			for n := range 40 {
				passing := AdapterOptions{Name: "passing", Path: tinyAdapter(folders[n%2])}
				err := errors.Join(
					engine.LoadAdapter(AdapterOptions{Name: "topic", Path: tinyAdapter(folders[n%2])}, true),
					engine.LoadAdapter(passing, false), engine.UnloadAdapter("passing"))
				if err != nil {
					t.Error(err)
				}
			}
			return
		}
		for !stop.Load() {
			calls.Add(1)
			all, err := engine.ClassifyAll(someTexts, []string{"topic", "names", "bert-embedding"}, nil)
			if err != nil {
				t.Error(err)
				return
			}
			topic, err := all.Task("topic")
			if err != nil || (sameClassifications(topic.Classifications, answers[0]) != nil &&
				sameClassifications(topic.Classifications, answers[1]) != nil) {
				t.Errorf("%v %v", topic, err)
				return
			}
		}
	})
	if calls.Load() == 0 {
		t.Error("nothing was asked meanwhile")
	}
}

func TestIntents_RouteVectors(t *testing.T) {
	engine := adapted(t)
	intents := must(NewIntents(engine, &IntentsOptions{Task: "bert-embedding"}))(t)
	defer intents.Close()
	if err := errors.Join(intents.Add("card", someTexts[:1], nil), intents.Add("flight", someTexts[2:], nil)); err != nil {
		t.Fatal(err)
	}
	all := must(engine.ClassifyAll(someTexts, []string{"topic", "bert-embedding"}, nil))(t)
	vectors := must(all.Task("bert-embedding"))(t).Embeddings
	want := must(intents.Route(someTexts))(t)
	for i, match := range must(intents.RouteVectors(&vectors.Matrix))(t) {
		if match.Nearest != want[i].Nearest || !near(match.Score, want[i].Score) {
			t.Errorf("%v and %v", match, want[i])
		}
	}
	_, err := intents.RouteVectors(&Matrix{Rows: 1, Cols: 2, Data: []float32{1, 0}})
	wantError(t, err, ErrInvalidArgument, "dim is 2")
	for _, bad := range []*Matrix{nil, {Rows: 2, Cols: 32, Data: make([]float32, 32)}} {
		_, err := intents.RouteVectors(bad)
		wantError(t, err, ErrInvalidArgument, "vectors")
	}
}

func TestEngine_MergeAdapter(t *testing.T) {
	engine := adapted(t)
	output := filepath.Join(t.TempDir(), "merged")
	if err := engine.MergeAdapter(AdapterOptions{Path: tinyAdapter("bert-last-layer")}, output); err != nil {
		t.Fatal(err)
	}
	merged := must(LoadModel(output, nil))(t)
	defer merged.Close()
	want := must(engine.Classify(someTexts, &ClassifyOptions{Task: "topic"}))(t)
	if err := sameClassifications(must(merged.Classify(someTexts, nil))(t), want); err != nil {
		t.Error(err)
	}
	err := engine.MergeAdapter(AdapterOptions{Path: tinyAdapter("bert-last-layer")}, output)
	wantError(t, err, ErrInvalidArgument, "exists already")
}
