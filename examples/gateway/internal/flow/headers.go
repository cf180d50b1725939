package flow

import (
	"strconv"
	"strings"

	"vsr"
)

// Header is a name in lower case with its value.
type Header struct{ Name, Value string }

const maxSignalNames = 1024 // bytes

var outcomes = map[vsr.Outcome]string{vsr.OutcomeForward: "forward", vsr.OutcomeRespond: "respond",
	vsr.OutcomeCached: "cached", vsr.OutcomePassthrough: "passthrough"}

// OutcomeName is forward, respond, cached, passthrough, or refused.
func (v *Verdict) OutcomeName() string {
	if v.Action == Refuse {
		return "refused"
	}
	return outcomes[v.Outcome]
}

// Signals are the names of the signals that matched.
func (v *Verdict) Signals() []string {
	if v.Decision == nil {
		return nil
	}
	var names []string
	for _, signal := range v.Decision.Signals {
		if signal.Matched {
			names = append(names, signal.Name)
		}
	}
	return names
}

// ResponseHeaders say to the client what was decided.
func (v *Verdict) ResponseHeaders() []Header {
	headers := []Header{{"x-vsr-outcome", v.OutcomeName()},
		{"x-vsr-route-ms", strconv.FormatFloat(float64(v.RouteTime.Microseconds())/1000, 'f', 3, 64)}}
	add := func(name, value string) {
		if value = visible(value); value != "" {
			headers = append(headers, Header{name, value})
		}
	}
	add("x-vsr-cache", v.Cache)
	if v.Action == Refuse {
		return headers
	}
	add("x-vsr-model", v.Model)
	add("x-vsr-guard", v.Guard)
	if action := v.unverified(); action == "header" || action == "body" {
		add("x-vsr-unverified", "no facts")
	}
	if v.Decision != nil {
		add("x-vsr-decision", v.Decision.Name)
	}
	signals := strings.Join(v.Signals(), ",")
	if len(signals) > maxSignalNames {
		signals = signals[:strings.LastIndexByte(signals[:maxSignalNames], ',')+1] + "..."
	}
	add("x-vsr-signals", signals)
	return headers
}

// visible leaves only what may be in a header.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
}
