package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const question = `{"model":"auto","messages":[{"role":"user","content":"urgent %d"}]}`

const completion = `{"id":"c","object":"chat.completion","created":1,"model":"large","choices":[{"index":0,"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":500,"total_tokens":1500}}`

func answering(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, completion)
}

func TestProxy_SendsWhatTheServerNeeds(t *testing.T) {
	var got *http.Request
	var body string
	s := start(t, "", func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		got, body = r, string(text)
		answering(w, r)
	})
	request := s.request(t.Context(), "key-of-ann", "/v1/chat/completions?beta=true", fmt.Sprintf(question, 1))
	request.Header.Set("Cookie", "a=b")
	request.Header.Set("Connection", "X-Hop")
	request.Header.Set("X-Hop", "1")
	request.Header.Set("Anthropic-Version", "2023-06-01")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if text := bodyOf(t, answer); text != completion || answer.ContentLength != int64(len(completion)) {
		t.Errorf("%q, %d", text, answer.ContentLength)
	}
	if got.Header.Get("Authorization") != "Bearer secret-of-the-server" || got.Header.Get("Cookie") != "" || got.Header.Get("X-Hop") != "" ||
		got.Header.Get("Accept-Encoding") != "identity" || got.Header.Get("Anthropic-Version") == "" || got.URL.RawQuery != "beta=true" {
		t.Errorf("%v %v", got.URL, got.Header)
	}
	if !strings.Contains(body, `"model":"vendor/large-2"`) {
		t.Errorf("sent %s", body)
	}
	for name, want := range map[string]string{"x-vsr-decision": "urgent", "x-vsr-model": "large", "x-vsr-signals": "keyword:urgent",
		"x-vsr-cache": "miss", "x-vsr-outcome": "forward"} {
		if answer.Header.Get(name) != want {
			t.Errorf("%s is %q", name, answer.Header.Get(name))
		}
	}
	if answer.Header.Get("x-vsr-route-ms") == "" || answer.Header.Get("x-request-id") == "" {
		t.Error(answer.Header)
	}
	// Anthropic's servers take keys in another place.
	bodyOf(t, s.ask("/v1/messages", strings.Replace(forms[2].body, "MODEL", "large", 1)))
	if got.Header.Get("X-Api-Key") != "secret-of-the-server" || got.Header.Get("Authorization") != "" {
		t.Error(got.Header)
	}
}

func TestProxy_RefusesWrongKeysInTheClientsForm(t *testing.T) {
	s := start(t, "", answering)
	for _, test := range []struct {
		key, path, body string
		status          int
		says            string
	}{
		{"", "/v1/chat/completions", "{}", 401, `"code":"invalid_api_key"`},
		{"wrong", "/v1/messages", "{}", 401, `"type":"authentication_error"`},
		{"key-of-bob", "/v1/explain", "{}", 403, "not_allowed"},
		{"key-of-bob", "/v1/chat/completions", `{"model":"large","messages":[{"role":"user","content":"x"}]}`, 403, "model_not_allowed"},
		{"key-of-bob", "/v1/embeddings", `{"model":"large","input":"x"}`, 403, "model_not_allowed"},
		{"key-of-ann", "/v1/chat/completions", `{"model":"none","messages":[{"role":"user","content":"x"}]}`, 404, "model_not_found"},
		{"key-of-ann", "/v1/messages", `{"model":`, 400, `"type":"invalid_request_error"`},
		{"key-of-ann", "/v2/chat", `{}`, 404, "not_found"},
	} {
		answer := s.askAs(test.key, test.path, test.body)
		if text := bodyOf(t, answer); answer.StatusCode != test.status || !strings.Contains(text, test.says) {
			t.Errorf("%s %s: %d %s", test.key, test.path, answer.StatusCode, text)
		}
	}
	if strings.Contains(s.logs.text(), "key-of-") {
		t.Error("a key is in the log")
	}
	answer, err := http.Get(s.url + "/v1/messages")
	if err != nil || answer.StatusCode != 405 || !strings.Contains(bodyOf(t, answer), `"type":"error"`) {
		t.Error(answer, err)
	}
}

func TestProxy_RefusesWhatIsTooLargeEarly(t *testing.T) {
	s := start(t, "limits: {body_bytes: 100000}\n", answering)
	head := "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-of-ann\r\n"
	for name, test := range map[string]struct{ head, body, status string }{
		"a gigabyte that is announced": {head + "Content-Length: 1073741824\r\n\r\n", "{", "413"},
		"an endless body in chunks":    {head + "Transfer-Encoding: chunked\r\n\r\n", strings.Repeat("1000\r\n"+strings.Repeat("x", 4096)+"\r\n", 30), "413"},
		"an endless header":            {head + "X: ", strings.Repeat("x", 100_000), "431"},
		"a packed body":                {head + "Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\n", "x", "415"},
		"two lengths that contradict":  {head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "x", "400"},
	} {
		conn, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
		go func() { _, _ = io.WriteString(conn, test.head+test.body) }()
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.Contains(line, test.status) {
			t.Errorf("%s: %q, %v", name, line, err)
		}
		conn.Close()
	}
}

func TestProxy_LeavesClientsThatSendNothing(t *testing.T) {
	s := start(t, "limits: {client_idle_ms: 150}\n", answering)
	for _, text := range []string{"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key-of-ann\r\nContent-Length: 100\r\n\r\n{", "POST /v1/ch",
		"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"} {
		conn, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, text)
		_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
		if _, err := io.ReadAll(conn); err != nil {
			t.Errorf("%q: the connection stays open: %v", text, err)
		}
		conn.Close()
	}
	// The deadlines of one request are not those of the next one on its connection.
	for i := 0; i < 3; i++ {
		if answer := s.ask("/v1/chat/completions", fmt.Sprintf(question, i)); answer.StatusCode != 200 {
			t.Error(answer.Status)
		} else {
			bodyOf(t, answer)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func TestProxy_TriesAgainAndLeavesOutWhatFails(t *testing.T) {
	var failures, answers atomic.Int64
	bad := upstreamOf(t, func(w http.ResponseWriter, r *http.Request) {
		if failures.Add(1)%2 == 0 {
			breakOff()
		}
		w.WriteHeader(503)
	})
	good := upstreamOf(t, func(w http.ResponseWriter, r *http.Request) {
		answers.Add(1)
		answering(w, r)
	})
	s := startWith(t, "", router(good, bad, good))
	for i := 0; i < 40; i++ {
		if answer := s.ask("/v1/chat/completions", fmt.Sprintf(question, i)); answer.StatusCode != 200 {
			t.Fatal(answer.Status, bodyOf(t, answer))
		} else {
			bodyOf(t, answer)
		}
	}
	if answers.Load() != 40 || failures.Load() != 2 {
		t.Errorf("%d answers, %d failures: want 40, and 2 until the server is left out", answers.Load(), failures.Load())
	}
}

func TestProxy_FallsBackToTheDecisionsOtherModels(t *testing.T) {
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead.Close() // nobody listens there
	var body string
	good := upstreamOf(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		body = string(text)
		answering(w, r)
	})
	s := startWith(t, "guards: [{name: of-small, models: [small], policy: observe}]\n", router(good, dead.Addr().String(), ""))
	for range 2 { // not kept: the next one shall have the better model
		answer := s.ask("/v1/chat/completions", fmt.Sprintf(question, 1))
		if text := bodyOf(t, answer); text != completion || answer.Header.Get("x-vsr-model") != "small" || answer.Header.Get("x-vsr-cache") != "miss" ||
			answer.Header.Get("x-vsr-guard") != "of-small" || answer.Header.Get("x-vsr-fallback") != "1" || !strings.Contains(body, `"model":"small"`) {
			t.Errorf("%v %s, sent %s", answer.Header, text, body)
		}
	}
	answer := s.ask("/v1/messages", strings.Replace(forms[2].body, "MODEL", "large", 1)) // that names its model
	if text := bodyOf(t, answer); answer.StatusCode != 502 || !strings.Contains(text, `"type":"error"`) {
		t.Errorf("%d %s", answer.StatusCode, text)
	}
}

func TestProxy_HalfABodyIsNoAnswer(t *testing.T) {
	s := start(t, "", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", fmt.Sprint(len(completion)))
		_, _ = io.WriteString(w, completion[:100])
		w.(http.Flusher).Flush()
		breakOff()
	})
	answer := s.ask("/v1/chat/completions", fmt.Sprintf(question, 1))
	if text, err := io.ReadAll(answer.Body); err == nil {
		t.Errorf("%d %q came as a whole answer", answer.StatusCode, text)
	}
	answer.Body.Close()
}

func TestProxy_PassesTheServersErrorsOn(t *testing.T) {
	s := start(t, observed, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(422)
		_, _ = io.WriteString(w, `{"error":{"message":"too hot"}}`)
	})
	answer := s.ask("/v1/chat/completions", fmt.Sprintf(question, 1))
	if text := bodyOf(t, answer); answer.StatusCode != 422 || text != `{"error":{"message":"too hot"}}` || answer.Header.Get("Retry-After") != "7" {
		t.Errorf("%d %v %s", answer.StatusCode, answer.Header, text)
	}
}

func TestProxy_ListsModelsAndExplains(t *testing.T) {
	s := start(t, "", answering)
	request := s.request(t.Context(), "key-of-bob", "/v1/models", "")
	request.Method = "GET"
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if text := bodyOf(t, answer); !strings.Contains(text, `"id":"auto"`) || !strings.Contains(text, `"id":"large"`) {
		t.Error(text)
	}
	for _, form := range forms {
		answer := s.ask("/v1/explain?path="+form.path, strings.Replace(form.body, "MODEL", "auto", 1))
		if text := bodyOf(t, answer); answer.StatusCode != 200 || !strings.Contains(text, `"decision":"urgent"`) {
			t.Errorf("%s: %s", form.path, text)
		}
	}
}

func TestProxy_CountsAndLogsWithoutPrompts(t *testing.T) {
	s := start(t, "", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		model := "vendor/large-2"
		if strings.Contains(string(body), `"small"`) {
			model = "small"
		}
		_, _ = io.WriteString(w, strings.Replace(completion, `"model":"large"`, `"model":"`+model+`"`, 1))
	})
	for i := 0; i < 2; i++ { // the second from the cache
		bodyOf(t, s.ask("/v1/chat/completions", fmt.Sprintf(question, 4711)))
		bodyOf(t, s.ask("/v1/chat/completions", `{"model":"auto","messages":[{"role":"user","content":"hello 4711"}]}`))
	}
	text := s.get("/metrics")
	for _, line := range []string{
		`vsr_gateway_requests_total{api="chat",outcome="forward",status="200"} 2`,
		`vsr_gateway_requests_total{api="chat",outcome="cached",status="200"} 2`,
		`vsr_gateway_tokens_total{kind="prompt",model="large"} 1000`,
		`vsr_gateway_upstream_attempts_total{model="large",result="answered"} 1`,
		`vsr_gateway_cost_total{model="small"} 0.002`,
		`vsr_gateway_cost_saved_total{model="small"} 0.002`,
		`vsr_route_requests_total{outcome="cached"} 2`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("%s is missing", line)
		}
	}
	if strings.Count(text, "# EOF") != 1 || !strings.HasSuffix(text, "# EOF\n") {
		t.Error("the metrics have no end, or two")
	}
	logs := s.logs.text()
	if strings.Contains(logs, "4711") || !strings.Contains(logs, `"decision":"urgent"`) || !strings.Contains(logs, `"tenant":"acme"`) {
		t.Error(logs)
	}
	if s.get("/healthz") != "ok\n" || s.get("/readyz") != "ready\n" {
		t.Error("not healthy")
	}
}
