package measure

import "github.com/limitgauge/limitgauge/algorithms/counter"

// Settled is what verdicts that fell at arrival add up to.
type Settled struct {
	Offered, Admitted int64           // cost
	AdmittedAttempts  int64           // attempts
	Seen              counter.Verdict // the bits of all verdicts
}

// Settle writes the cost that each verdict lets through to admitted, and adds
// up. It has no branch on the verdict, because in overload verdicts cannot be
// predicted.
func Settle(costs []int64, verdicts []counter.Verdict, admitted []int64) Settled {
	n := len(verdicts)
	costs, admitted = costs[:n], admitted[:n]
	var s Settled
	for i, v := range verdicts {
		cost, yes := costs[i], int64(v&1)
		in := cost & -yes
		admitted[i] = in
		s.Offered += cost
		s.Admitted += in
		s.AdmittedAttempts += yes
		s.Seen |= v
	}
	return s
}

// Sums are those of the flow of a block in which nothing waits.
func (s Settled) Sums(reference int64) Sums {
	return Sums{Offered: s.Offered, Admitted: s.Admitted, Rejected: s.Offered - s.Admitted, Reference: reference}
}
