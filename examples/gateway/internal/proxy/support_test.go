package proxy

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const routerFile = `version: v0.3
routing:
  signals:
    keywords: [{name: urgent, operator: OR, keywords: [urgent]}, {name: bomb, operator: OR, keywords: [bomb]}]
  decisions:
    - name: blocked
      priority: 200
      rules: {type: keyword, name: bomb}
      modelRefs: []
      plugins: [{type: fast_response, configuration: {message: "I cannot help with that."}}]
    - name: urgent
      priority: 100
      rules: {type: keyword, name: urgent}
      modelRefs: [{model: large, weight: 2}, {model: small, weight: 1}]
providers:
  defaults: {default_model: small}
  models:
    - name: small
      backend_refs: [{name: only, endpoint: "%s"}]
      pricing: {prompt_per_1m: 1, completion_per_1m: 2}
    - name: large
      provider_model_id: vendor/large-2
      backend_refs: [{name: first, endpoint: "%s", weight: 1, api_key: secret-of-the-server}, {name: second, endpoint: "%s", weight: %v}]
      reliability: {retry_count: 2, consecutive_5xx: 2, base_ejection_time: 1m}
vsr:
  cache: {max_entries: 100}
`

const keysFile = `keys:
  - {name: ann, tenant: acme, user: ann, sha256: %s, roles: [infer, explain]}
  - {name: bob, tenant: rival, user: bob, sha256: %s, models: [small]}
`

// stack is a gateway with the upstreams that a test scripts.
type stack struct {
	t             *testing.T
	folder        string
	configuration *Configuration
	gateway       *Gateway
	url           string
	address       string
	logs          *lockedBuffer
	leave         context.CancelFunc
	left          chan error
}

type lockedBuffer struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) text() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.String()
}

func upstreamOf(t *testing.T, handler http.HandlerFunc) string {
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return strings.TrimPrefix(server.URL, "http://")
}

func (s *stack) write(name, text string) {
	s.t.Helper()
	// As editors do: another file in its place.
	path := filepath.Join(s.folder, name)
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		s.t.Fatal(err)
	}
}

func router(small, first, second string) string {
	if second == "" {
		return fmt.Sprintf(routerFile, small, first, first, 0)
	}
	return fmt.Sprintf(routerFile, small, first, second, 1)
}

// start runs a gateway whose models are all at one upstream.
func start(t *testing.T, settings string, upstream http.HandlerFunc) *stack {
	t.Helper()
	address := upstreamOf(t, upstream)
	return startWith(t, settings, router(address, address, ""))
}

func startWith(t *testing.T, settings, routerText string) *stack {
	t.Helper()
	s := &stack{t: t, folder: t.TempDir(), logs: &lockedBuffer{}, left: make(chan error, 1)}
	hash := func(key string) string {
		sum := sha256.Sum256([]byte(key))
		return hex.EncodeToString(sum[:])
	}
	s.write("router.yaml", routerText)
	s.write("keys.yaml", fmt.Sprintf(keysFile, hash("key-of-ann"), hash("key-of-bob")))
	s.write("facts.txt", "The monthly rent is GBP 1,350.\n")
	s.write("gateway.yaml", "router: router.yaml\nkeys: keys.yaml\n"+settings)
	log := slog.New(slog.NewJSONHandler(s.logs, nil))
	metrics := NewMetrics()
	var err error
	if s.configuration, err = Open(filepath.Join(s.folder, "gateway.yaml"), log, metrics); err != nil {
		t.Fatal(err)
	}
	s.gateway = New(s.configuration, metrics, log)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = listener.Addr().String()
	s.url = "http://" + s.address
	ctx, leave := context.WithCancel(context.Background())
	s.leave = leave
	go func() { s.left <- s.gateway.Serve(ctx, listener, s.gateway.Handler(true)) }()
	t.Cleanup(func() {
		leave()
		select {
		case <-s.left:
		case <-time.After(20 * time.Second):
			t.Error("the gateway does not end")
		}
		s.configuration.Close()
	})
	return s
}

// ask sends a request with ann's key.
func (s *stack) ask(path, body string) *http.Response { return s.askAs("key-of-ann", path, body) }

func (s *stack) askAs(key, path, body string) *http.Response {
	s.t.Helper()
	answer, err := http.DefaultClient.Do(s.request(context.Background(), key, path, body))
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}

func (s *stack) request(ctx context.Context, key, path, body string) *http.Request {
	request, err := http.NewRequestWithContext(ctx, "POST", s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	return request
}

func (s *stack) get(path string) string {
	s.t.Helper()
	answer, err := http.Get(s.url + path)
	if err != nil {
		s.t.Fatal(err)
	}
	return bodyOf(s.t, answer)
}

func bodyOf(t *testing.T, answer *http.Response) string {
	t.Helper()
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatalf("%v after %q", err, text)
	}
	return string(text)
}

func within(t *testing.T, limit time.Duration, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(limit):
		t.Fatal(what)
	}
}

// Streams as servers send them.
const (
	chatStream = ": OPENROUTER PROCESSING\n\n" +
		"data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"large\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}],\"obfuscation\":\"aB3\"}\n\n" +
		"data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"large\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Gr\u00fc\u00df \\ud83d\\ude00 dich.\"},\"finish_reason\":null}]}\n\n" +
		"data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"large\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"t\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\": 1}\"}}]},\"finish_reason\":null}]}\n\n" +
		"data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"large\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n" +
		"data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"large\",\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":5,\"total_tokens\":12}}\n\n" +
		"data: [DONE]\n\n"
	completionStream = "data: {\"id\":\"c2\",\"object\":\"text_completion\",\"choices\":[{\"index\":0,\"text\":\"One \",\"finish_reason\":null}]}\r\n\r\n" +
		"data: {\"id\":\"c2\",\"object\":\"text_completion\",\"choices\":[{\"index\":0,\"text\":\"two.\",\"finish_reason\":\"stop\"}]}\r\n\r\ndata: [DONE]\r\n\r\n"
	messageStream = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"large\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}\n\n" +
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" +
		"event: ping\ndata: {\"type\": \"ping\"}\n\n" +
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hello.\"}}\n\n" +
		"event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n" +
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":4}}\n\n" +
		"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
	responseStream = "event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0,\"response\":{\"id\":\"r\",\"status\":\"in_progress\",\"output\":[]}}\n\n" +
		"event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"sequence_number\":1,\"item_id\":\"i\",\"output_index\":0,\"content_index\":0,\"delta\":\"Hello.\"}\n\n" +
		"event: response.completed\ndata: {\"type\":\"response.completed\",\"sequence_number\":2,\"response\":{\"id\":\"r\",\"status\":\"completed\",\"output\":[{\"id\":\"i\",\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Hello.\"}]}]}}\n\n"
)

var forms = []struct{ path, body, stream string }{
	{"/v1/chat/completions", `{"model":"MODEL","stream":true,"messages":[{"role":"user","content":"urgent"}]}`, chatStream},
	{"/v1/completions", `{"model":"MODEL","stream":true,"prompt":"urgent"}`, completionStream},
	{"/v1/messages", `{"model":"MODEL","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"urgent"}]}`, messageStream},
	{"/v1/responses", `{"model":"MODEL","stream":true,"input":"urgent"}`, responseStream},
}

func events(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, text)
	w.(http.Flusher).Flush()
}

func breakOff() { panic(http.ErrAbortHandler) }
