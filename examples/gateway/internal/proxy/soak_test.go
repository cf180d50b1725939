package proxy

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The soak: everything goes wrong at once, for VSR_SOAK_SECONDS (5). Every answer is known beforehand byte for byte, bears
// the name of the tenant it is for, and ends within stuck.
const stuck = 20 * time.Second

const soakRouter = `version: v0.3 # %d
routing:
  signals:
    keywords: [{name: urgent, operator: OR, keywords: [urgent]}]
  decisions:
    - {name: urgent, rules: {type: keyword, name: urgent}, modelRefs: [{model: m}]}
providers:
  defaults: {default_model: m}
  models:
    - name: m
      backend_refs: [{name: a, endpoint: "%s", weight: 1}, {name: b, endpoint: "%s", weight: 1}]
      reliability: {retry_count: 1, consecutive_5xx: 1000000}
vsr:
  cache: {max_entries: 1000%s}
`

const soakChunk = `data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"%s %s %d. "},"finish_reason":null}]}` + "\n\n"
const soakEnd = `data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"

const soakChunks = 40

// soakStream is the answer for a tenant to a question.
func soakStream(who, tag string) string {
	var out strings.Builder
	for i := range soakChunks {
		fmt.Fprintf(&out, soakChunk, who, tag, i)
	}
	return out.String() + soakEnd
}

func soakWhole(who, tag string) string {
	return fmt.Sprintf(`{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"%s %s"},"finish_reason":"stop"}]}`, who, tag)
}

// soakServer does what the headers of a request say.
func soakServer(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	who, tag, mode := r.Header.Get("T-Who"), r.Header.Get("T-Tag"), r.Header.Get("T-Mode")
	if mode == "whole" {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, soakWhole(who, tag))
		return
	}
	raw := mode == "die" || mode == "malformed"
	var to io.Writer = w
	if raw {
		connection, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer connection.Close()
		defer buffered.Flush()
		_, _ = buffered.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
		to = chunkedWriter{buffered.Writer}
	} else {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	text := soakStream(who, tag)
	if raw {
		text = text[:len(text)/2]
	}
	for len(text) > 0 {
		n := min(len(text), 1+rand.IntN(900))
		if _, err := io.WriteString(to, text[:n]); err != nil {
			return
		}
		if flusher, can := to.(http.Flusher); can {
			flusher.Flush()
		}
		text = text[n:]
		if mode == "slow" {
			time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond)
		}
	}
	if mode == "malformed" {
		_, _ = to.(chunkedWriter).to.Write([]byte("zz\r\nnot a chunk\r\n"))
	}
}

type chunkedWriter struct {
	to interface {
		io.Writer
		Flush() error
	}
}

func (c chunkedWriter) Write(text []byte) (int, error) {
	_, err := fmt.Fprintf(c.to, "%x\r\n%s\r\n", len(text), text)
	if err == nil {
		err = c.to.Flush()
	}
	return len(text), err
}

// soakClient asks until the time is over.
type soakClient struct {
	s           *stack
	client      *http.Client
	tenants     map[string]string // by key
	done, wrong atomic.Int64
}

func (c *soakClient) fail(format string, values ...any) {
	if c.wrong.Add(1) <= 5 {
		c.s.t.Errorf(format, values...)
	}
}

func (c *soakClient) one(random *rand.Rand, number int) {
	keys := []string{"key-of-ann", "key-of-ops"}
	key := keys[random.IntN(2)]
	who, tag := c.tenants[key], fmt.Sprint("tag", number)
	mode := []string{"plain", "plain", "slow", "die", "malformed", "whole", "cached", "leave", "reader", "half", "rubbish"}[random.IntN(11)]
	if mode == "cached" {
		tag = fmt.Sprint("shared", random.IntN(5))
	}
	body := fmt.Sprintf(`{"model":"auto","stream":%v,"messages":[{"role":"user","content":"urgent %s"}]}`, mode != "whole", tag)
	ctx, cancel := context.WithTimeout(context.Background(), stuck)
	defer cancel()
	if mode == "half" || mode == "rubbish" {
		c.raw(mode, key, who, tag, body)
		return
	}
	request := c.s.request(ctx, key, "/v1/chat/completions", body)
	request.Header.Set("T-Who", who)
	request.Header.Set("T-Tag", tag)
	request.Header.Set("T-Mode", mode)
	answer, err := c.client.Do(request)
	if err != nil {
		c.fail("%s: %v", mode, err)
		return
	}
	defer answer.Body.Close()
	var from io.Reader = answer.Body
	switch mode {
	case "leave":
		_, _ = io.CopyN(io.Discard, from, int64(random.IntN(4000)))
		c.done.Add(1)
		return
	case "reader":
		from = &slowReader{from}
	}
	text, err := io.ReadAll(from)
	said, wanted := string(text), soakStream(who, tag)
	switch {
	case err != nil:
		c.fail("%s: %v behind %d bytes", mode, err, len(said))
	case answer.StatusCode != 200:
		c.fail("%s: %d %.200s", mode, answer.StatusCode, said)
	case mode == "whole" && said != soakWhole(who, tag):
		c.fail("%s for %s: %s", mode, who, said)
	case mode == "die" || mode == "malformed":
		// Whole events up to where it broke, and then an error.
		sent, event, found := strings.Cut(said, "data: {\"error\"")
		half := wanted[:len(wanted)/2]
		if !found || !strings.HasSuffix(event, "\n\n") || sent != half[:strings.LastIndex(half, "\n\n")+2] {
			c.fail("%s: %d bytes of %d, %.200s", mode, len(sent), len(half), event)
		}
	case mode != "whole" && said != wanted:
		c.fail("%s for %s: %d bytes, not %d: %.200s", mode, who, len(said), len(wanted), said)
	}
	c.done.Add(1)
}

// raw is a client that closes its half, or sends no HTTP.
func (c *soakClient) raw(mode, key, who, tag, body string) {
	connection, err := net.Dial("tcp", c.s.address)
	if err != nil {
		c.fail("%s: %v", mode, err)
		return
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(stuck))
	if mode == "rubbish" {
		_, _ = io.WriteString(connection, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+key+
			"\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"mod\r\nXYZ\r\n")
	} else {
		fmt.Fprintf(connection, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nT-Who: %s\r\nT-Tag: %s\r\nT-Mode: slow\r\nContent-Length: %d\r\n\r\n%s",
			key, who, tag, len(body), body)
		_ = connection.(*net.TCPConn).CloseWrite()
	}
	if _, err := io.Copy(io.Discard, connection); err != nil && os.IsTimeout(err) {
		c.fail("%s: the connection is not closed: %v", mode, err)
	}
	c.done.Add(1)
}

type slowReader struct{ from io.Reader }

func (s *slowReader) Read(into []byte) (int, error) {
	time.Sleep(5 * time.Millisecond)
	return s.from.Read(into[:min(len(into), 700)])
}

// usage is what a process holds.
type usage struct {
	goroutines, files int
	heap              uint64
}

func used() usage {
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	files, _ := os.ReadDir("/proc/self/fd")
	return usage{runtime.NumGoroutine(), len(files), memory.HeapAlloc}
}

// redis comes and goes until the test ends; "" where there is none.
func redisThatComesAndGoes(t *testing.T, stop <-chan struct{}, group *sync.WaitGroup) string {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Log("without redis-server (hint: scripts/bootstrap.sh installs it)")
		return ""
	}
	folder, err := os.MkdirTemp("", "vsr") // a socket's path may not be long
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(folder, "redis")
	group.Add(1)
	go func() {
		defer group.Done()
		defer os.RemoveAll(folder)
		for ended := false; !ended; {
			server := exec.Command(program, "--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder)
			if err := server.Start(); err != nil {
				t.Error(err)
				return
			}
			select {
			case <-stop:
				ended = true
			case <-time.After(1500 * time.Millisecond):
			}
			_ = server.Process.Kill()
			_ = server.Wait()
			select {
			case <-stop:
				ended = true
			case <-time.After(500 * time.Millisecond):
			}
		}
	}()
	return socket
}

func TestSoak(t *testing.T) {
	seconds, err := strconv.Atoi(os.Getenv("VSR_SOAK_SECONDS"))
	if err != nil {
		seconds = 5
	}
	first, second := upstreamOf(t, soakServer), upstreamOf(t, soakServer)
	faults := make(chan struct{})
	var group sync.WaitGroup
	redis := redisThatComesAndGoes(t, faults, &group)
	if redis != "" {
		redis = ", redis: " + redis
	}
	files := func(n int) string { return fmt.Sprintf(soakRouter, n, first, second, redis) }
	s := startWith(t, "live: {enabled: true, texts: true, entries: 20}\nlimits: {client_idle_ms: 5000}\nlog_level: error\n", files(0))
	c := &soakClient{s: s, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}},
		tenants: map[string]string{"key-of-ann": "acme", "key-of-ops": "house"}}
	number := atomic.Int64{}
	load := func(lasts time.Duration) {
		end := time.Now().Add(lasts)
		var workers sync.WaitGroup
		for worker := range 16 {
			workers.Add(1)
			go func() {
				defer workers.Done()
				random := rand.New(rand.NewPCG(uint64(worker), 1))
				for time.Now().Before(end) {
					c.one(random, int(number.Add(1)))
				}
			}()
		}
		workers.Wait()
		c.client.CloseIdleConnections()
		s.gateway.client.CloseIdleConnections()
		s.logs.mutex.Lock()
		s.logs.Reset()
		s.logs.mutex.Unlock()
	}
	reloads := 0
	group.Add(1)
	go func() {
		defer group.Done()
		for {
			select {
			case <-faults:
				return
			case <-time.After(time.Second):
				reloads++
				s.write("router.yaml", files(reloads))
				if err := s.configuration.Reload(); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	load(time.Duration(seconds) * time.Second / 3)
	before := used()
	load(time.Duration(seconds) * time.Second * 2 / 3)
	close(faults)
	group.Wait()
	var after usage
	for end := time.Now().Add(stuck); ; time.Sleep(50 * time.Millisecond) {
		if after = used(); after.goroutines <= before.goroutines+10 && after.files <= before.files+10 && len(s.gateway.room) == 0 ||
			time.Now().After(end) {
			break
		}
	}
	t.Logf("%d requests, %d reloads; %+v, then %+v", c.done.Load(), reloads, before, after)
	if after.goroutines > before.goroutines+10 || after.files > before.files+10 || after.heap > before.heap+8<<20 || len(s.gateway.room) != 0 {
		t.Errorf("%d requests are left; before %+v, after %+v", len(s.gateway.room), before, after)
	}
	if c.done.Load() < 50 {
		t.Errorf("only %d requests", c.done.Load())
	}
}
