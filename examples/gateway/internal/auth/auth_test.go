package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t *testing.T, text string) (*Keys, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(path)
}

func hash(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

func TestKeys_KnowTheirBearers(t *testing.T) {
	keys, err := read(t, fmt.Sprintf("keys: [{name: a, tenant: acme, user: ann, sha256: %s}, {name: b, tenant: b, roles: [explain], sha256: %s}]", hash("one"), hash("two")))
	if err != nil {
		t.Fatal(err)
	}
	if c := keys.Of("Bearer one", ""); c == nil || c.Tenant != "acme" || !c.May(RoleInfer) || c.May(RoleExplain) {
		t.Errorf("%+v", c)
	}
	if c := keys.Of("", "two"); c == nil || c.Name != "b" || c.May(RoleInfer) {
		t.Errorf("%+v", c)
	}
	for _, wrong := range []string{"", "Bearer ", "Bearer three", "Basic one", "one", "Bearer " + hash("one")} {
		if c := keys.Of(wrong, ""); c != nil {
			t.Errorf("%q is %+v", wrong, c)
		}
	}
}

func TestRead_SaysWhatIsWrong(t *testing.T) {
	for text, says := range map[string]string{
		"keys: []":                                                                               "no key",
		"keys: [{tenant: a, sha256: abc}]":                                                       "64 hexadecimal digits",
		"keys: [{sha256: " + hash("x") + "}]":                                                    "tenant is missing",
		"keys: [{tenant: 'a|b', sha256: " + hash("x") + "}]":                                     "expected letters",
		"keys: [{tenant: a, roles: [king], sha256: " + hash("x") + "}]":                          "king",
		"keys: [{tenant: a, key: secret, sha256: " + hash("x") + "}]":                            "field key not found",
		"keys: [{tenant: a, sha256: " + hash("x") + "}, {tenant: b, sha256: " + hash("x") + "}]": "there already",
	} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
