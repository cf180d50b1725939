package flow

import "vsr"

// Check holds an answer against facts, as a guard that only watches does.
func Check(engine *vsr.Engine, question string, facts []string, answer string) ([]vsr.GuardEvent, error) {
	held, err := vsr.NewFacts(engine, facts, nil)
	if err != nil {
		return nil, err
	}
	defer held.Close()
	guard, err := vsr.NewGuard(held, &vsr.GuardOptions{Format: vsr.StreamText, Question: question, NoGrounding: len(facts) == 0})
	if err != nil {
		return nil, err
	}
	defer guard.Close()
	var events []vsr.GuardEvent
	for _, next := range []func() (*vsr.GuardStep, error){
		func() (*vsr.GuardStep, error) { return guard.Feed([]byte(answer)) }, guard.Finish} {
		step, err := next()
		if err != nil {
			return nil, err
		}
		events = append(events, step.Events...)
	}
	return events, nil
}
