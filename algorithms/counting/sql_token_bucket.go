package counting

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var sqlTokenBucketKind = kind{
	loose:    true,
	entry:    sql.CounterEntry(),
	keyBytes: 16,
	make: func(limit Limit, v catalog.Values, keys int) (any, error) {
		rule, err := sql.Configure(limit.Count, limit.Window, limit.Burst, v)
		if err != nil {
			return nil, err
		}
		return NewSQLTokenBuckets(rule, keys), nil
	},
	changing: changingSQLTokenBuckets,
	worst:    worstSQLTokenBucket,
}

// Transactional is a table whose calls can happen inside longer transactions,
// for example in one that has waited for a row lock.
type Transactional interface {
	Table
	// TakeIn is Take in a transaction that began at start.
	TakeIn(key int32, start, now, cost int64) Verdict
	// RefusalWrites reports whether a rejection changes the row.
	RefusalWrites() bool
}

// Inside returns the Transactional view of a table, or nil if the table does not
// depend on the start of a transaction.
func Inside(t Table) Transactional {
	changing, ok := t.(*changingTable)
	if !ok {
		inside, _ := t.(Transactional)
		return inside
	}
	if inside, ok := changing.counter.(Transactional); ok {
		return changingTransactional{changing, inside}
	}
	return nil
}

type changingTransactional struct {
	*changingTable
	inside Transactional
}

func (t changingTransactional) TakeIn(key int32, start, now, cost int64) Verdict {
	t.until(now)
	return t.inside.TakeIn(key, start, now, cost)
}

func (t changingTransactional) RefusalWrites() bool { return t.inside.RefusalWrites() }

// SQLTokenBuckets is a table of SQL rows. It takes 16 bytes per key. Unlike other
// tables it uses an earlier now as it is, like a database whose clock has been
// set back.
type SQLTokenBuckets struct {
	Rule sql.Rule  // holds for the calls from now on
	Rows []sql.Row // by key
}

var _ Transactional = (*SQLTokenBuckets)(nil)

// NewSQLTokenBuckets returns a table for keys 0 to keys-1 without rows.
func NewSQLTokenBuckets(rule sql.Rule, keys int) *SQLTokenBuckets {
	return &SQLTokenBuckets{Rule: rule, Rows: slices.Repeat([]sql.Row{sql.Absent}, keys)}
}

// TakeBlock decides the requests of a block in order.
func (t *SQLTokenBuckets) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	for i := range verdicts {
		now := times[i]
		_, admitted := t.Rule.Call(&t.Rows[keys[i]], now, now, costs[i])
		verdicts[i] = MakeVerdict(admitted, ByLimiter)
	}
}

// Take decides one request.
func (t *SQLTokenBuckets) Take(key int32, now, cost int64) Verdict {
	return t.TakeIn(key, now, now, cost)
}

func (t *SQLTokenBuckets) TakeIn(key int32, start, now, cost int64) Verdict {
	_, admitted := t.Rule.Call(&t.Rows[key], start, now, cost)
	return MakeVerdict(admitted, ByLimiter)
}

func (t *SQLTokenBuckets) RefusalWrites() bool { return t.Rule.RefusalWrites() }

// Level returns the largest cost that would be admitted: the tokens that the
// UPDATE would find, and one more after a long idle period.
func (t *SQLTokenBuckets) Level(key int32, now int64) int64 { return t.Rule.Tokens(t.Rows[key], now) }

// RetryAt returns the earliest time at which this cost would be admitted, or Never.
func (t *SQLTokenBuckets) RetryAt(key int32, now, cost int64) int64 {
	return t.Rule.RetryAt(t.Rows[key], now, cost)
}

// State returns the key's state as named numbers.
func (t *SQLTokenBuckets) State(key int32) []StateField {
	row := t.Rows[key]
	return []StateField{
		{"level_units", row.Level},
		{"units_per_token", t.Rule.Unit()},
		{"depth_tokens", t.Rule.Depth()},
		{"stamp_ns", row.Stamp},
	}
}

// changingSQLTokenBuckets changes the parameters of the calls. Rows stay as they
// are; the next call credits all the time since their stamp at the new refill.
func changingSQLTokenBuckets(t any, limits []Limit, v catalog.Values) (setLimit, error) {
	rules := make([]sql.Rule, len(limits))
	for i, l := range limits {
		var err error
		if rules[i], err = sql.Configure(l.Count, l.Window, l.Burst, v); err != nil {
			return nil, err
		}
	}
	return func(i int, _ int64) { t.(*SQLTokenBuckets).Rule = rules[i] }, sql.Share(rules)
}
