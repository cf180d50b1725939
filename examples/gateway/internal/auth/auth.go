// Package auth knows who calls by the key that a request bears.
package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"gateway/internal/flow"
)

// Roles of keys. A key without roles may infer.
const (
	RoleInfer   = "infer"   // models
	RoleExplain = "explain" // /v1/explain
	RoleAdmin   = "admin"   // /live: what became of the requests of all tenants
)

// Caller is who bears a key.
type Caller struct {
	flow.Caller
	Name  string // of the key, for logs
	roles []string
}

// May says whether the caller has a role.
func (c *Caller) May(role string) bool { return slices.Contains(c.roles, role) }

type entry struct {
	Name   string   `yaml:"name"`
	SHA256 string   `yaml:"sha256"` // of the key, in hexadecimal
	Tenant string   `yaml:"tenant"`
	User   string   `yaml:"user"`
	Groups []string `yaml:"groups"`
	Roles  []string `yaml:"roles"`
	Models []string `yaml:"models"` // that it may name itself; none: all
}

// Keys are all keys by their hashes. A key is found by its hash, so the time that this takes tells nothing of the key.
type Keys struct {
	callers map[[sha256.Size]byte]*Caller
	open    bool
}

// Open lets everybody in, as the tenant "" with every role.
func Open() *Keys { return &Keys{open: true} }

var anybody = &Caller{Name: "anybody", roles: []string{RoleInfer, RoleExplain, RoleAdmin}}

// Read reads a file of keys.
func Read(path string) (*Keys, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list struct {
		Keys []entry `yaml:"keys"`
	}
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	if err := decoder.Decode(&list); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	keys := &Keys{callers: map[[sha256.Size]byte]*Caller{}}
	for i, e := range list.Keys {
		if err := keys.add(e); err != nil {
			return nil, fmt.Errorf("%s: keys[%d] %s: %w", path, i, e.Name, err)
		}
	}
	if len(keys.callers) == 0 {
		return nil, fmt.Errorf("%s: there is no key in it, so nobody could call", path)
	}
	return keys, nil
}

func (k *Keys) add(e entry) error {
	sum, err := hex.DecodeString(e.SHA256)
	if err != nil || len(sum) != sha256.Size {
		return errors.New("sha256 is not 64 hexadecimal digits (hint: printf %s KEY | sha256sum)")
	}
	if e.Tenant == "" {
		return errors.New("tenant is missing")
	}
	if !flow.ValidTenant(e.Tenant) {
		return fmt.Errorf("tenant is %q, expected letters, digits and ._:@/-", e.Tenant)
	}
	for _, role := range e.Roles {
		if role != RoleInfer && role != RoleExplain && role != RoleAdmin {
			return fmt.Errorf("role %q is none of %s, %s, %s", role, RoleInfer, RoleExplain, RoleAdmin)
		}
	}
	if len(e.Roles) == 0 {
		e.Roles = []string{RoleInfer}
	}
	hash := [sha256.Size]byte(sum)
	if _, twice := k.callers[hash]; twice {
		return errors.New("its key is there already")
	}
	k.callers[hash] = &Caller{Name: e.Name, roles: e.Roles,
		Caller: flow.Caller{Tenant: e.Tenant, User: e.User, Groups: e.Groups, Models: e.Models}}
	return nil
}

// Of gives who bears the key of a request: of "Authorization: Bearer KEY", as OpenAI's clients send it, or of
// "x-api-key: KEY", as Anthropic's do. nil: nobody.
func (k *Keys) Of(authorization, apiKey string) *Caller {
	if k.open {
		return anybody
	}
	key := apiKey
	if scheme, token, found := strings.Cut(authorization, " "); found && strings.EqualFold(scheme, "bearer") {
		key = strings.TrimSpace(token)
	}
	if key == "" {
		return nil
	}
	return k.callers[sha256.Sum256([]byte(key))]
}
