package vsr

import "context"

// OnToken is called with each new token and the text that it completes, by the goroutine that made the call. True ends
// the call with ErrCancelled. A panic ends the call too, and goes on in its caller.
type OnToken func(id int32, text string) bool

// GenerateOptions: see vsr_generate_options.
type GenerateOptions struct {
	Task         string  // empty: the only one
	MaxNewTokens uint    // 0: 128; the prompt and as many tokens must fit the model
	NoEOS        bool    // go on after an end-of-text token
	Temperature  float32 // 0: the most likely token
	TopK         int32   // 0: all
	TopP         float32 // 0: all
	Seed         uint64  // the same seed gives the same tokens
	OnToken      OnToken
	Context      context.Context // its end and its deadline are the call's; nil: none
}

// Finish says why generation ended.
type Finish int32

const (
	FinishLength Finish = 1 // MaxNewTokens
	FinishEOS    Finish = 2 // an end-of-text token, the last of the ids
)

// Generation is text after a prompt.
type Generation struct {
	Text         string  // without special tokens
	IDs          []int32 // new tokens only
	Finish       Finish
	PromptTokens int
	Replaced     int // bytes of the prompt that were not UTF-8
}

// ModerateOptions: see vsr_moderate_options.
type ModerateOptions struct {
	Task         string          // empty: the only one
	MaxNewTokens uint            // of the answer; 0: 128
	Context      context.Context // its end and its deadline are the call's; nil: none
}

// Severity says how a text was judged. The zero value is no verdict, and not safe.
type Severity int32

const (
	SeverityUnparsed      Severity = 0 // treat the text as unsafe
	SeveritySafe          Severity = 1
	SeverityControversial Severity = 2
	SeverityUnsafe        Severity = 3
)

func (s Severity) String() string {
	switch s {
	case SeveritySafe:
		return "safe"
	case SeverityControversial:
		return "controversial"
	case SeverityUnsafe:
		return "unsafe"
	default:
		return "unparsed"
	}
}

// Verdict is what a safety classifier says of a prompt, or of the response to it.
type Verdict struct {
	Severity      Severity
	Categories    []string
	Refusal       *bool   // of a response; nil for a prompt
	Safe          float32 // how likely each severity is; together 1
	Controversial float32
	Unsafe        float32
	Answer        string // what the model wrote
	Prompt        string // what it read
	PromptTokens  int
	ControlTokens int // special tokens that the texts spell out
	Replaced      int // bytes of the texts that were not UTF-8
}

// Generate generates text after prompt; see vsr_generate.
func (e *Engine) Generate(prompt string, options *GenerateOptions) (*Generation, error) {
	if options == nil {
		options = &GenerateOptions{}
	}
	return nativeGenerate(e, prompt, options)
}

// Moderate judges a prompt; see vsr_moderate.
func (e *Engine) Moderate(prompt string, options *ModerateOptions) (*Verdict, error) {
	return e.moderate(prompt, nil, options)
}

// ModerateResponse judges the response to a prompt; see vsr_moderate.
func (e *Engine) ModerateResponse(prompt, response string, options *ModerateOptions) (*Verdict, error) {
	return e.moderate(prompt, &response, options)
}

func (e *Engine) moderate(prompt string, response *string, options *ModerateOptions) (*Verdict, error) {
	if options == nil {
		options = &ModerateOptions{}
	}
	return nativeModerate(e, prompt, response, options)
}
