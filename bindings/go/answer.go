package vsr

// AnswerPolicy is what a decision asks of the answer; see vsr_answer_policy. An action is a word of the config, "none",
// "header", "body" or "block"; empty: the decision does not have the plugin.
type AnswerPolicy struct {
	Guard               GuardOptions // for NewGuard
	Facts               FactsOptions // for Router.Facts
	Sources             []string     // the request's tool results
	HallucinationAction string
	UnverifiedAction    string // the gateway's, where there are no facts
	JailbreakAction     string
	IncludeDetails      bool
}

// Facts reads facts over the models that answer the router's signals; see vsr_router_facts.
func (r *Router) Facts(texts []string, options *FactsOptions) (*Facts, error) {
	if options == nil {
		options = &FactsOptions{}
	}
	handle, err := nativeRouterFacts(r, texts, options)
	if err != nil {
		return nil, err
	}
	return &Facts{handle}, nil
}

// Guard begins to guard the answer to a routed request as its decision asks for; nil facts are the request's own tool
// results. See vsr_router_guard.
func (r *Router) Guard(decision *Decision, facts *Facts) (*Guard, error) {
	handle, err := nativeRouterGuard(r, decision, facts)
	if err != nil {
		return nil, err
	}
	return &Guard{handle}, nil
}
