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
	"maps"
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
	x, y := readWorld(base.Stamp.Scenario), readWorld(now.Stamp.Scenario)
	for _, pair := range common(base, now) {
		name := pair[0].Name
		was, is := x.scenario(name), y.scenario(name)
		if a, b := stated(was), stated(is); a != b {
			list = append(list, Difference{in(name, "settings"), a, b})
		} else {
			list = append(list, was.differences(fmt.Sprintf("scenario %q", name), is)...)
		}
		list = append(list, recorded(base, now, name)...)
	}
	return list
}

// Programs returns the differences between the versions of the program that made the
// documents, and the algorithms that both define, in different ways.
func Programs(base, now *results.Document) (list []Difference) {
	if a, b := version(base.Stamp), version(now.Stamp); a != b {
		list = append(list, Difference{"version", a, b})
	}
	x, y := readWorld(base.Stamp.Scenario), readWorld(now.Stamp.Scenario)
	was, is := fieldsOf(x["algorithms"]), fieldsOf(y["algorithms"])
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] != nil {
			list = append(list, differences("algorithm "+name, was[name], is[name])...)
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

func stated(f fields) string {
	if f == nil {
		return "not stated"
	}
	return "stated"
}

func in(scenario, what string) string { return fmt.Sprintf("scenario %q: %s", scenario, what) }

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

// Unpaired returns why replications of a scenario are not pairs although their
// documents have the same seed, or "" if they are pairs: each replication that both
// documents have had the same attempts in both, as their digests show. Call it only if
// the scenario has the same seed in both. A newer version of the program may generate
// different traffic from the same seed.
func Unpaired(base, now *results.Document, scenario string) string {
	a, b := digests(base, scenario), digests(now, scenario)
	switch n := min(len(a), len(b)); {
	case n == 0:
		return "a document does not identify its traffic"
	case !slices.Equal(a[:n], b[:n]):
		return "the same seed made other traffic"
	}
	return ""
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
