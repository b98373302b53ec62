// Package pairing says whether two results documents measured the same thing:
// the same scenario, so that their figures may be compared at all, and the same
// traffic, so that their replications are pairs. What a limiter does never
// changes the traffic it sees, so an algorithm that is defined otherwise is a
// change to be measured and no other scenario.
package pairing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/results"
)

// Difference is one thing in which two documents differ.
type Difference struct {
	What      string // `seed`, `scenario "steady 3x": traffic`
	Base, Now string
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: %s in the baseline, %s now", d.What, d.Base, d.Now)
}

// Seeds are the differences between the seeds of the scenarios that both
// documents have, and of the documents themselves.
func Seeds(base, now *results.Document) (list []Difference) {
	seed := func(what string, x, y uint64) {
		if x != y {
			list = append(list, Difference{what, strconv.FormatUint(x, 10), strconv.FormatUint(y, 10)})
		}
	}
	seed("seed", base.Stamp.Seed, now.Stamp.Seed)
	for _, pair := range common(base, now) {
		if pair[0].Seed != base.Stamp.Seed || pair[1].Seed != now.Stamp.Seed {
			seed(in(pair[0].Name, "seed"), pair[0].Seed, pair[1].Seed)
		}
	}
	return list
}

// Scenarios are the differences, besides seeds, between the scenarios that both
// documents have: policy, topology, traffic, span, recorded logs. What leaves
// the traffic and its measurement alone does not count: how a scenario is
// described, what it expects, how often it is repeated, which figures it asks
// for, which algorithms take part and how they are defined.
func Scenarios(base, now *results.Document) (list []Difference) {
	x, xOK := readWorld(base.Stamp.Scenario)
	y, yOK := readWorld(now.Stamp.Scenario)
	for _, pair := range common(base, now) {
		name := pair[0].Name
		found := described(pair[0], pair[1])
		if xOK && yOK && x.has(name) && y.has(name) {
			if written := x.differences(y, name); len(written) > 0 {
				found = written // says more than the description does
			}
		}
		list = append(list, found...)
		list = append(list, recorded(base, now, name)...)
	}
	// Without the effective scenarios only the file's hash can tell.
	if (!xOK || !yOK) && base.Stamp.ScenarioSHA256 != now.Stamp.ScenarioSHA256 {
		list = append(list, Difference{"scenario file", hash(base.Stamp), hash(now.Stamp)})
	}
	return list
}

// Algorithms are the algorithms that both documents define, differently.
func Algorithms(base, now *results.Document) (list []Difference) {
	x, _ := readWorld(base.Stamp.Scenario)
	y, _ := readWorld(now.Stamp.Scenario)
	for _, name := range x.order {
		if definition, ok := y.algorithms[name]; ok && definition != x.algorithms[name] {
			a, b := differing(x.algorithms[name], definition)
			list = append(list, Difference{"algorithm " + name, a, b})
		}
	}
	return list
}

// SameTraffic reports whether replication i of the scenario saw the same
// attempts in both documents, provided that Seeds and Scenarios found nothing:
// whether the rows of the reference were offered the same in each. A newer
// version of the program may draw other traffic from the same seed.
func SameTraffic(base, now *results.Document, scenario string) bool {
	offered := func(doc *results.Document) (values []float64) {
		for _, r := range doc.Results {
			if r.Scenario != scenario || !r.Reference {
				continue
			}
			for _, metric := range []string{"offered_requests", "offered_cost"} {
				for _, x := range r.Metrics[metric].Values {
					if x != nil {
						values = append(values, *x)
					}
				}
			}
		}
		return values
	}
	return slices.Equal(offered(base), offered(now))
}

// common are the scenarios of base that now has too, with their like.
func common(base, now *results.Document) (pairs [][2]results.Scenario) {
	for _, s := range base.Scenarios {
		i := slices.IndexFunc(now.Scenarios, func(t results.Scenario) bool { return t.Name == s.Name })
		if i >= 0 {
			pairs = append(pairs, [2]results.Scenario{s, now.Scenarios[i]})
		}
	}
	return pairs
}

func in(scenario, what string) string { return fmt.Sprintf("scenario %q: %s", scenario, what) }

// described are the differences between what the documents say of a scenario.
func described(a, b results.Scenario) (list []Difference) {
	facts := func(s results.Scenario) [][2]string {
		several := ""
		if len(s.Policies) > 0 {
			several = s.LimitText()
		}
		return [][2]string{
			{"policy", s.Policy.Text}, {"policies", several}, {"limit", fmt.Sprintf("%d/%dns", s.Policy.Limit, s.Policy.WindowNs)},
			{"burst", strconv.FormatInt(s.Policy.Burst, 10)}, {"per", s.Policy.Per},
			{"clients", strconv.Itoa(s.Clients)}, {"servers", strconv.Itoa(s.Servers)},
			{"start_ns", strconv.FormatInt(s.StartNs, 10)}, {"end_ns", strconv.FormatInt(s.EndNs, 10)},
			{"keys", strconv.FormatInt(s.Keys, 10)}, {"tenants", strconv.FormatInt(s.Tenants, 10)},
		}
	}
	x, y := facts(a), facts(b)
	for i := range x {
		if x[i] != y[i] {
			list = append(list, Difference{in(a.Name, x[i][0]), shown(x[i][1]), shown(y[i][1])})
		}
	}
	return list
}

// recorded are the differences between the logs that a scenario replayed, by
// what was read from them: the same path may hold another log.
func recorded(base, now *results.Document, scenario string) (list []Difference) {
	logs := func(doc *results.Document) (texts []string) {
		for _, i := range doc.Input {
			if i.Scenario == scenario {
				texts = append(texts, fmt.Sprintf("%s: %d rows, %d malformed, %d keys, cost %d, %d to %d ns, peak %d/s",
					i.Traffic, i.Rows, i.Malformed, i.Keys, i.Cost, i.FirstNs, i.LastNs, i.PeakPerS))
			}
		}
		return texts
	}
	x, y := logs(base), logs(now)
	if !slices.Equal(x, y) {
		a, b := strings.Join(x, "; "), strings.Join(y, "; ")
		list = append(list, Difference{in(scenario, "recorded log"), shown(a), shown(b)})
	}
	return list
}

func shown(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func hash(s results.Stamp) string {
	if s.ScenarioSHA256 == "" {
		return "unknown"
	}
	return "sha256 " + s.ScenarioSHA256[:min(12, len(s.ScenarioSHA256))]
}

// Unpaired says why replications of a scenario are no pairs although their
// documents have the same seed; "" if they are.
func Unpaired(base, now *results.Document, scenario string) string {
	if SameTraffic(base, now, scenario) {
		return ""
	}
	if a, b := replications(base, scenario), replications(now, scenario); a != b {
		return fmt.Sprintf("%d replications against %d", a, b)
	}
	return "the same seed made other traffic"
}

// replications is how often the scenario's reference ran.
func replications(doc *results.Document, scenario string) int {
	for _, r := range doc.Results {
		if r.Scenario == scenario && r.Reference {
			return r.Replications
		}
	}
	return 0
}
