// A model server that has no model: it answers every form of request that the gateway knows with a sentence that says
// which model was asked what. For demos and tests.
//
// Usage: scripted [-listen 127.0.0.1:0]; prints its address, and then a line for each request: the model and its question.
//
// A question with "rent" is answered with a wrong rent; one with "[break]" is a stream that breaks off.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"

	"gateway/internal/api"
	"gateway/internal/sse"
)

var printing sync.Mutex

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "host:port")
	flag.Parse()
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr())
	http.HandleFunc("POST /v1/{path...}", answer)
	log.Fatal(http.Serve(listener, nil))
}

func answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if r.URL.Path == "/v1/embeddings" {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"list","model":"scripted","data":[{"object":"embedding","index":0,"embedding":[1,0,0]}],"usage":{"prompt_tokens":1,"total_tokens":1}}`)
		return
	}
	kind, known := api.KindOf(r.URL.Path)
	request, err := api.Read(kind, body)
	if !known || err != nil {
		http.Error(w, "no request that is known here", http.StatusBadRequest)
		return
	}
	question := request.Question()
	printing.Lock()
	fmt.Printf("%s %s: %s\n", kind, request.Model, question)
	printing.Unlock()
	text := fmt.Sprintf("%s was asked: %s", request.Model, question)
	if strings.Contains(question, "rent") {
		text = "Here is what I found. The monthly rent is GBP 9,999. " + strings.Repeat("Please ask again if you need more. ", 4)
	}
	w.Header().Set("Content-Type", api.ContentType(request.Stream))
	if request.Stream && kind == api.Chat {
		words(w, request.Model, text, strings.Contains(question, "[break]"))
		return
	}
	_, _ = w.Write(api.Answer(kind, request.Stream, "scripted", request.Model, text))
}

// words streams a chat answer word by word.
func words(w http.ResponseWriter, model, text string, breaks bool) {
	chunk := func(choices []any, usage any) {
		data, _ := json.Marshal(map[string]any{"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0,
			"model": model, "choices": choices, "usage": usage})
		_, _ = w.Write(sse.Append(nil, "", data))
		w.(http.Flusher).Flush()
	}
	choice := func(delta map[string]any, reason any) []any {
		return []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}}
	}
	chunk(choice(map[string]any{"role": "assistant", "content": ""}, nil), nil)
	all := strings.SplitAfter(text, " ")
	for i, word := range all {
		if breaks && i == len(all)/2 {
			panic(http.ErrAbortHandler)
		}
		chunk(choice(map[string]any{"content": word}, nil), nil)
	}
	chunk(choice(map[string]any{}, "stop"), nil)
	chunk([]any{}, map[string]any{"prompt_tokens": 12, "completion_tokens": len(all), "total_tokens": 12 + len(all)})
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}
