package results

import (
	"cmp"
	"fmt"
	"slices"
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
		alone.Policy.Counts = cmp.Or(policy.Counts, CostUnit(d.Results))
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

// PerKey splits a part that PerScenario returned into one document for each key
// with series, as if it were the only key of a scenario.
func (d *Document) PerKey() []KeyPart {
	var parts []KeyPart
	for _, one := range d.KeySeries {
		i := slices.IndexFunc(parts, func(p KeyPart) bool { return p.Key == one.Key })
		if i < 0 {
			i = len(parts)
			alone := d.Scenarios[0]
			alone.Keys, alone.Policies = 1, nil
			parts = append(parts, KeyPart{one.Key, one.Why, one.WorstOf, &Document{
				SchemaVersion: d.SchemaVersion, Stamp: d.Stamp, Partial: d.Partial,
				Scenarios: []Scenario{alone}, Results: d.Results,
			}})
		}
		parts[i].Series = append(parts[i].Series, one.Series)
	}
	return parts
}

// KeyPart holds the series of one key of a scenario, and the results of all keys.
type KeyPart struct {
	Key, Why, WorstOf string // as in KeySeries
	*Document
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

// MostRefused returns the names of at most n keys of a part with one scenario: those
// with the most rejected cost over all its algorithms, the reference left out.
func (d *Document) MostRefused(n int) (names []string) {
	total := map[string]int64{}
	for _, r := range d.Rejections {
		i := slices.IndexFunc(d.Results, func(one Result) bool { return one.Algorithm == r.Algorithm })
		if i < 0 || d.Results[i].Reference {
			continue
		}
		for _, k := range r.Keys {
			if total[k.Key] == 0 && k.Rejected > 0 {
				names = append(names, k.Key)
			}
			total[k.Key] += k.Rejected
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b)) })
	return names[:min(n, len(names))]
}
