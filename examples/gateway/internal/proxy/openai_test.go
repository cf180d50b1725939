package proxy

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"gateway/internal/api"
)

// The official Go client takes what the gateway gives.
func TestOpenAI_ClientIsServed(t *testing.T) {
	s := start(t, "", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"stream":true`) {
			_, stream, _ := strings.Cut(chatStream, "\n\n") // the client fails at comments
			events(w, stream)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(api.Answer(api.Chat, false, "1", "large", "Yes."))
	})
	client := openai.NewClient(option.WithBaseURL(s.url+"/v1"), option.WithAPIKey("key-of-ann"), option.WithMaxRetries(0))
	asked := func(model, text string) openai.ChatCompletionNewParams {
		return openai.ChatCompletionNewParams{Model: model, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)}}
	}
	for _, text := range []string{"urgent", "urgent", "a bomb"} { // a model's, the cache's, the router's own
		answer, err := client.Chat.Completions.New(t.Context(), asked("auto", text))
		if err != nil || answer.Choices[0].Message.Content != map[string]string{"urgent": "Yes.", "a bomb": "I cannot help with that."}[text] {
			t.Fatal(answer, err)
		}
	}
	for range 2 { // a model's stream, and the cache's
		stream := client.Chat.Completions.NewStreaming(t.Context(), asked("auto", "urgent"))
		var whole openai.ChatCompletionAccumulator
		for stream.Next() {
			whole.AddChunk(stream.Current())
		}
		if stream.Err() != nil || len(whole.Choices) == 0 || whole.Choices[0].FinishReason != "tool_calls" || !strings.HasPrefix(whole.Choices[0].Message.Content, "Gr\u00fc\u00df") {
			t.Errorf("%+v, %v", whole.Choices, stream.Err())
		}
	}
	_, err := client.Chat.Completions.New(t.Context(), asked("none", "x"))
	var failed *openai.Error
	if !errors.As(err, &failed) || failed.StatusCode != 404 || failed.Code != "model_not_found" {
		t.Error(err)
	}
}
