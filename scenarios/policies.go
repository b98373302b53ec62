package scenarios

import (
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Policies returns all policies of a scenario, starting with Policy.
func (s *Scenario) Policies() []Policy {
	return append([]Policy{s.Policy}, s.Further...)
}

// LongestWindow returns the longest window in ns that figures of the scenario's policies
// are measured in.
func (s *Scenario) LongestWindow() int64 {
	longest := int64(0)
	for _, p := range s.Policies() {
		longest = max(longest, p.Reference.Limit.Per)
	}
	return longest
}

func policyNames(policies []Policy) []string {
	return mapped(policies, func(p Policy) string { return p.Name })
}

// scenarioPolicies returns the policies under policy or policies, or nil after
// a problem.
func (l *loader) scenarioPolicies(n *node) []Policy {
	one, several := n.get("policy"), n.get("policies")
	switch {
	case one != nil && several != nil:
		l.report(several.place, "cannot be combined with policy: remove one of the two")
		return nil
	case one == nil && several == nil:
		l.report(n.at("policy"), "is required: %s", doc(catalog.Find(ScenarioFields(), "policy")))
		return nil
	case several == nil:
		if p := named(l, l.policies, "policy", one, l.policy); p != nil {
			return []Policy{*p}
		}
		return nil
	}
	return l.policyList(several)
}

func (l *loader) policyList(n *node) []Policy {
	if !l.is(n, sequence) {
		return nil
	}
	if len(n.items) == 0 || len(n.items) > MaxPolicies {
		l.report(n.place, "holds %d policies, but should hold 1 to %d", len(n.items), MaxPolicies)
		return nil
	}
	var list []Policy
	for _, item := range n.items {
		p := named(l, l.policies, "policy", item, l.policy)
		if p == nil {
			continue
		}
		if slices.Contains(policyNames(list), p.Name) {
			l.report(item.place, "policy %s is listed twice: define the second one under policies: with another name", Clip(p.Name))
			continue
		}
		list = append(list, *p)
	}
	if len(list) < len(n.items) {
		return nil
	}
	return list
}
