package upstream

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gateway/internal/config"
	"vsr"
)

// NewClient makes the client of all servers. Answers come as they are sent: not unpacked, not redirected, with no limit
// on their whole time.
func NewClient(limits config.Limits) *http.Client {
	dialer := &net.Dialer{Timeout: limits.Connect(), KeepAlive: 30 * time.Second}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, DisableCompression: true,
			ForceAttemptHTTP2: true, MaxIdleConns: 1024, MaxIdleConnsPerHost: 256, IdleConnTimeout: 90 * time.Second,
			TLSHandshakeTimeout: limits.Connect(), ResponseHeaderTimeout: limits.FirstByte(),
			MaxResponseHeaderBytes: int64(limits.HeaderBytes),
		},
	}
}

// Headers of one connection, and of the gateway itself.
var notForwarded = []string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te",
	"Trailer", "Transfer-Encoding", "Upgrade", "Authorization", "X-Api-Key", "Cookie", "Content-Length", "Accept-Encoding",
	"Expect", "Host"}

// Request makes the request for a server: the client's own headers but for credentials, the router's changes, and the
// server's key.
func (s *Server) Request(ctx context.Context, method, path string, header http.Header, changes []vsr.HeaderChange,
	body []byte) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.address(path).String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	DropHop(request.Header)
	for _, name := range notForwarded {
		request.Header.Del(name)
	}
	// The guard reads answers, and the cache gives them to others.
	request.Header.Set("Accept-Encoding", "identity")
	for _, change := range changes {
		if change.Value == nil {
			request.Header.Del(change.Name)
		} else {
			request.Header.Set(change.Name, *change.Value)
		}
	}
	for name, value := range s.Headers {
		request.Header.Set(name, value)
	}
	s.authorize(request.Header, strings.HasSuffix(path, "/messages"))
	return request, nil
}

// DropHop removes the headers that "Connection" names.
func DropHop(header http.Header) {
	for _, names := range header["Connection"] {
		for _, name := range strings.Split(names, ",") {
			header.Del(strings.TrimSpace(name))
		}
	}
	header.Del("Connection")
}

func (s *Server) authorize(header http.Header, anthropic bool) {
	if s.APIKey == "" {
		return
	}
	name, prefix := s.AuthHeader, ""
	if name == "" {
		name = "Authorization"
		if anthropic {
			name = "X-Api-Key"
		}
	}
	if strings.EqualFold(name, "Authorization") {
		prefix = "Bearer"
	}
	if s.AuthPrefix != nil {
		prefix = *s.AuthPrefix
	}
	header.Set(name, strings.TrimSpace(prefix+" "+s.APIKey))
}

// address joins the server's address, which ends with /v1, and a path that begins with it.
func (s *Server) address(path string) *url.URL {
	rest := strings.TrimPrefix(path, "/v1")
	if s.ChatPath != "" && rest == "/chat/completions" {
		rest = "/" + strings.TrimPrefix(s.ChatPath, "/")
	}
	return s.URL.JoinPath(rest)
}
