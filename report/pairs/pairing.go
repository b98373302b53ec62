// Package pairs compares what two results documents measured: whether they
// ran the same scenario, so that their metrics may be compared, and whether
// they ran the same traffic, so that their replications are pairs. A limiter
// never changes the traffic, so a different definition of an algorithm does not
// make a different scenario.
//
// The package makes no promise: it can change at any time.
package pairs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"

	"github.com/limitgauge/limitgauge/sim/results"
)

// Difference is one property in which two documents differ.
type Difference struct {
	What      string // `seed`, `scenario "steady 3x": traffic`
	Base, Now string
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: %s in the baseline, %s now", d.What, d.Base, d.Now)
}

// Seeds returns the differences between the seeds of the documents and of the
// scenarios that both have.
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

// Scenarios returns the differences, except in seeds, between the scenarios
// that both documents have: in policy, topology, traffic, span and recorded
// logs. It ignores fields that influence neither the traffic nor its
// measurement: the description, the expectations, the number of replications,
// the selected metrics and the algorithms.
func Scenarios(base, now *results.Document) (list []Difference) {
	x, xOK := readWorld(base.Stamp.Scenario)
	y, yOK := readWorld(now.Stamp.Scenario)
	for _, pair := range common(base, now) {
		name := pair[0].Name
		found := described(pair[0], pair[1])
		if xOK && yOK && x.has(name) && y.has(name) {
			if written := x.differences(y, name); len(written) > 0 {
				found = written // more detailed than the description
			}
		}
		list = append(list, found...)
		list = append(list, recorded(base, now, name)...)
	}
	// Without effective scenarios, only the hashes of the files can be
	// compared.
	if (!xOK || !yOK) && base.Stamp.ScenarioSHA256 != now.Stamp.ScenarioSHA256 {
		list = append(list, Difference{"scenario file", hash(base.Stamp), hash(now.Stamp)})
	}
	return list
}

// Programs returns the differences between the versions of the program that made the
// documents, and the algorithms that both define, in different ways.
func Programs(base, now *results.Document) (list []Difference) {
	if a, b := version(base.Stamp), version(now.Stamp); a != b {
		list = append(list, Difference{"version", a, b})
	}
	x, _ := readWorld(base.Stamp.Scenario)
	y, _ := readWorld(now.Stamp.Scenario)
	for _, name := range x.algorithms {
		was := x.definitions["algorithms"][name]
		if now, ok := y.definitions["algorithms"][name]; ok && now != was {
			a, b := differing(was, now)
			list = append(list, Difference{"algorithm " + name, a, b})
		}
	}
	return list
}

func version(s results.Stamp) string {
	text := s.Version
	if s.Commit != "" {
		text += " (" + s.Commit[:min(12, len(s.Commit))] + ")"
	}
	return cmp.Or(text, "unknown")
}

// SameTraffic reports whether each replication that both documents have of the
// scenario had the same attempts in both: whether their digests are equal. Without
// digests, which earlier versions did not write, the rows of the reference must have been
// offered the same cost. Call it only if Seeds and Scenarios found no difference. A
// newer version of the program may generate different traffic from the same seed.
func SameTraffic(base, now *results.Document, scenario string) bool {
	a, b := digests(base, scenario), digests(now, scenario)
	if n := min(len(a), len(b)); n > 0 {
		return slices.Equal(a[:n], b[:n])
	}
	for _, metric := range []string{"offered_requests", "offered_cost"} {
		x, y := offered(base, scenario, metric), offered(now, scenario, metric)
		n := min(len(x), len(y))
		if len(x) != len(y) && n == 0 || !slices.EqualFunc(x[:n], y[:n], slices.Equal) {
			return false
		}
	}
	return true
}

// Repeated reports whether the replications of a row of now repeat those of a row of
// base: both draw no random numbers of their own, and the traffic is known to be the
// same. Call it only if Seeds and Scenarios found no difference.
func Repeated(base, now *results.Document, a, b results.Result) bool {
	x, y, n := digests(base, a.Scenario), digests(now, b.Scenario), a.Replications
	return a.FollowsTraffic && b.FollowsTraffic && n == b.Replications && n <= min(len(x), len(y)) && slices.Equal(x[:n], y[:n])
}

// digests returns the digests of a scenario's traffic, by replication.
func digests(doc *results.Document, scenario string) []string {
	for _, s := range doc.Scenarios {
		if s.Name == scenario {
			return s.TrafficDigests
		}
	}
	return nil
}

// offered returns what the references of a scenario were offered in each
// replication.
func offered(doc *results.Document, scenario, metric string) (perReplication [][]float64) {
	for _, r := range doc.Results {
		if r.Scenario != scenario || !r.Reference {
			continue
		}
		for i, x := range r.Metrics[metric].Values {
			if x == nil {
				continue
			}
			for len(perReplication) <= i {
				perReplication = append(perReplication, nil)
			}
			perReplication[i] = append(perReplication[i], *x)
		}
	}
	return perReplication
}

// common returns the scenarios of base that now has as well, each with the one
// of now.
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

// described returns the differences between the descriptions of a scenario in
// the documents.
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
			list = append(list, Difference{in(a.Name, x[i][0]), cmp.Or(x[i][1], "none"), cmp.Or(y[i][1], "none")})
		}
	}
	return list
}

// recorded returns the differences between the logs that a scenario replayed.
// It compares their contents, because the same path may hold another log.
func recorded(base, now *results.Document, scenario string) (list []Difference) {
	logs := func(doc *results.Document) (texts []string) {
		for _, i := range doc.Input {
			if i.Scenario == scenario {
				texts = append(texts, fmt.Sprintf("%s: %s, %d malformed, %s, cost %d, %d to %d ns, peak %d/s",
					i.Traffic, format.Count(i.Rows, "row"), i.Malformed, format.Count(i.Keys, "key"), i.Cost, i.FirstNs, i.LastNs, i.PeakPerS))
			}
		}
		return texts
	}
	x, y := logs(base), logs(now)
	if !slices.Equal(x, y) {
		a, b := strings.Join(x, "; "), strings.Join(y, "; ")
		list = append(list, Difference{in(scenario, "recorded log"), cmp.Or(a, "none"), cmp.Or(b, "none")})
	}
	return list
}

func hash(s results.Stamp) string {
	if s.ScenarioSHA256 == "" {
		return "unknown"
	}
	return "sha256 " + s.ScenarioSHA256[:min(12, len(s.ScenarioSHA256))]
}

// Unpaired returns why replications of a scenario are not pairs although their
// documents have the same seed, or "" if they are pairs.
func Unpaired(base, now *results.Document, scenario string) string {
	if SameTraffic(base, now, scenario) {
		return ""
	}
	return "the same seed made other traffic"
}

// Replications returns the number of replications of a scenario's random rows, 1 if
// it has none.
func Replications(doc *results.Document, scenario string) int {
	n := 1
	for _, r := range doc.Results {
		if r.Scenario == scenario {
			n = max(n, r.Replications)
		}
	}
	return n
}
