// Package live keeps what became of the last requests, and tells it to those who watch. Requests, the text
// of each, watchers, and what waits for a watcher who does not keep up are all bounded.
package live

import (
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"
)

const (
	maxText     = 8 << 10 // bytes of an answer
	maxQuestion = 4 << 10
	maxFindings = 64
	maxSignals  = 64
	maxName     = 200 // bytes of what a client may choose the length of
	maxWatchers = 16
	maxBehind   = 512 // messages
)

// Signal is one signal of a decision.
type Signal struct {
	Name         string  `json:"name"`
	Matched      bool    `json:"matched"`
	Confidence   float64 `json:"confidence"`
	Milliseconds float64 `json:"ms"`
}

// Finding is what a guard found. Positions are bytes of the text of the server's answer, end exclusive.
type Finding struct {
	Start int     `json:"start"`
	End   int     `json:"end"`
	Kind  string  `json:"kind"`
	Score float32 `json:"score"`
	Fact  int     `json:"fact"` // -1: none
}

// Entry is a request and what became of it. Question and Text are of requests whose texts may be shown.
type Entry struct {
	ID          string    `json:"id"`
	Time        time.Time `json:"time"`
	Path        string    `json:"path"`
	Tenant      string    `json:"tenant"`
	Key         string    `json:"key"`
	Stream      bool      `json:"stream"`
	Done        bool      `json:"done"`
	Status      int       `json:"status"`
	Outcome     string    `json:"outcome"`
	Problem     string    `json:"problem"`
	Requested   string    `json:"requested"`
	Decision    string    `json:"decision"`
	Confidence  float64   `json:"confidence"`
	Model       string    `json:"model"`
	Server      string    `json:"server"`
	Attempts    int       `json:"attempts"`
	Cache       string    `json:"cache"`
	Stored      bool      `json:"stored"`
	Guard       string    `json:"guard"`
	Ended       bool      `json:"ended"`     // by the guard
	Unchecked   bool      `json:"unchecked"` // in part
	Signals     []Signal  `json:"signals"`
	Findings    []Finding `json:"findings"`
	RouteMS     float64   `json:"route_ms"`
	FirstByteMS float64   `json:"first_byte_ms"` // of the server
	TotalMS     float64   `json:"total_ms"`
	Prompt      int       `json:"prompt_tokens"`
	Output      int       `json:"output_tokens"`
	Cost        float64   `json:"cost"`
	Saved       float64   `json:"saved"`
	HasText     bool      `json:"has_text"`
	Question    string    `json:"question,omitempty"`
	Text        string    `json:"text,omitempty"`
	Cut         bool      `json:"cut"` // the text is longer than what is kept of it
}

// Board is the last requests. It may be used by many goroutines.
type Board struct {
	mutex    sync.Mutex
	entries  []*Entry // oldest first
	most     int
	watchers map[*Watcher]struct{}
	closed   bool
}

// NewBoard keeps that number of requests.
func NewBoard(most int) *Board { return &Board{most: most, watchers: map[*Watcher]struct{}{}} }

// Watcher gets what is new. Messages is closed when it does not keep up, and when the board is closed.
type Watcher struct {
	board    *Board
	messages chan []byte
}

// Messages are JSON objects: {"entry": ...} is a request that is new or has changed, without its text; {"id", "text"} is
// what its text goes on with.
func (w *Watcher) Messages() <-chan []byte { return w.messages }

// ErrTooMany is of more watchers than the board serves.
var ErrTooMany = errors.New("too many watch already")

// Watch gives the requests so far, with their texts, as JSON, and a watcher for what follows. Close it.
func (b *Board) Watch() ([]byte, *Watcher, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if len(b.watchers) >= maxWatchers || b.closed {
		return nil, nil, ErrTooMany
	}
	first, err := json.Marshal(map[string]any{"entries": append([]*Entry{}, b.entries...), "most": b.most})
	if err != nil {
		return nil, nil, err
	}
	w := &Watcher{b, make(chan []byte, maxBehind)}
	b.watchers[w] = struct{}{}
	return first, w, nil
}

// Close ends the watching. More than once does no harm.
func (w *Watcher) Close() {
	w.board.mutex.Lock()
	defer w.board.mutex.Unlock()
	w.board.drop(w)
}

func (b *Board) drop(w *Watcher) {
	if _, there := b.watchers[w]; there {
		delete(b.watchers, w)
		close(w.messages)
	}
}

// Close ends all watching, for good.
func (b *Board) Close() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.closed = true
	for w := range b.watchers {
		b.drop(w)
	}
}

// ForgetTexts is for when texts may not be shown any more.
func (b *Board) ForgetTexts() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, e := range b.entries {
		e.Question, e.Text, e.HasText = "", "", false
	}
}

// publish needs the lock.
func (b *Board) publish(message any) {
	if len(b.watchers) == 0 {
		return
	}
	text, err := json.Marshal(message)
	if err != nil {
		return // a number that is none: nothing that could be shown
	}
	for w := range b.watchers {
		select {
		case w.messages <- text:
		default:
			b.drop(w)
		}
	}
}

// Record is a request that is on its way. All of a nil one does nothing.
type Record struct {
	board *Board
	entry *Entry
}

// Begin puts a request on the board, in the place of the oldest.
func (b *Board) Begin(entry Entry) *Record {
	if b == nil {
		return nil
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	e := &entry
	bound(e)
	if len(b.entries) >= b.most {
		b.entries = slices.Delete(b.entries, 0, 1)
	}
	b.entries = append(b.entries, e)
	b.tell(e)
	return &Record{b, e}
}

// Change changes what is known of the request, and tells it.
func (r *Record) Change(change func(*Entry)) {
	if r == nil {
		return
	}
	r.board.mutex.Lock()
	defer r.board.mutex.Unlock()
	change(r.entry)
	bound(r.entry)
	r.board.tell(r.entry)
}

// Say goes on with the text of the answer.
func (r *Record) Say(text string) {
	if r == nil || text == "" {
		return
	}
	r.board.mutex.Lock()
	defer r.board.mutex.Unlock()
	e := r.entry
	if !e.HasText || e.Cut {
		return
	}
	whole := e.Text + text
	e.Text, e.Cut = cut(whole, maxText)
	r.board.publish(map[string]string{"id": e.ID, "text": whole[len(whole)-len(text) : max(len(e.Text), len(whole)-len(text))]})
	if e.Cut {
		r.board.tell(e)
	}
}

func (b *Board) tell(e *Entry) {
	if len(b.watchers) == 0 {
		return
	}
	shown := *e
	shown.Text = ""
	b.publish(map[string]any{"entry": &shown})
}

func bound(e *Entry) {
	for _, name := range []*string{&e.Path, &e.Requested, &e.Model, &e.Decision} {
		*name, _ = cut(*name, maxName)
	}
	e.Question, _ = cut(e.Question, maxQuestion)
	e.Signals = e.Signals[:min(len(e.Signals), maxSignals)]
	e.Findings = e.Findings[:min(len(e.Findings), maxFindings)]
	if !e.HasText {
		e.Question, e.Text = "", ""
	}
}

// cut shortens a text at a character's end.
func cut(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	end := most
	for end > 0 && text[end]&0xC0 == 0x80 {
		end--
	}
	return text[:end], true
}
