package proxy

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestProxy_ReloadsUnderLoad(t *testing.T) {
	address := upstreamOf(t, answering)
	good := router(address, address, "")
	s := startWith(t, "", good)
	stop := make(chan struct{})
	var asked atomic.Int64
	var group sync.WaitGroup
	for worker := 0; worker < 4; worker++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := worker; ; i += 4 {
				select {
				case <-stop:
					return
				default:
				}
				answer := s.ask("/v1/chat/completions", fmt.Sprintf(question, i))
				if text := bodyOf(t, answer); answer.StatusCode != 200 || text != completion {
					t.Errorf("%d %s", answer.StatusCode, text)
					return
				}
				asked.Add(1)
			}
		}()
	}
	for i := 0; i < 10; i++ {
		s.write("router.yaml", strings.Replace(good, "name: urgent\n", fmt.Sprintf("name: urgent%d\n", i), 1))
		if err := s.configuration.Reload(); err != nil {
			t.Error(err)
		}
		s.write("router.yaml", "version: v0.3\nrouting: {nonsense: 1}\n")
		if err := s.configuration.Reload(); err == nil {
			t.Error("nonsense was loaded")
		}
		time.Sleep(10 * time.Millisecond)
	}
	close(stop)
	group.Wait()
	answer := s.ask("/v1/chat/completions", fmt.Sprintf(question, 1_000_000))
	if bodyOf(t, answer); answer.Header.Get("x-vsr-decision") != "urgent9" || asked.Load() < 20 {
		t.Errorf("%v after %d requests", answer.Header, asked.Load())
	}
	if !strings.Contains(s.logs.text(), "nonsense") {
		t.Error("the log does not say why")
	}
}

func TestConfiguration_IsReadAgainWhenAFileChanges(t *testing.T) {
	address := upstreamOf(t, answering)
	good := router(address, address, "")
	s := startWith(t, "", good)
	go func() { _ = s.configuration.Watch(t.Context()) }()
	time.Sleep(50 * time.Millisecond)
	s.write("router.yaml", strings.Replace(good, "name: urgent\n", "name: hasty\n", 1))
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		answer := s.ask("/v1/explain", fmt.Sprintf(question, 1))
		bodyOf(t, answer)
		if answer.Header.Get("x-vsr-decision") == "hasty" {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the new file was not read")
		}
	}
}

func TestProxy_AnswersOnlySoManyAtOnce(t *testing.T) {
	came, release := make(chan struct{}, 2), make(chan struct{})
	s := start(t, "limits: {requests: 2}\n", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		came <- struct{}{}
		<-release
		answering(w, r)
	})
	var group sync.WaitGroup
	for i := range 2 {
		group.Add(1)
		go func() {
			defer group.Done()
			bodyOf(t, s.ask("/v1/chat/completions", fmt.Sprintf(question, i)))
		}()
		<-came
	}
	answer := s.ask("/v1/messages", forms[2].body)
	if text := bodyOf(t, answer); answer.StatusCode != 503 || !strings.Contains(text, "overloaded_error") {
		t.Errorf("%d %s", answer.StatusCode, text)
	}
	close(release)
	group.Wait()
	if answer := s.ask("/v1/chat/completions", fmt.Sprintf(question, 0)); answer.StatusCode != 200 {
		t.Error(answer.Status)
	} else {
		bodyOf(t, answer)
	}
}

func TestProxy_LeavesNoGoroutinesBehind(t *testing.T) {
	s := start(t, observed, func(w http.ResponseWriter, r *http.Request) {
		events(w, chatStream[:300])
		if strings.Contains(r.Header.Get("X-End"), "break") {
			breakOff()
		}
		<-r.Context().Done()
	})
	cut := func(i int) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		request := s.request(ctx, "key-of-ann", forms[0].path, strings.Replace(forms[0].body, "MODEL", "auto", 1))
		if i%2 == 0 {
			request.Header.Set("X-End", "break")
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			_, _ = io.ReadFull(answer.Body, make([]byte, 50))
			cancel()
			answer.Body.Close()
		}
	}
	cut(0)
	cut(1)
	http.DefaultClient.CloseIdleConnections()
	before := runtime.NumGoroutine()
	for i := range 60 {
		cut(i)
	}
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		http.DefaultClient.CloseIdleConnections()
		s.gateway.client.CloseIdleConnections()
		if runtime.NumGoroutine() <= before+10 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, and %d before", runtime.NumGoroutine(), before)
		}
	}
}

func TestServe_LetsAnswersFinish(t *testing.T) {
	came, release := make(chan struct{}), make(chan struct{})
	s := start(t, "", func(w http.ResponseWriter, r *http.Request) {
		events(w, chatStream[:200])
		close(came)
		<-release
		events(w, chatStream[200:])
	})
	got := make(chan string, 1)
	go func() {
		got <- bodyOf(t, s.ask(forms[0].path, strings.Replace(forms[0].body, "MODEL", "auto", 1)))
	}()
	<-came
	s.leave()
	for !s.gateway.leaving.Load() {
		time.Sleep(time.Millisecond)
	}
	close(release)
	if text := <-got; text != chatStream {
		t.Errorf("%q", text)
	}
}
