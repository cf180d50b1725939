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
