//go:build cgo

package vsr

import (
	"os/exec"
	"strings"
	"testing"
)

func TestExampleProgram_Runs(t *testing.T) {
	run := func(arguments ...string) (string, error) {
		command := exec.Command("go", append([]string{"run", "."}, arguments...)...)
		command.Dir = "../../examples/go"
		output, err := command.CombinedOutput()
		return string(output), err
	}
	output, err := run("../../tests/goldens/models/bert-embedding", "where is my card?")
	if err != nil || !strings.HasPrefix(output, "where is my card?") || !strings.Contains(output, " card ") {
		t.Errorf("%v: %s", err, output)
	}
	if output, err := run("/nowhere/model"); err == nil || !strings.Contains(output, "/nowhere/model") {
		t.Errorf("%v: %s", err, output)
	}
}

func TestExampleProgram_GuardEndsAWrongAnswer(t *testing.T) {
	command := exec.Command("go", "run", "./guard", "The rent is GBP 1,350.")
	command.Dir = "../../examples/go"
	command.Stdin = strings.NewReader("Hello. The rent is GBP 1,530. It is due soon.")
	output, err := command.CombinedOutput()
	if err == nil || !strings.Contains(string(output), `amount: "GBP 1,530"`) || strings.Contains(string(output), "due soon") {
		t.Errorf("%v: %s", err, output)
	}
}
