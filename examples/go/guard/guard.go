// Holds an answer from standard input against facts while it streams, and ends it where it is wrong. No model.
//
// Usage: go run ./guard FACT... < ANSWER
//
// ANSWER is the body of an answer: server-sent events, plain text or JSON. While nothing comes, the guard is fed nothing
// now and then, so that what is held for too long leaves.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"vsr"
)

// pieces sends what is read, and closes at the end. The receiver may stop receiving when `done` is closed.
func pieces(from io.Reader, done <-chan struct{}) <-chan []byte {
	out := make(chan []byte)
	go func() {
		defer close(out)
		for {
			piece := make([]byte, 4096)
			n, err := from.Read(piece)
			if n > 0 {
				select {
				case out <- piece[:n]:
				case <-done:
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}

func take(step *vsr.GuardStep, facts []string) error {
	for _, event := range step.Events {
		said := "nothing"
		if event.Fact >= 0 {
			said = facts[event.Fact]
		}
		fmt.Fprintf(os.Stderr, "%v: %q in %q; the facts say: %s\n", event.Kind, event.Text, event.Claim, said)
	}
	_, err := os.Stdout.Write(step.Forward)
	return err
}

func run(texts []string) error {
	facts, err := vsr.NewFacts(nil, texts, nil)
	if err != nil {
		return err
	}
	defer facts.Close()
	guard, err := vsr.NewGuard(facts, &vsr.GuardOptions{Policy: vsr.PolicyTerminate, Hold: true, MaxHoldMS: 2000})
	if err != nil {
		return err
	}
	defer guard.Close()
	done := make(chan struct{})
	defer close(done)
	body := pieces(os.Stdin, done)
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		var step *vsr.GuardStep
		open := true
		select {
		case piece, more := <-body:
			if open = more; open {
				step, err = guard.Feed(piece)
			} else {
				step, err = guard.Finish()
			}
		case <-tick.C:
			step, err = guard.Feed(nil)
		}
		if err != nil {
			return err
		}
		if err := take(step, texts); err != nil {
			return err
		}
		if step.Ended {
			return errors.New("the answer is wrong and ends here")
		}
		if !open {
			return nil
		}
	}
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintf(os.Stderr, "usage: %s FACT... < ANSWER\n", os.Args[0])
		os.Exit(2)
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "guard:", err)
		os.Exit(1)
	}
}
