// Routes questions to private intents, each a label with a few examples. No training.
//
// Usage: go run . MODEL [QUESTION...]
//
// MODEL is a folder with a sentence embedding model, such as all-MiniLM-L6-v2. cgo finds the library through pkg-config:
// set PKG_CONFIG_PATH to the folder of vsr.pc.
package main

import (
	"cmp"
	"fmt"
	"os"

	"vsr"
)

var examples = map[string][]string{
	"card":          {"where is my card?", "my card has not arrived", "when will I get my new card?"},
	"exchange rate": {"what is the exchange rate?", "how many euros for ten pounds?", "dollar rate today"},
	"travel":        {"book a flight to Rome", "I need a hotel", "find me a train to Berlin"},
}

func route(modelPath string, questions []string) error {
	model, err := vsr.LoadModel(modelPath, nil)
	if err != nil {
		return err
	}
	defer model.Close()
	intents, err := vsr.NewIntents(model, &vsr.IntentsOptions{Threshold: 0.4})
	if err != nil {
		return err
	}
	defer intents.Close()
	for label, texts := range examples {
		if err := intents.Add(label, texts, nil); err != nil {
			return err
		}
	}
	matches, err := intents.Route(questions)
	if err != nil {
		return err
	}
	for i, match := range matches {
		fmt.Printf("%-40s %-14s %.3f\n", questions[i], cmp.Or(match.Label, "none of these"), match.Score)
	}
	return nil
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintf(os.Stderr, "usage: %s MODEL [QUESTION...]\n", os.Args[0])
		os.Exit(2)
	}
	questions := os.Args[2:]
	if len(questions) == 0 {
		questions = []string{"still no card in my letter box", "what do I get for 100 dollars in yen?",
			"can you reserve a room in Lisbon?", "why is the sky blue?"}
	}
	if err := route(os.Args[1], questions); err != nil {
		fmt.Fprintln(os.Stderr, "route:", err)
		os.Exit(1)
	}
}
