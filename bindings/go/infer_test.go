//go:build cgo

package vsr

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

func TestEmbed_UnitVectorsInOrder(t *testing.T) {
	model := load(t, "bert-embedding")
	texts := []string{"where is my card?", "", "nul\x00inside", "caf\xff\xfe", "where is my card?"}
	got := must(model.Embed(texts, nil))(t)
	if got.Rows != 5 || got.Cols != 32 || len(got.Usage) != 5 {
		t.Fatalf("%d rows, %d columns, %d usages", got.Rows, got.Cols, len(got.Usage))
	}
	for i := range texts {
		sum := 0.0
		for _, x := range got.Row(i) {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Errorf("row %d has squared length %f", i, sum)
		}
	}
	if got.Usage[0] != (Usage{Tokens: 7, Windows: 1}) || got.Usage[1].Tokens != 2 || got.Usage[3].Replaced != 2 {
		t.Errorf("%+v", got.Usage)
	}
	for k := range got.Row(0) {
		if !near(got.Row(0)[k], got.Row(4)[k]) {
			t.Fatalf("equal texts differ at %d", k)
		}
	}
	if none := must(model.Embed(nil, nil))(t); none.Rows != 0 || len(none.Usage) != 0 {
		t.Errorf("%+v", none)
	}
}

func TestEmbed_Options(t *testing.T) {
	model := load(t, "bert-embedding")
	texts := []string{"where is my card?"}
	if got := must(model.Embed(texts, &EmbedOptions{Dim: 8, Layer: 2}))(t); got.Cols != 8 {
		t.Errorf("%d columns", got.Cols)
	}
	_, err := model.Embed(texts, &EmbedOptions{Dim: -1})
	wantError(t, err, ErrInvalidArgument, "dim is -1")
	_, err = model.Embed(texts, &EmbedOptions{Layer: 99})
	wantError(t, err, ErrInvalidArgument, "layer")
	_, err = model.Embed(texts, &EmbedOptions{Task: "x"})
	wantError(t, err, ErrNotFound, "x")
	_, err = model.Embed(texts, &EmbedOptions{Task: "a\x00b"})
	wantError(t, err, ErrInvalidArgument, "Task holds a NUL")
	_, err = model.Embed([]string{strings.Repeat("card ", 100)}, &EmbedOptions{MaxTokens: 50})
	wantError(t, err, ErrLimit, "102")
}

func TestEmbedInto_CallersMemory(t *testing.T) {
	model := load(t, "bert-embedding")
	texts := []string{"where is my card?", "book a flight"}
	want := must(model.Embed(texts, nil))(t)
	vectors := make([]float32, 64)
	if dim := must(model.EmbedInto(vectors, texts, nil))(t); dim != 32 {
		t.Errorf("dim is %d", dim)
	}
	for i, x := range vectors {
		if !near(x, want.Data[i]) {
			t.Fatalf("differs at %d", i)
		}
	}
	_, err := model.EmbedInto(vectors[:63], texts, nil)
	wantError(t, err, ErrInvalidArgument, "capacity is 63")
	_, err = model.EmbedInto(nil, texts, nil)
	wantError(t, err, ErrInvalidArgument, "")
}

func TestClassify_LabelsAndPairs(t *testing.T) {
	model := load(t, "bert-sequence")
	got := must(model.Classify([]string{"where is my card?", "book a flight"}, nil))(t)
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	for _, c := range got {
		if strings.Join(c.Labels, " ") != "banking travel chit_chat" || c.Label != c.Labels[c.LabelID] ||
			c.Score != c.Probs[c.LabelID] || !near(c.Probs[0]+c.Probs[1]+c.Probs[2], 1) {
			t.Errorf("%+v", c)
		}
	}
	pairs := must(model.ClassifyPairs([]string{"where"}, []string{"my card"}, nil))(t)
	if len(pairs) != 1 || pairs[0].Usage.Tokens != 6 {
		t.Errorf("%+v", pairs)
	}
	_, err := model.ClassifyPairs([]string{"a"}, nil, nil)
	wantError(t, err, ErrInvalidArgument, "texts has 1 elements, pairs has 0")
	_, err = model.Entities([]string{"a"}, nil)
	wantError(t, err, ErrUnsupported, "")
}

func TestEntities_PerText(t *testing.T) {
	model := load(t, "bert-token")
	texts := []string{"Maria lives in Paris", "where is my card?", ""}
	got := must(model.Entities(texts, &ClassifyOptions{Threshold: 0.01}))(t)
	if len(got) != 3 || got[1].Usage.Tokens != 7 {
		t.Fatalf("%+v", got)
	}
	found := 0
	for i, text := range got {
		for _, e := range text.Entities {
			found++
			if e.Start >= e.End || e.End > len(texts[i]) || (e.Label != "person" && e.Label != "city") {
				t.Errorf("text %d: %+v", i, e)
			}
		}
	}
	if found == 0 {
		t.Error("the tiny model finds something in these texts at this threshold")
	}
	probs := must(model.TokenProbs("where is my card?", nil))(t)
	if probs.Rows != 7 || probs.Cols != 5 || probs.Labels[3] != "B-city" || probs.Usage.Tokens != 7 {
		t.Errorf("%+v", probs)
	}
}

func TestEntitiesOfPairs_SpansOfTheSecondText(t *testing.T) {
	model := load(t, "bert-token")
	golden := must(os.ReadFile("../../tests/goldens/token-pairs.json"))(t)
	var file struct {
		Cases []struct {
			Model, Text, Pair string
			Ids               []int
			TokenProbs        [][]float32 `json:"token_probs"`
			Entities          []Entity    `json:"entities_0.5"`
		}
	}
	if err := json.Unmarshal(golden, &file); err != nil {
		t.Fatal(err)
	}
	var texts, pairs []string
	var expected [][]Entity
	for _, c := range file.Cases {
		if c.Model != "bert-token" {
			continue
		}
		texts, pairs, expected = append(texts, c.Text), append(pairs, c.Pair), append(expected, c.Entities)
		probs := must(model.TokenProbsOfPair(c.Text, c.Pair, nil))(t)
		if probs.Rows != len(c.Ids) || !near(probs.Row(probs.Rows - 1)[0], c.TokenProbs[probs.Rows-1][0]) {
			t.Errorf("%q: %d rows", c.Text, probs.Rows)
		}
	}
	got := must(model.EntitiesOfPairs(texts, pairs, nil))(t)
	for i, want := range expected {
		if len(got[i].Entities) != len(want) {
			t.Fatalf("pair %d: %+v, expected %+v", i, got[i], want)
		}
		for k, e := range got[i].Entities {
			if e.Label != want[k].Label || e.Start != want[k].Start || e.End != want[k].End || !near(e.Score, want[k].Score) {
				t.Errorf("pair %d: %+v, expected %+v", i, e, want[k])
			}
		}
	}
	_, err := model.EntitiesOfPairs(texts, nil, nil)
	wantError(t, err, ErrInvalidArgument, "pairs has 0")
	if none := must(model.EntitiesOfPairs(nil, nil, nil))(t); len(none) != 0 {
		t.Errorf("%+v", none)
	}
}

func TestSimilarity_AgreesWithItself(t *testing.T) {
	model := load(t, "bert-embedding")
	a, b := []string{"where is my card?", "book a flight"}, []string{"where is my card?", "a hotel in Paris"}
	scores := must(model.Similarity(a, b, nil))(t)
	matrix := must(model.SimilarityMatrix(a, b, nil))(t)
	if !near(scores[0], 1) || !near(scores[1], matrix.Row(1)[1]) || matrix.Rows != 2 || matrix.Cols != 2 {
		t.Errorf("%v %+v", scores, matrix)
	}
	nearest := must(model.Nearest("where is my card?", b, 5, nil))(t)
	if len(nearest) != 2 || nearest[0].Index != 0 || !near(nearest[0].Score, 1) {
		t.Errorf("%+v", nearest)
	}
	_, err := model.Nearest("a", b, -1, nil)
	wantError(t, err, ErrInvalidArgument, "k is -1")
	_, err = model.Similarity(a, nil, nil)
	wantError(t, err, ErrInvalidArgument, "a has 2 elements")
}

func TestProgress_StopsAndPanics(t *testing.T) {
	model := load(t, "bert-embedding")
	texts := make([]string, 200)
	last := 0
	must(model.Embed(texts, &EmbedOptions{Progress: func(done, total int) bool {
		last = done
		return total != 200
	}}))(t)
	if last != 200 {
		t.Errorf("progress ended at %d of 200", last)
	}
	_, err := model.Embed(texts, &EmbedOptions{Progress: func(int, int) bool { return true }})
	wantError(t, err, ErrCancelled, "")
	// A callback may close the engine that is at work.
	_, err = model.Embed(texts, &EmbedOptions{Progress: func(int, int) bool { model.Close(); return false }})
	if err != nil {
		t.Error(err)
	}
	other := load(t, "bert-sequence")
	defer func() {
		if recover() != "enough" {
			t.Error("the panic did not come through")
		}
		must(other.Classify([]string{"a"}, nil))(t)
	}()
	other.Classify(texts, &ClassifyOptions{Progress: func(int, int) bool { panic("enough") }})
}

func TestTokenizer_EncodeDecode(t *testing.T) {
	tokenizer := must(LoadTokenizer(tiny("bert-embedding")))(t)
	defer tokenizer.Close()
	got := must(tokenizer.Encode("Where is my card?", nil))(t)
	if strings.Join(got.Tokens, " ") != "[CLS] where is my card ? [SEP]" || got.Offsets[4] != (Offset{12, 16}) ||
		got.Sides[0] != -1 || got.Windows != 1 || got.Replaced != 0 {
		t.Errorf("%+v", got)
	}
	pair := "my card"
	both := must(tokenizer.Encode("where", &EncodeOptions{Pair: &pair, NoSpecialTokens: true}))(t)
	if strings.Join(both.Tokens, " ") != "where my card" || both.Sides[1] != 1 {
		t.Errorf("%+v", both)
	}
	if empty := must(tokenizer.Encode("", &EncodeOptions{NoSpecialTokens: true}))(t); len(empty.IDs) != 0 {
		t.Errorf("%+v", empty)
	}
	if text := must(tokenizer.Decode(got.IDs, true))(t); !strings.HasPrefix(text, "where is my card") {
		t.Error(text)
	}
	if text := must(tokenizer.Decode(nil, true))(t); text != "" {
		t.Error(text)
	}
	_, err := tokenizer.Decode([]int32{5, -2}, true)
	wantError(t, err, ErrInvalidArgument, "ids[1] is -2")
	if tokenizer.VocabSize() < 100 {
		t.Error(tokenizer.VocabSize())
	}
	tokenizer.Close()
	_, err = tokenizer.Encode("a", nil)
	wantError(t, err, ErrState, "tokenizer is closed")
	if tokenizer.VocabSize() != 0 {
		t.Error("a closed tokenizer has a vocabulary")
	}
}
