//go:build cgo

package vsr_test

import (
	"errors"
	"fmt"
	"log"

	"vsr"
)

// A folder such as all-MiniLM-L6-v2; here a tiny model with random weights, which knows its own examples at least.
const modelPath = "../../tests/goldens/models/bert-embedding"

func Example() {
	model, err := vsr.LoadModel(modelPath, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	intents, err := vsr.NewIntents(model, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer intents.Close()
	if err := intents.Add("card", []string{"where is my card?", "my card has not arrived"}, nil); err != nil {
		log.Fatal(err)
	}
	matches, err := intents.Route([]string{"where is my card?"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(matches[0].Label)
	// Output: card
}

func ExampleEngine_Embed() {
	model, err := vsr.LoadModel(modelPath, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	vectors, err := model.Embed([]string{"where is my card?", "book a flight"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(vectors.Rows, vectors.Cols, vectors.Usage[0].Tokens)
	// Output: 2 32 7
}

func ExampleError() {
	_, err := vsr.LoadModel("no/such/model", nil)
	fmt.Println(errors.Is(err, vsr.ErrNotFound))
	// Output: true
}
