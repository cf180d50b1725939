package proxy

import (
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"gateway/internal/api"
)

// readBody reads a request's body, within limits of its size and of how long the client is silent. false: the answer is
// given already.
func (g *Gateway) readBody(w http.ResponseWriter, r *http.Request, kind api.Kind) ([]byte, bool) {
	if r.ContentLength > g.limits.BodyBytes {
		tooLarge(w, kind)
		return nil, false
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		writeError(w, kind, 415, "unsupported_encoding", "the body is packed, expected plain JSON")
		return nil, false
	}
	control := http.NewResponseController(w)
	body, err := io.ReadAll(&patient{http.MaxBytesReader(w, r.Body, g.limits.BodyBytes), control, g.limits.ClientIdle()})
	var large *http.MaxBytesError
	switch {
	case err == nil:
		// The server goes on reading, to know when the client leaves.
		_ = control.SetReadDeadline(time.Time{})
		return body, true
	case errors.As(err, &large):
		tooLarge(w, kind)
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		writeError(w, kind, 408, "timeout", "the body did not come in time")
	default:
		w.Header().Set("Connection", "close")
		writeError(w, kind, 400, "invalid_request", "the body did not come whole")
	}
	return nil, false
}

func tooLarge(w http.ResponseWriter, kind api.Kind) {
	w.Header().Set("Connection", "close") // what is left of the body is not read
	writeError(w, kind, 413, "too_large", "the body is larger than this gateway takes")
}

// patient gives each read a time of its own.
type patient struct {
	from    io.Reader
	control *http.ResponseController
	idle    time.Duration
}

func (p *patient) Read(into []byte) (int, error) {
	_ = p.control.SetReadDeadline(time.Now().Add(p.idle))
	return p.from.Read(into)
}
