package config

import (
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Provider is a model of the router's file, and where it is served.
type Provider struct {
	Name        string            `yaml:"name"`
	UpstreamID  string            `yaml:"provider_model_id"`
	ExternalIDs map[string]string `yaml:"external_model_ids"` // by a backend's provider or type
	Pricing     struct {
		Prompt     float64 `yaml:"prompt_per_1m"`
		Completion float64 `yaml:"completion_per_1m"`
	} `yaml:"pricing"`
	Backends    []Backend   `yaml:"backend_refs"`
	Reliability Reliability `yaml:"reliability"`
}

// Backend is a server of a model.
type Backend struct {
	Name       string            `yaml:"name"`
	Endpoint   string            `yaml:"endpoint"` // host:port, with `protocol`
	Protocol   string            `yaml:"protocol"` // http (default), https
	BaseURL    string            `yaml:"base_url"` // instead: up to and with /v1
	Type       string            `yaml:"type"`
	Provider   string            `yaml:"provider"`
	Weight     *float64          `yaml:"weight"` // 1
	AuthHeader string            `yaml:"auth_header"`
	AuthPrefix *string           `yaml:"auth_prefix"`
	APIKey     string            `yaml:"api_key"`
	APIKeyEnv  string            `yaml:"api_key_env"` // a variable of the environment
	Headers    map[string]string `yaml:"extra_headers"`
	ChatPath   string            `yaml:"chat_path"` // after base_url

	URL *url.URL `yaml:"-"` // of what comes before /chat/completions
}

// Reliability says what is done about servers that fail. Zero means the default.
type Reliability struct {
	Policy      string `yaml:"lb_policy"`          // least_request; else by weight
	Retries     *int   `yaml:"retry_count"`        // 2
	Consecutive int    `yaml:"consecutive_5xx"`    // failures until a server is left out; 5
	Ejection    string `yaml:"base_ejection_time"` // 30s, doubled each time, 10 times at most
}

const maxRetries = 10

// EjectionTime is how long a server is left out at first.
func (r Reliability) EjectionTime() time.Duration {
	if d, err := time.ParseDuration(r.Ejection); err == nil && d > 0 {
		return d
	}
	return 30 * time.Second
}

// RetryCount is how often a request is tried again.
func (r Reliability) RetryCount() int {
	if r.Retries == nil {
		return 2
	}
	return max(0, min(*r.Retries, maxRetries))
}

// ReadProviders reads the models of the router's file. What else is in it is the router's to check.
func ReadProviders(path string) (providers []Provider, defaultModel string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	var file struct {
		Providers struct {
			Defaults struct {
				Model string `yaml:"default_model"`
			} `yaml:"defaults"`
			Models []Provider `yaml:"models"`
		} `yaml:"providers"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	for i := range file.Providers.Models {
		model := &file.Providers.Models[i]
		for j := range model.Backends {
			if err := model.Backends[j].resolve(); err != nil {
				return nil, "", fmt.Errorf("%s: model %s, backend_refs[%d]: %w", path, model.Name, j, err)
			}
		}
	}
	return file.Providers.Models, file.Providers.Defaults.Model, nil
}

func (b *Backend) resolve() error {
	text := b.BaseURL
	if text == "" {
		if b.Endpoint == "" {
			return fmt.Errorf("there is neither an endpoint nor a base_url")
		}
		protocol := b.Protocol
		if protocol == "" {
			protocol = "http"
		}
		text = protocol + "://" + strings.TrimSuffix(b.Endpoint, "/") + "/v1"
	}
	address, err := url.Parse(text)
	if err != nil {
		return err
	}
	if address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
		return fmt.Errorf("%q is no address of a server", text)
	}
	if b.Weight != nil && !(*b.Weight >= 0) {
		return fmt.Errorf("weight is %v, expected 0 or more", *b.Weight)
	}
	if b.APIKeyEnv != "" {
		if b.APIKey = os.Getenv(b.APIKeyEnv); b.APIKey == "" {
			return fmt.Errorf("the variable %s, which has its key, is not set", b.APIKeyEnv)
		}
	}
	b.URL = address
	return nil
}

// IDAt is the name that a backend has for the model.
func (p *Provider) IDAt(b *Backend) string {
	for _, name := range []string{b.Provider, b.Type} {
		if id := p.ExternalIDs[name]; name != "" && id != "" {
			return id
		}
	}
	if p.UpstreamID != "" {
		return p.UpstreamID
	}
	return p.Name
}
