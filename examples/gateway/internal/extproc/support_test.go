package extproc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"gateway/internal/proxy"
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
      modelRefs: [{model: large}]
providers:
  defaults: {default_model: small}
  models:
    - {name: small}
    - {name: large, provider_model_id: vendor/large-2, backend_refs: [{name: one, endpoint: "127.0.0.1:1"}]}
vsr:
  cache: {max_entries: 100}
`

const (
	observed   = "guards: [{name: rent, facts: [facts.txt], policy: observe}]\n"
	terminated = "guards: [{name: rent, facts: [facts.txt], policy: terminate, hold: true, fail_closed: true}]\n"
)

const stream = ": comment\n\n" +
	"data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Gr\u00fc\u00df \\ud83d\\ude00 dich. \"},\"finish_reason\":null}]}\r\n\r\n" +
	"data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n" +
	"data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[],\"usage\":{\"total_tokens\":12}}\n\n" +
	"data: [DONE]\n\n"

// lines is a log that a test may read while the gateway writes.
type lines struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *lines) Write(line []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(line)
}

func (l *lines) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// processing is a gateway that waits for an Envoy.
type processing struct {
	t      *testing.T
	folder string
	port   int
	logs   *lines
}

func (g *processing) write(name, text string) string {
	path := filepath.Join(g.folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		g.t.Fatal(err)
	}
	return path
}

func serve(t *testing.T, settings string) *processing {
	t.Helper()
	g := &processing{t: t, folder: t.TempDir(), logs: &lines{}}
	hash := sha256.Sum256([]byte("key-of-ann"))
	g.write("router.yaml", routerFile)
	g.write("facts.txt", "The monthly rent is GBP 1,350.\n")
	g.write("keys.yaml", "keys: [{name: ann, tenant: acme, sha256: "+hex.EncodeToString(hash[:])+"}]\n")
	log := slog.New(slog.NewJSONHandler(g.logs, nil))
	metrics := proxy.NewMetrics()
	configuration, err := proxy.Open(g.write("gateway.yaml", "router: router.yaml\nkeys: keys.yaml\n"+settings), log, metrics)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g.port = listener.Addr().(*net.TCPAddr).Port
	ctx, leave := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, listener, configuration, metrics, log) }()
	t.Cleanup(func() {
		leave()
		<-served
		configuration.Close()
	})
	return g
}
