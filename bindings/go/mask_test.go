//go:build cgo

package vsr

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const mail = "jane.doe@example.com"

func TestMask(t *testing.T) {
	mask := must(NewMask(nil, &MaskOptions{Key: "k", Tenant: "t", Types: []string{"EMAIL_ADDRESS"}}))(t)
	defer mask.Close()
	masked := must(mask.Text("to " + mail))(t)
	if !strings.HasPrefix(masked, "to [EMAIL_ADDRESS_") {
		t.Fatalf("masked is %q", masked)
	}
	request := must(mask.Request(`{"messages":[{"role":"user","content":"` + mail + `"}]}`))(t)
	if strings.Contains(request, mail) {
		t.Errorf("the request is %q", request)
	}
	if restored := must(mask.Restore(masked))(t); restored != "to "+mail {
		t.Errorf("restored is %q", restored)
	}
	stream := must(mask.Stream(StreamText))(t)
	if out, _, _ := feedBytes(t, stream, masked); out != "to "+mail {
		t.Errorf("the stream gave %q", out)
	}
	if described := must(mask.Describe())(t); !strings.Contains(described, `"EMAIL_ADDRESS":1`) {
		t.Errorf("described is %q", described)
	}
	var none *Mask
	var failed *Error
	if _, err := none.Text("x"); !errors.As(err, &failed) || failed.Code != ErrInvalidArgument {
		t.Errorf("a nil mask gave %v", err)
	}
	if _, err := NewMask(nil, &MaskOptions{Threshold: 2}); !errors.As(err, &failed) || failed.Code != ErrInvalidArgument {
		t.Errorf("a threshold of 2 gave %v", err)
	}
}

func TestDecisionsMaskRequests(t *testing.T) {
	path := filepath.Join(t.TempDir(), "router.yaml")
	text := `providers: {defaults: {default_model: m}, models: [{name: m}]}
routing:
  signals: {keywords: [{name: k, keywords: [write]}]}
  decisions: [{name: d, rules: {type: keyword, name: k}, plugins: [{type: pii_mask, configuration: {}}]}]
vsr: {signal_tasks: {pii: none}}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	router := must(NewRouter(path, nil))(t)
	defer router.Close()
	decision := must(router.Route([]byte(`{"model":"auto","messages":[{"role":"user","content":"write to `+mail+`"}]}`), nil))(t)
	if strings.Contains(string(decision.Request), mail) {
		t.Errorf("the request is %s", decision.Request)
	}
	mask := must(decision.Mask())(t)
	if restored := must(mask.Restore(string(decision.Request)))(t); !strings.Contains(restored, "write to "+mail) {
		t.Errorf("restored is %q", restored)
	}
	plain := must(router.Route([]byte("hello"), nil))(t)
	if mask := must(plain.Mask())(t); mask != nil {
		t.Errorf("a request that was not masked has a mask")
	}
}
