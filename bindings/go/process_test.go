//go:build cgo

package vsr

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A Go program ends without a word to its C libraries, whose threads and callers run to the last moment.
func TestProgramEndsInTheMidstOfCalls(t *testing.T) {
	const inside = "VSR_TEST_ENDS"
	if os.Getenv(inside) != "" {
		model := load(t, "bert-embedding")
		begun := make(chan bool)
		for i := 0; i < 3; i++ {
			go func() {
				for {
					if _, err := model.Embed([]string{"where is my card?"}, nil); err != nil {
						return // under -race, os.Exit runs exit(), which ends calls with an error
					}
					select {
					case begun <- true:
					default:
					}
				}
			}()
		}
		<-begun
		os.Exit(0)
	}
	for round := 0; round < 3; round++ {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		command := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestProgramEndsInTheMidstOfCalls$")
		command.Env = append(os.Environ(), inside+"=1")
		output, err := command.CombinedOutput()
		cancel()
		if err != nil {
			t.Fatalf("%v: %s", err, output)
		}
	}
}
