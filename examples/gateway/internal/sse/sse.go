// Package sse cuts a stream of server-sent events at the ends of events. Lines end with LF, CRLF or CR.
package sse

import "strings"

// MaxHeld is how many bytes of an unfinished event a Framer keeps. Longer events leave in pieces.
const MaxHeld = 1 << 20

// Framer gives bytes on as they came, but only up to the last end of an event, so that what leaves can be followed by
// an event of one's own at any time.
type Framer struct {
	held    []byte
	inLine  bool // the line that is open has a byte
	afterCR bool
	blank   bool // the byte before ended an event
	torn    bool // part of an open event left already
}

// Write takes the next bytes and gives those that may leave.
func (f *Framer) Write(piece []byte) []byte {
	end := -1 // in piece: after the last event that ends in it
	for i, c := range piece {
		switch {
		case c == '\n' && f.afterCR:
			f.afterCR = false
			if f.blank {
				end = i + 1
			}
			f.blank = false
		case c == '\n' || c == '\r':
			f.blank = !f.inLine
			if f.blank {
				end = i + 1
			}
			f.inLine, f.afterCR = false, c == '\r'
		default:
			f.inLine, f.afterCR, f.blank = true, false, false
		}
	}
	if end < 0 {
		f.held = append(f.held, piece...)
		if len(f.held) <= MaxHeld {
			return nil
		}
		f.torn = true
		return f.take()
	}
	out := append(f.take(), piece[:end]...)
	f.held = append(f.held, piece[end:]...)
	f.torn = false
	return out
}

// Finish gives the rest.
func (f *Framer) Finish() []byte { return f.take() }

// Break forgets an unfinished event. True: a part of it has left, and needs a blank line after it.
func (f *Framer) Break() bool {
	f.held = nil
	return f.torn
}

func (f *Framer) take() []byte {
	out := f.held
	f.held = nil
	return out
}

// Event is one event of a stream.
type Event struct{ Type, Data string }

// Events reads a whole stream. An event without its blank line at the end counts; comments do not.
func Events(body []byte) []Event {
	text := strings.TrimPrefix(string(body), "\uFEFF")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	var events []Event
	var event Event
	var data []string
	for _, line := range append(strings.Split(text, "\n"), "") {
		if line == "" {
			if len(data) > 0 {
				event.Data = strings.Join(data, "\n")
				events = append(events, event)
			}
			event, data = Event{}, nil
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "event":
			event.Type = value
		case "data":
			data = append(data, value)
		}
	}
	return events
}

// Append writes an event; an empty kind writes none.
func Append(out []byte, kind string, data []byte) []byte {
	if kind != "" {
		out = append(append(append(out, "event: "...), kind...), '\n')
	}
	out = append(append(out, "data: "...), data...)
	return append(out, "\n\n"...)
}
