package proxy

import (
	"net/http"
	"time"

	"gateway/internal/api"
	"gateway/internal/auth"
	"gateway/internal/flow"
	"gateway/internal/live"
	"gateway/internal/sse"
)

// tryHeader asks for the texts of a request to be shown on the live page; only an admin's own tries have it.
const tryHeader = "X-Vsr-Live"

// shown is what the live page gets of an exchange. Without a page it is empty and does nothing.
type shown struct {
	record *live.Record
	texts  bool
	framer sse.Framer // of the server's stream, before a guard changes it
	whole  []byte     // an answer that is no stream
	told   int        // findings
}

// show puts the request on the live page.
func (e *exchange) show() {
	own := e.request.Header.Get(tryHeader) != "" && e.caller.May(auth.RoleAdmin)
	e.request.Header.Del(tryHeader)
	if e.board == nil || !e.state.Live.Enabled {
		return
	}
	e.shown.texts = e.state.Live.Texts || own
	e.shown.record = e.board.Begin(live.Entry{ID: e.id, Time: e.began, Path: e.request.URL.Path, Tenant: e.caller.Tenant,
		Key: e.caller.Name, HasText: e.shown.texts})
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// showDecision tells what was decided.
func (e *exchange) showDecision() {
	v := e.verdict
	e.shown.record.Change(func(entry *live.Entry) {
		entry.Stream, entry.Outcome, entry.Model, entry.Requested = v.Stream, v.OutcomeName(), v.Model, v.RequestedModel()
		entry.Cache, entry.Guard, entry.RouteMS = v.Cache, v.Guard, milliseconds(v.RouteTime)
		if e.shown.texts {
			entry.Question = v.Question()
		}
		if v.Decision == nil {
			return
		}
		entry.Decision, entry.Confidence = v.Decision.Name, v.Decision.Confidence
		for _, signal := range v.Decision.Signals {
			entry.Signals = append(entry.Signals, live.Signal{Name: signal.Name, Matched: signal.Matched,
				Confidence: signal.Confidence, Milliseconds: signal.Milliseconds})
		}
	})
	if e.shown.texts && v.Action == flow.Immediate {
		e.showText(v.Answer, v.Stream)
	}
}

// showBegin tells that a server began to answer.
func (e *exchange) showBegin(answer *http.Response) {
	v := e.verdict
	e.shown.record.Change(func(entry *live.Entry) {
		entry.Model, entry.Guard, entry.Server, entry.Attempts = v.Model, v.Guard, e.server, e.attempts
		entry.Status, entry.FirstByteMS = answer.StatusCode, milliseconds(e.firstByte)
	})
}

// showPiece goes on with what a server says, and with what the guard found in it.
func (e *exchange) showPiece(piece []byte, filter *flow.ResponseFilter, stream bool) {
	if e.shown.record == nil {
		return
	}
	if e.shown.texts && len(piece) > 0 {
		if stream {
			e.showText(e.shown.framer.Write(piece), true)
		} else if len(e.shown.whole) <= flow.MaxStored {
			e.shown.whole = append(e.shown.whole, piece...)
		}
	}
	summary := filter.Summary()
	if len(summary.Events) == e.shown.told {
		return
	}
	fresh := summary.Events[e.shown.told:]
	e.shown.told = len(summary.Events)
	e.shown.record.Change(func(entry *live.Entry) {
		entry.Findings, entry.Ended, entry.Unchecked = findingsOf(entry.Findings, fresh), summary.Ended, summary.Overloaded
	})
}

// showRest is behind the last piece.
func (e *exchange) showRest(filter *flow.ResponseFilter, stream bool) {
	e.showPiece(nil, filter, stream)
	if len(e.shown.whole) > 0 {
		e.showText(e.shown.whole, false)
	}
}

// showText shows the text of whole events, or of an answer that is no stream.
func (e *exchange) showText(body []byte, stream bool) {
	if !stream {
		e.shown.record.Say(api.Delta(e.kind, string(body)))
		return
	}
	text := ""
	for _, event := range sse.Events(body) {
		text += api.Delta(e.kind, event.Data)
	}
	e.shown.record.Say(text)
}

// showEnd tells how it ended.
func (e *exchange) showEnd() {
	e.shown.record.Change(func(entry *live.Entry) {
		entry.Done, entry.Status, entry.Outcome, entry.Problem = true, e.status, e.outcome, e.problem
		entry.TotalMS, entry.Attempts = milliseconds(time.Since(e.began)), e.attempts
		entry.Prompt, entry.Output = e.summary.PromptTokens, e.summary.OutputTokens
		entry.Cost, entry.Saved, entry.Stored = e.cost, e.saved, e.summary.Stored
		entry.Ended, entry.Unchecked = e.summary.Ended, e.summary.Overloaded
	})
}
