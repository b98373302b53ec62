package measure

import "github.com/limitgauge/limitgauge/algorithms/counting"

// Settled holds the sums of attempts that were decided on arrival.
type Settled struct {
	Offered, Admitted int64            // cost
	AdmittedAttempts  int64            // their number
	Seen              counting.Verdict // the bits of all verdicts
}

// Settle writes the cost that each verdict admits to admitted and returns the
// sums. It has no branch on the verdict, because verdicts cannot be predicted
// in overload.
func Settle(costs []int64, verdicts []counting.Verdict, admitted []int64) Settled {
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

// Sums returns the sums of the flow of a block in which nothing waits.
// reference is the cost that the reference admits.
func (s Settled) Sums(reference int64) Sums {
	return Sums{Offered: s.Offered, Admitted: s.Admitted, Rejected: s.Offered - s.Admitted, Reference: reference, AdmittedAttempts: s.AdmittedAttempts}
}
