package results

import (
	"fmt"
	"strings"
)

// LimitText returns the limit of a request in words: "100/min, burst 20 per
// user". In multi-policy scenarios it lists the policies by name.
func (s *Scenario) LimitText() string {
	if len(s.Policies) < 2 {
		return s.Policy.LimitText()
	}
	var parts []string
	for _, p := range s.Policies {
		text := p.LimitText()
		if !strings.HasPrefix(text, p.Name+",") { // an inline policy is named by its limit
			text = p.Name + " " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// LimitText returns the limit in words: "100/min, burst 20 per user".
func (p *Policy) LimitText() string {
	if p.Text == "" || p.Per == "" {
		return p.Text
	}
	return p.Text + " per " + p.Per
}

// PerPolicy splits a part that PerScenario returned into one document for each
// policy, as if its keys were a scenario of one policy. The result is empty for
// one policy.
func (d *Document) PerPolicy() []*Document {
	s := d.Scenarios[0]
	if len(s.Policies) < 2 {
		return nil
	}
	parts := make([]*Document, len(s.Policies))
	for i, policy := range s.Policies {
		alone := s
		alone.Name += ", policy " + policy.Name
		alone.Keys = policy.Keys
		alone.Policy, alone.Policies, alone.Expectations, alone.Warnings = policy, nil, nil, nil
		p := &Document{SchemaVersion: d.SchemaVersion, Stamp: d.Stamp, Partial: d.Partial, Scenarios: []Scenario{alone}}
		for _, r := range d.ByPolicy {
			if r.Policy == policy.Name {
				r.Scenario = alone.Name
				p.Results = append(p.Results, r)
			}
		}
		for _, one := range d.PolicySeries {
			if one.Policy == policy.Name {
				one.Series.Scenario = alone.Name
				p.Series = append(p.Series, one.Series)
			}
		}
		parts[i] = p
	}
	return parts
}

// LimitLine returns the label of the limit line beside the scenario's series.
func (s *Scenario) LimitLine() string {
	switch {
	case len(s.Policies) > 1:
		return "limit, of all keys of the tightest policy"
	case s.Keys > 1:
		return fmt.Sprintf("limit, of all %d keys together", s.Keys)
	}
	return "limit"
}
