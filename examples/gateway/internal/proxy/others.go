package proxy

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"sort"

	"gateway/internal/api"
	"gateway/internal/auth"
	"gateway/internal/flow"
	"vsr"
)

func errorOf(err error) slog.Attr { return slog.String("error", err.Error()) }

// explain says what would be decided about a request, and why. The query ?path= names another form than chat.
func (g *Gateway) explain(w http.ResponseWriter, r *http.Request) {
	e, end := g.begin(w, r, api.Chat, auth.RoleExplain)
	defer end()
	if e == nil {
		return
	}
	path := r.URL.Query().Get("path")
	if path == "" {
		path = "/v1/chat/completions"
	}
	v := e.state.Flow.Decide(r.Context(), &flow.Request{Path: path, Headers: headersOf(r.Header), Body: e.body,
		Caller: e.caller.Caller, Explain: true})
	defer v.Close()
	e.verdict = v
	e.setHeaders()
	if v.Action == flow.Refuse {
		e.status, e.problem = v.Status, "refused"
		writeJSON(w, v.Status, v.Answer)
		return
	}
	e.status = 200
	writeJSON(w, 200, []byte(v.Explanation))
}

type modelEntry struct {
	ID          string `json:"id"`
	Object      string `json:"object"`
	Created     int64  `json:"created"`
	OwnedBy     string `json:"owned_by"`
	Type        string `json:"type"` // this and the next two are Anthropic's
	DisplayName string `json:"display_name"`
	CreatedAt   string `json:"created_at"`
}

// models lists what a client may name, in a form that both OpenAI's and Anthropic's clients read.
func (g *Gateway) models(w http.ResponseWriter, r *http.Request) {
	state, done := g.configuration.Use()
	defer done()
	if state == nil {
		writeError(w, api.Chat, 503, "closing", "the gateway is closing")
		return
	}
	caller := state.Keys.Of(r.Header.Get("Authorization"), r.Header.Get("X-Api-Key"))
	if caller == nil {
		writeError(w, api.Chat, 401, "invalid_api_key", "the key is missing or not known")
		return
	}
	names := append([]string{"auto"}, state.Pool.Names()...)
	for name := range state.Embeddings {
		names = append(names, name)
	}
	sort.Strings(names[1+len(state.Pool.Names()):])
	entries := []modelEntry{}
	wanted := r.PathValue("name")
	for _, name := range names {
		if wanted == "" || wanted == name {
			entries = append(entries, modelEntry{ID: name, Object: "model", OwnedBy: "vsr", Type: "model", DisplayName: name,
				CreatedAt: "1970-01-01T00:00:00Z"})
		}
	}
	var body any
	switch {
	case wanted == "":
		body = map[string]any{"object": "list", "data": entries, "has_more": false, "first_id": entries[0].ID,
			"last_id": entries[len(entries)-1].ID}
	case len(entries) == 0:
		writeError(w, api.Chat, 404, "model_not_found", "there is no such model")
		return
	default:
		body = entries[0]
	}
	text, _ := json.Marshal(body) // of strings and numbers
	writeJSON(w, 200, text)
}

type embeddingRequest struct {
	Model      string          `json:"model"`
	Input      json.RawMessage `json:"input"`
	Format     string          `json:"encoding_format"`
	Dimensions int32           `json:"dimensions"`
}

func (r *embeddingRequest) texts() ([]string, error) {
	var one string
	if json.Unmarshal(r.Input, &one) == nil {
		return []string{one}, nil
	}
	var several []string
	if json.Unmarshal(r.Input, &several) != nil || len(several) == 0 {
		return nil, errors.New("input is neither a text nor an array of texts")
	}
	const most = 2048
	if len(several) > most {
		return nil, errors.New("input has more than 2048 texts")
	}
	return several, nil
}

// embed answers with vsr's own models those that the gateway's file names, and asks servers for the others.
func (g *Gateway) embed(w http.ResponseWriter, r *http.Request) {
	e, end := g.begin(w, r, api.Chat, auth.RoleInfer)
	defer end()
	if e == nil {
		return
	}
	var request embeddingRequest
	if err := json.Unmarshal(e.body, &request); err != nil {
		e.refuse(400, "invalid_request", "the body is no request for embeddings: "+err.Error())
		return
	}
	task, own := e.state.Embeddings[request.Model]
	if !own {
		e.embedElsewhere(request.Model)
		return
	}
	texts, err := request.texts()
	if err == nil && request.Format != "" && request.Format != "float" && request.Format != "base64" {
		err = errors.New("encoding_format is neither float nor base64")
	}
	if err != nil {
		e.refuse(400, "invalid_request", err.Error())
		return
	}
	e.outcome = "embedded"
	found, err := e.state.engine.Embed(texts, &vsr.EmbedOptions{Task: task, Dim: request.Dimensions, Context: r.Context()})
	if err != nil {
		status := 500
		if errors.Is(err, vsr.ErrInvalidArgument) || errors.Is(err, vsr.ErrLimit) {
			status = 400
		}
		e.refuse(status, "embedding_failed", err.Error())
		return
	}
	e.head(200, "application/json")
	_ = e.send(embeddingAnswer(&request, found))
}

func embeddingAnswer(request *embeddingRequest, found *vsr.Embeddings) []byte {
	data := make([]map[string]any, found.Rows)
	tokens := 0
	for i := range data {
		var vector any = found.Row(i)
		if request.Format == "base64" {
			bytes := make([]byte, 0, 4*found.Cols)
			for _, x := range found.Row(i) {
				bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(x))
			}
			vector = base64.StdEncoding.EncodeToString(bytes)
		}
		data[i] = map[string]any{"object": "embedding", "index": i, "embedding": vector}
		tokens += found.Usage[i].Tokens
	}
	text, _ := json.Marshal(map[string]any{"object": "list", "data": data, "model": request.Model,
		"usage": map[string]int{"prompt_tokens": tokens, "total_tokens": tokens}}) // finite numbers and strings
	return text
}

func (e *exchange) embedElsewhere(name string) {
	model := e.state.Pool.Model(name)
	if model == nil {
		e.refuse(404, "model_not_found", "there is no such model")
		return
	}
	if len(e.caller.Models) > 0 && !slices.Contains(e.caller.Models, name) {
		e.refuse(403, "model_not_allowed", "this key may not name that model")
		return
	}
	e.verdict = flow.Passed(e.body, name)
	e.forwardTo(e.candidates())
}
