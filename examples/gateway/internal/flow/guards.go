package flow

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"gateway/internal/api"
	"vsr"
)

// GuardConfig says which answers are guarded, by what and how. The first that fits guards an answer.
type GuardConfig struct {
	Name      string   `yaml:"name"`
	Decisions []string `yaml:"decisions"`  // none: of all decisions
	Models    []string `yaml:"models"`     // none: of all models
	Tenants   []string `yaml:"tenants"`    // none: of all tenants
	Facts     []string `yaml:"facts"`      // files; each line that is not empty is a fact
	ToolFacts bool     `yaml:"tool_facts"` // results of tools in the request are facts, too
	Policy    string   `yaml:"policy"`     // observe, annotate, warn, replace, terminate
	Hold      bool     `yaml:"hold"`
	Closed    bool     `yaml:"fail_closed"`
	PII       bool     `yaml:"pii"`
	// Tasks of the engine; need one.
	NLI           string  `yaml:"nli_task"`
	PIITask       string  `yaml:"pii_task"`
	JailbreakTask string  `yaml:"jailbreak_task"`
	Threshold     float32 `yaml:"threshold"`
	Safety        float32 `yaml:"safety_threshold"`
	Marker        string  `yaml:"marker"`
	Replacement   string  `yaml:"replacement"`
	DeadlineMS    int64   `yaml:"deadline_ms"`
	MaxHoldMS     int64   `yaml:"max_hold_ms"`
}

var policies = map[string]vsr.Policy{"": vsr.PolicyObserve, "observe": vsr.PolicyObserve, "annotate": vsr.PolicyAnnotate,
	"warn": vsr.PolicyWarn, "replace": vsr.PolicyReplace, "terminate": vsr.PolicyTerminate}

type guardRule struct {
	GuardConfig
	engine *vsr.Engine
	texts  []string
	facts  *vsr.Facts // of the files alone
}

func openGuards(configs []GuardConfig, engine *vsr.Engine) ([]*guardRule, error) {
	var rules []*guardRule
	for i, config := range configs {
		if config.Name == "" {
			config.Name = fmt.Sprintf("guards[%d]", i)
		}
		rule, err := openGuard(config, engine)
		if err != nil {
			closeGuards(rules)
			return nil, fmt.Errorf("guard %s: %w", config.Name, err)
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

func openGuard(config GuardConfig, engine *vsr.Engine) (*guardRule, error) {
	if _, known := policies[config.Policy]; !known {
		return nil, fmt.Errorf("policy is %q, expected observe, annotate, warn, replace or terminate", config.Policy)
	}
	if engine == nil && config.NLI+config.PIITask+config.JailbreakTask != "" {
		return nil, fmt.Errorf("it asks tasks, and the gateway has no engine (hint: engine in the gateway's file)")
	}
	rule := &guardRule{GuardConfig: config, engine: engine}
	for _, path := range config.Facts {
		texts, err := readFacts(path)
		if err != nil {
			return nil, err
		}
		rule.texts = append(rule.texts, texts...)
	}
	var err error
	if rule.facts, err = rule.newFacts(rule.texts); err != nil {
		return nil, err
	}
	// The tasks and numbers are checked now, not when the first answer comes.
	guard, err := vsr.NewGuard(rule.facts, rule.options("", false))
	if err != nil {
		_ = rule.facts.Close()
		return nil, err
	}
	return rule, guard.Close()
}

func closeGuards(rules []*guardRule) {
	for _, rule := range rules {
		_ = rule.facts.Close()
	}
}

func readFacts(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var texts []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if text := strings.TrimSpace(lines.Text()); text != "" {
			texts = append(texts, text)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return texts, nil
}

func (g *guardRule) newFacts(texts []string) (*vsr.Facts, error) {
	return vsr.NewFacts(g.engine, texts, &vsr.FactsOptions{NLI: g.NLI})
}

func (g *guardRule) options(question string, grounded bool) *vsr.GuardOptions {
	return &vsr.GuardOptions{Policy: policies[g.Policy], Question: question, Hold: g.Hold, FailClosed: g.Closed,
		NoGrounding: !grounded, PII: g.PII, PIITask: g.PIITask, JailbreakTask: g.JailbreakTask, Threshold: g.Threshold,
		SafetyThreshold: g.Safety, Marker: g.Marker, Replacement: g.Replacement, DeadlineMS: g.DeadlineMS,
		MaxHoldMS: g.MaxHoldMS}
}

func fits(wanted []string, is string) bool { return len(wanted) == 0 || slices.Contains(wanted, is) }

// guardFor gives the rule for an answer; nil: it is not guarded.
func (f *Flow) guardFor(decision, model, tenant string) *guardRule {
	for _, rule := range f.guards {
		if fits(rule.Decisions, decision) && fits(rule.Models, model) && fits(rule.Tenants, tenant) {
			return rule
		}
	}
	return nil
}

// begin makes the guard of an answer to this request. Without any fact, claims are not held against facts.
func (g *guardRule) begin(request *api.Request, format vsr.StreamFormat) (*vsr.Guard, error) {
	facts, count := g.facts, len(g.texts)
	if g.ToolFacts {
		if found := request.ToolTexts(); len(found) > 0 {
			var err error
			if facts, err = g.newFacts(append(slices.Clone(g.texts), found...)); err != nil {
				return nil, err
			}
			defer facts.Close() // the guard keeps what it needs
			count += len(found)
		}
	}
	options := g.options(request.Question(), count > 0)
	options.Format = format
	return vsr.NewGuard(facts, options)
}
