package scenarios

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// standsFor returns the names that a name of expect stands for: the algorithm of
// this name, else those that a name with wildcards matches. Wildcards do not
// match the reference, which is the first of known.
func standsFor(pattern string, known []string) []string {
	if slices.Contains(known, pattern) {
		return []string{pattern}
	}
	if !strings.Contains(pattern, catalog.Wildcard) {
		return nil
	}
	var names []string
	for _, name := range known[1:] {
		if name != "" && catalog.Matches(pattern, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// matched collects thresholds with how specific the name was that each comes
// from.
type matched struct {
	all   []threshold
	ranks []int // of all
	wild  bool
}

// exactly is the rank of a name without wildcards. That of any other is the
// length of its text without them.
const exactly = 1 << 30

func (m *matched) add(pattern string, names []string, thresholds []threshold) {
	rank := exactly
	if !slices.Contains(names, pattern) {
		rank, m.wild = len(strings.ReplaceAll(pattern, catalog.Wildcard, "")), true
	}
	for _, name := range names {
		for _, e := range thresholds {
			e.Algorithm = name
			m.all, m.ranks = append(m.all, e), append(m.ranks, rank)
		}
	}
}

// list returns the thresholds in the order of the file; with wildcards, in the
// order of the algorithms. For each metric of an algorithm only those of the most
// specific name hold.
func (m *matched) list(known []string) []threshold {
	if !m.wild {
		return m.all
	}
	best, order := map[figure]int{}, map[figure]int{}
	for i, e := range m.all {
		f := figure{e.Algorithm, e.Metric}
		best[f] = max(best[f], m.ranks[i])
		if _, seen := order[f]; !seen {
			order[f] = i
		}
	}
	var list []threshold
	for i, e := range m.all {
		if m.ranks[i] == best[figure{e.Algorithm, e.Metric}] {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b threshold) int {
		return cmp.Or(
			cmp.Compare(slices.Index(known, a.Algorithm), slices.Index(known, b.Algorithm)),
			cmp.Compare(order[figure{a.Algorithm, a.Metric}], order[figure{b.Algorithm, b.Metric}]))
	})
	return list
}
