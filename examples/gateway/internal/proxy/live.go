package proxy

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"gateway/internal/api"
	"gateway/internal/auth"
	"gateway/internal/flow"
	"gateway/internal/live"
	"vsr"
)

// beat is how often a watcher's connection and key are tried.
const beat = 15 * time.Second

// addLive puts the page where it is served, with what its own tries need.
func (g *Gateway) addLive(mux *http.ServeMux) {
	if g.board == nil {
		return
	}
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, _ *http.Request) { live.ServePage(w, nil) })
	mux.HandleFunc("GET /live/events", g.watch)
	mux.HandleFunc("POST /live/check", g.check)
}

// mayWatch says whether a request's key may see what becomes of others' requests, now.
func (g *Gateway) mayWatch(r *http.Request) int {
	state, done := g.configuration.Use()
	defer done()
	if state == nil {
		return 503
	}
	caller := state.Keys.Of(r.Header.Get("Authorization"), r.Header.Get("X-Api-Key"))
	switch {
	case caller == nil:
		return 401
	case !caller.May(auth.RoleAdmin):
		return 403
	case !state.Live.Enabled:
		return 404
	}
	return 200
}

// watch tells what becomes of requests, as server-sent events, until the client leaves or its key is taken away.
func (g *Gateway) watch(w http.ResponseWriter, r *http.Request) {
	status := g.mayWatch(r)
	switch status {
	case 200:
	case 401:
		w.Header().Set("WWW-Authenticate", "Bearer")
		writeError(w, api.Chat, 401, "invalid_api_key", "the key is missing or not known")
		return
	case 403:
		writeError(w, api.Chat, 403, "not_allowed", "this key has not the role admin")
		return
	default:
		writeError(w, api.Chat, status, "not_found", "there is no live page")
		return
	}
	first, watcher, err := g.board.Watch()
	if err != nil {
		w.Header().Set("Retry-After", "5")
		writeError(w, api.Chat, 503, "overloaded", err.Error())
		return
	}
	defer watcher.Close()
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{})
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(200)
	send := func(text []byte) bool {
		_ = control.SetWriteDeadline(time.Now().Add(g.limits.ClientIdle()))
		_, err := w.Write(text)
		return err == nil && control.Flush() == nil
	}
	if !send(event(first)) {
		return
	}
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case message, more := <-watcher.Messages():
			if !more || !send(event(message)) {
				return
			}
		case <-ticker.C:
			if status := g.mayWatch(r); status != 200 || !send([]byte(": still here\n\n")) {
				return
			}
		}
	}
}

func event(data []byte) []byte { return append(append([]byte("data: "), data...), "\n\n"...) }

// check holds a text against facts of one's own: {"question", "facts": [...], "answer"}.
func (g *Gateway) check(w http.ResponseWriter, r *http.Request) {
	e, end := g.begin(w, r, api.Chat, auth.RoleAdmin)
	defer end()
	if e == nil {
		return
	}
	var asked struct {
		Question string   `json:"question"`
		Facts    []string `json:"facts"`
		Answer   string   `json:"answer"`
	}
	if err := json.Unmarshal(e.body, &asked); err != nil {
		e.refuse(400, "invalid_request", "the body is not {\"question\", \"facts\", \"answer\"}: "+err.Error())
		return
	}
	e.outcome = "checked"
	events, err := flow.Check(e.state.engine, asked.Question, asked.Facts, asked.Answer)
	if err != nil {
		status := 500
		if errors.Is(err, vsr.ErrInvalidArgument) || errors.Is(err, vsr.ErrLimit) {
			status = 400
		}
		e.refuse(status, "check_failed", err.Error())
		return
	}
	text, _ := json.Marshal(map[string]any{"findings": findingsOf([]live.Finding{}, events)}) // of strings and numbers
	e.status = 200
	writeJSON(w, 200, text)
}

// findingsOf appends what is of the text that the page shows: the first choice's.
func findingsOf(found []live.Finding, events []vsr.GuardEvent) []live.Finding {
	for _, event := range events {
		if event.Choice == 0 && event.Field == vsr.FieldText {
			found = append(found, live.Finding{Start: event.Start, End: event.End, Kind: event.Kind.String(), Score: event.Score,
				Fact: event.Fact})
		}
	}
	return found
}
