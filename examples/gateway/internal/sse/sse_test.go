package sse

import (
	"bytes"
	"strings"
	"testing"
)

func TestFramer_GivesWholeEventsHoweverTheyAreCut(t *testing.T) {
	for _, stream := range []string{"data: a\n\ndata: b\n\n", "data: a\r\n\r\ndata: b\r\n\r\n", "data: a\r\rdata: b\r\r",
		": c\n\nevent: x\ndata: a\ndata: b\n\ndata: [DONE]\n\nrest"} {
		for piece := 1; piece <= len(stream); piece++ {
			var framer Framer
			var out []byte
			for i := 0; i < len(stream); i += piece {
				out = append(out, framer.Write([]byte(stream[i:min(i+piece, len(stream))]))...)
				left := bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n"))
				left = bytes.ReplaceAll(left, []byte("\r"), []byte("\n"))
				if len(left) > 0 && !bytes.HasSuffix(left, []byte("\n\n")) {
					t.Fatalf("%q cut by %d: left with %q", stream, piece, out)
				}
			}
			if out = append(out, framer.Finish()...); string(out) != stream {
				t.Fatalf("%q cut by %d became %q", stream, piece, out)
			}
		}
	}
}

func TestFramer_HoldsNoEndlessLine(t *testing.T) {
	var framer Framer
	line := []byte(strings.Repeat("x", 1000))
	total := 0
	for i := 0; i < 5000; i++ {
		total += len(framer.Write(line))
		if len(framer.held) > MaxHeld+len(line) {
			t.Fatal("holds ", len(framer.held))
		}
	}
	if total == 0 || !framer.Break() {
		t.Error("nothing left, or nobody knows that it did")
	}
}

func TestEvents_AreRead(t *testing.T) {
	events := Events([]byte("\uFEFF: hello\r\nevent: a\r\ndata: 1\r\ndata:2\r\n\r\n\r\ndata: [DONE]"))
	if len(events) != 2 || events[0] != (Event{"a", "1\n2"}) || events[1].Data != "[DONE]" {
		t.Errorf("%q", events)
	}
}
