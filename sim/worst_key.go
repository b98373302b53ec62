package sim

import (
	"math"

	"github.com/limitgauge/limitgauge/sim/measure"
)

// worstKey is the worst key of a trial.
type worstKey struct {
	name string // "" if no key is over its limit
	measure.WorstKey
}

// worst returns the worst key of a finished trial.
func (p *plan) worst(w measure.WorstKey, ok bool) worstKey { return worstKey{p.nameOf(w.Key, ok), w} }

// usualWorst returns the key that is the worst in the most trials, the one of the
// earliest trial if several are, and in how many. It returns "" if no trial has a worst
// key.
func usualWorst(trials []*measured) (worst string, times int) {
	counts := map[string]int{}
	for _, m := range trials {
		if m.worst.name != "" {
			counts[m.worst.name]++
		}
	}
	for _, m := range trials {
		if counts[m.worst.name] > counts[worst] {
			worst = m.worst.name
		}
	}
	return worst, counts[worst]
}

// namedWorst returns the worst key of a row if it is so by more than chance, otherwise "".
// Either it is the worst so often that any of equal keys would be in 1 % of the cases at
// most. Or it is the worst in every trial, and in each so far over its limit that equal
// keys would be in 1 % of the cases at most. Where it is not known what equal keys would
// give, a key of a row without random draws is named.
func (r row) namedWorst(trials []*measured) string {
	worst, times := usualWorst(trials)
	if worst == "" {
		return ""
	}
	always, among := times == len(trials), max(1, trials[0].worst.Among)
	for _, m := range trials {
		among = max(1, min(among, m.worst.Among))
		equal := m.worst.Equal
		always = always && equal <= rarely && (equal >= 0 || !r.random)
	}
	if always || float64(among)*atLeast(times, len(trials), 1/float64(among)) <= rarely {
		return worst
	}
	return ""
}

// rarely is the probability with which a key is named by chance.
const rarely = 0.01

// atLeast returns the probability of k or more of n independent events of probability p.
func atLeast(k, n int, p float64) float64 {
	term, sum := 1.0, 0.0 // of exactly i events, without (1-p)^(n-i)
	for i := range n + 1 {
		if i >= k {
			sum += term * math.Pow(1-p, float64(n-i))
		}
		term *= float64(n-i) / float64(i+1) * p
	}
	return sum
}
