package measure

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var conflictMetrics = []catalog.Metric{
	{Name: "first_try_pct", Unit: "%", Most: 100, Better: +1, Formula: "100 * first tries that commit / first tries", Doc: "Share of calls whose first transaction commits, immediately or after waiting for a lock."},
	{Name: "conflicts_per_call", Unit: "ratio", Better: -1, Formula: "transactions that fail / first tries", Doc: "Transactions per call that fail because another one changed or inserted their row (SQLSTATE 40001 or 23505)."},
	{Name: "tries_per_call", Unit: "ratio", Better: -1, Formula: "transactions / first tries", Doc: "Transactions per call, including retries."},
	{Name: "duplicate_keys", Unit: "conflicts", Better: -1, Formula: "transactions that fail with 23505", Doc: "First calls for a key that fail because another call has inserted its row."},
	{Name: "gave_up_pct", Unit: "%", Most: 100, Better: -1, Formula: "100 * calls whose last retry fails / first tries", Doc: "Share of calls that end without a decision because all their retries failed."},
}

// Conflicts measures transactions that conflict. A transaction counts at the
// time it ends; those that end outside the measured span do not count.
type Conflicts struct {
	r                        *Recorder
	used                     bool
	first, clean             int64 // first tries, and those that committed
	tries, failed, duplicate int64
	gaveUp                   int64
}

func newConflicts(r *Recorder) Reporter {
	r.conflicts = &Conflicts{r: r}
	return r.conflicts
}

// Conflicts returns the meter of transactions.
func (r *Recorder) Conflicts() *Conflicts { return r.conflicts }

// Committed counts a transaction that commits at now. first is true for the
// first try of its call.
func (c *Conflicts) Committed(now int64, first bool) {
	if c.counts(now, first) && first {
		c.clean++
	}
}

// Failed counts a transaction that fails at now. duplicate is true if another
// transaction had inserted its row.
func (c *Conflicts) Failed(now int64, first, duplicate bool) {
	if !c.counts(now, first) {
		return
	}
	c.failed++
	if duplicate {
		c.duplicate++
	}
}

func (c *Conflicts) counts(now int64, first bool) bool {
	c.used = true
	if !c.r.Measures(now) {
		return false
	}
	c.tries++
	if first {
		c.first++
	}
	return true
}

// GaveUp counts a call whose last retry failed at now.
func (c *Conflicts) GaveUp(now int64) {
	if c.r.Measures(now) {
		c.gaveUp++
	}
}

func (c *Conflicts) Figures(emit Emit) string {
	if !c.used {
		return "no transactions"
	}
	if c.first > 0 {
		emit.count("duplicate_keys", c.duplicate)
	}
	emit.ratio("first_try_pct", 100, c.clean, c.first)
	emit.ratio("conflicts_per_call", 1, c.failed, c.first)
	emit.ratio("tries_per_call", 1, c.tries, c.first)
	emit.ratio("gave_up_pct", 100, c.gaveUp, c.first)
	return "no transaction ended in the span"
}
