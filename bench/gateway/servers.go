package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"
)

func serve(handler http.Handler) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr())
	log.Fatal(http.Serve(listener, handler))
}

// bare is the least that a gateway can be.
func bare(target string) http.Handler {
	to, err := url.Parse(target)
	if err != nil {
		log.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.FlushInterval = -1
	proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 2048, MaxIdleConns: 2048, DisableCompression: true}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Else an answer that begins before the transport has seen the end of the request breaks off now and then.
		_ = http.NewResponseController(w).EnableFullDuplex()
		proxy.ServeHTTP(w, r)
	})
}

const whole = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"The monthly rent is GBP 1,350. Please ask again."},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":9,"total_tokens":14}}`

const chunk = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{%s},"finish_reason":%s}]}` + "\n\n"

// upstream answers at once: what is measured is everything else. A slow question gets two words a second.
func upstream(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if !strings.Contains(string(text), `"stream":true`) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, whole)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	words := strings.SplitAfter("The monthly rent is GBP 1,350. It is due each month. "+strings.Repeat("Please ask again. ", 4), " ")
	pause := time.Duration(0)
	if strings.Contains(string(text), "slow") {
		pause = 500 * time.Millisecond
		words = strings.SplitAfter(strings.Repeat("The monthly rent is GBP 1,350. ", 1+2**seconds/6), " ")[:2**seconds]
	}
	for _, word := range words {
		fmt.Fprintf(w, chunk, fmt.Sprintf(`"content":%q`, word), "null")
		w.(http.Flusher).Flush()
		time.Sleep(pause)
	}
	fmt.Fprintf(w, chunk, "", `"stop"`)
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}
