package vsr

// Policy says what is done about a claim that is wrong; see vsr/guard.h.
type Policy int32

const (
	PolicyObserve   Policy = 0 // nothing: events alone
	PolicyAnnotate  Policy = 1 // an extra event vsr.guard, and a summary before the end
	PolicyWarn      Policy = 2 // a marker after the claim
	PolicyReplace   Policy = 3 // another text in its place; claims are held
	PolicyTerminate Policy = 4 // the answer ends, as if the server's own filter had stopped it
)

// StreamFormat says how the bytes of an answer are read; see vsr/guard.h.
type StreamFormat int32

const (
	StreamAuto StreamFormat = 0 // by the first bytes
	StreamSSE  StreamFormat = 1 // server-sent events of OpenAI's and Anthropic's kinds
	StreamText StreamFormat = 2
	StreamJSON StreamFormat = 3 // one JSON object, an answer that is no stream
)

// GuardKind says what is wrong; see vsr/guard.h.
type GuardKind int32

const (
	GuardNumber        GuardKind = 0
	GuardDate          GuardKind = 1
	GuardAmount        GuardKind = 2
	GuardUnit          GuardKind = 3
	GuardPercent       GuardKind = 4
	GuardName          GuardKind = 5
	GuardIdentifier    GuardKind = 6
	GuardNegation      GuardKind = 7
	GuardContradiction GuardKind = 8
	GuardUnsupported   GuardKind = 9
	GuardPII           GuardKind = 10
	GuardJailbreak     GuardKind = 11
)

// String gives the name: number, date, amount, ...
func (k GuardKind) String() string { return nativeGuardKindName(k) }

// AnswerField is one of the texts that an answer runs in; see vsr/guard.h.
type AnswerField int32

const (
	FieldText      AnswerField = 0
	FieldRefusal   AnswerField = 1
	FieldReasoning AnswerField = 2
	FieldTool      AnswerField = 3
)

// FactsOptions: see vsr_facts_options.
type FactsOptions struct {
	NLI    string // task for pairs (fact, claim); empty: not asked
	Tokens string // token classification task for pairs; empty: not asked
}

// GuardOptions: see vsr_guard_options.
type GuardOptions struct {
	Policy          Policy
	Format          StreamFormat
	Question        string
	Hold            bool // a claim leaves only when it is checked
	FailClosed      bool // what cannot be checked ends the answer
	NoGrounding     bool // claims are not held against the facts
	PII             bool // personal data is looked for by its form
	PIITask         string
	JailbreakTask   string
	Threshold       float32
	SafetyThreshold float32 // 0: 0.5
	Marker          string  // empty: the default
	Replacement     string  // empty: the default
	DeadlineMS      int64   // of the models, for each piece
	MaxHoldMS       int64   // 0: 10,000
	SafetyPolicy    *Policy // of personal data and jailbreaks; nil: Policy
}

// GuardEvent is something wrong in an answer; positions are bytes of the answer's text, end exclusive.
type GuardEvent struct {
	Start, End           int
	ClaimStart, ClaimEnd int
	Text, Claim          string
	Kind                 GuardKind
	Score                float32
	Fact                 int // -1: none
	Milliseconds         float64
	Choice               int
	Field                AnswerField
	Index                int
}

// GuardStep is what came of one piece of an answer.
type GuardStep struct {
	Forward    []byte // to send on
	Events     []GuardEvent
	Checked    int  // bytes of the answer's text judged so far; never goes back
	Ended      bool // nothing more will leave: cancel upstream
	Overloaded bool // some of this piece went, or was stopped, unchecked
}

// Facts are held against answers; shared by any number of guards.
type Facts struct{ handle *handle }

// NewFacts reads facts; see vsr_facts_create. A nil engine is the default one where it is open, else symbols alone.
func NewFacts(engine *Engine, texts []string, options *FactsOptions) (*Facts, error) {
	if options == nil {
		options = &FactsOptions{}
	}
	handle, err := nativeNewFacts(engine, texts, options)
	if err != nil {
		return nil, err
	}
	return &Facts{handle}, nil
}

// Close gives up the facts; guards over them go on.
func (f *Facts) Close() error {
	if f != nil {
		f.handle.close()
	}
	return nil
}

// Check checks a whole text at once; see vsr_facts_check.
func (f *Facts) Check(text string, options *GuardOptions) ([]GuardEvent, error) {
	if options == nil {
		options = &GuardOptions{}
	}
	step, err := nativeCheck(f, text, options)
	if err != nil {
		return nil, err
	}
	return step.Events, nil
}

// Guard watches one answer. One goroutine at a time.
type Guard struct{ handle *handle }

// NewGuard begins to guard an answer; see vsr_guard_create.
func NewGuard(facts *Facts, options *GuardOptions) (*Guard, error) {
	if options == nil {
		options = &GuardOptions{}
	}
	handle, err := nativeNewGuard(facts, options)
	if err != nil {
		return nil, err
	}
	return &Guard{handle}, nil
}

// Close gives up the guard.
func (g *Guard) Close() error {
	if g != nil {
		g.handle.close()
	}
	return nil
}

// Feed takes the next bytes, of any number; see vsr_guard_feed.
func (g *Guard) Feed(data []byte) (*GuardStep, error) { return nativeFeed(g, data) }

// Finish ends the answer; see vsr_guard_finish.
func (g *Guard) Finish() (*GuardStep, error) { return nativeFinish(g) }

// Describe says what was found so far as the JSON of vsr_guard_describe.
func (g *Guard) Describe() (string, error) { return nativeDescribeGuard(g) }
