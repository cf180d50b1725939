package vsr

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// constants reads the enumerators with a prefix from a header.
func constants(t *testing.T, header, prefix string) map[string]int {
	t.Helper()
	text, err := os.ReadFile("../../include/vsr/" + header)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^\s*(`+prefix+`\w+) = (\d+)`).FindAllStringSubmatch(string(text), -1) {
		found[m[1]], _ = strconv.Atoi(m[2])
	}
	return found
}

func TestStatus_EqualsTheHeader(t *testing.T) {
	header := constants(t, "types.h", "VSR_ERR_")
	if len(header) < 11 || len(header) != len(statusNames) {
		t.Fatalf("the header has %d codes, the package %d", len(header), len(statusNames))
	}
	for status, name := range statusNames {
		if number, there := header[name]; !there || number != int(status) {
			t.Errorf("%s is %d in the header (found: %t), %d here", name, number, there, status)
		}
	}
}

func TestRule_EqualsTheHeader(t *testing.T) {
	want := map[string]int{
		"VSR_RULE_DEFAULT": int(RuleDefault), "VSR_RULE_VOTE": int(RuleVote), "VSR_RULE_BEST": int(RuleBest),
		"VSR_RULE_BLEND": int(RuleBlend),
	}
	header := constants(t, "intents.h", "VSR_RULE_")
	if fmt.Sprint(header) != fmt.Sprint(want) {
		t.Errorf("the header has %v, the package %v", header, want)
	}
}

func TestError_IsItsCode(t *testing.T) {
	err := fmt.Errorf("while loading: %w", errorf(ErrNotFound, "%s is missing", "config.json"))
	if !errors.Is(err, ErrNotFound) || errors.Is(err, ErrIO) {
		t.Errorf("%v is not ErrNotFound alone", err)
	}
	var typed *Error
	if !errors.As(err, &typed) || typed.Code != ErrNotFound || typed.Message != "config.json is missing" {
		t.Errorf("%#v", typed)
	}
	if got := typed.Error(); got != "vsr: config.json is missing" {
		t.Error(got)
	}
	if got := Status(99).Error(); got != "VSR_ERR_UNKNOWN (99)" {
		t.Error(got)
	}
}
