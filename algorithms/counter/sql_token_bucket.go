package counter

import (
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var sqlTokenBucketKind = kind{
	entry: sql.CounterEntry(),
	table: func(limit Limit, v catalog.Values, keys int) (Table, error) {
		rule, err := sql.Configure(limit.Count, limit.Window, limit.Burst, v)
		if err != nil {
			return nil, err
		}
		return NewSQLTokenBuckets(rule, keys), nil
	},
	changing: changingSQLTokenBuckets,
}

// Transactional is a table whose calls may happen inside longer transactions:
// one that has waited for a row lock, say.
type Transactional interface {
	Table
	// TakeIn is Take in a transaction that began at start.
	TakeIn(key int32, start, now, cost int64) Verdict
	// RefusalWrites reports whether a refusal changes the row.
	RefusalWrites() bool
}

// Inside is a table as calls inside transactions see it; nil where a table does
// not care when those began.
func Inside(t Table) Transactional {
	changing, ok := t.(*changingTable)
	if !ok {
		inside, _ := t.(Transactional)
		return inside
	}
	if inside, ok := changing.Table.(Transactional); ok {
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

// SQLTokenBuckets is a table of sql rows, 16 bytes a key. Unlike other
// tables it takes an earlier now as it comes, as a database does whose clock
// has been set back.
type SQLTokenBuckets struct {
	rule sql.Rule
	rows []sql.Row
}

var _ Transactional = (*SQLTokenBuckets)(nil)

// NewSQLTokenBuckets makes a table of keys without rows.
func NewSQLTokenBuckets(rule sql.Rule, keys int) *SQLTokenBuckets {
	t := &SQLTokenBuckets{rule: rule, rows: make([]sql.Row, keys)}
	for i := range t.rows {
		t.rows[i] = sql.Absent
	}
	return t
}

func (t *SQLTokenBuckets) TakeBlock(keys []int32, times, costs []int64, verdicts []Verdict) {
	for i := range verdicts {
		now := times[i]
		_, admitted := t.rule.Call(&t.rows[keys[i]], now, now, costs[i])
		verdicts[i] = MakeVerdict(admitted, ByLimiter)
	}
}

func (t *SQLTokenBuckets) Take(key int32, now, cost int64) Verdict {
	return t.TakeIn(key, now, now, cost)
}

func (t *SQLTokenBuckets) TakeIn(key int32, start, now, cost int64) Verdict {
	_, admitted := t.rule.Call(&t.rows[key], start, now, cost)
	return MakeVerdict(admitted, ByLimiter)
}

func (t *SQLTokenBuckets) RefusalWrites() bool { return t.rule.RefusalWrites() }

// Level is the largest cost that would be admitted, which is what tokens the
// UPDATE would find, and one more after a long idle spell.
func (t *SQLTokenBuckets) Level(key int32, now int64) int64 { return t.rule.Tokens(t.rows[key], now) }

func (t *SQLTokenBuckets) RetryAt(key int32, now, cost int64) int64 {
	return t.rule.RetryAt(t.rows[key], now, cost)
}

func (t *SQLTokenBuckets) State(key int32) []StateField { return SQLState(&t.rule, t.rows[key]) }

// SQLState is a row's state by name.
func SQLState(rule *sql.Rule, row sql.Row) []StateField {
	return []StateField{
		{"level_units", row.Level},
		{"units_per_token", rule.Unit()},
		{"depth_tokens", rule.Depth()},
		{"stamp_ns", row.Stamp},
	}
}

// changingSQLTokenBuckets changes what calls bring along: rows stay as they are,
// and the next call credits all the time since their stamp at its own refill.
func changingSQLTokenBuckets(t any, limits []Limit, v catalog.Values) (setLimit, error) {
	rules := make([]sql.Rule, len(limits))
	for i, l := range limits {
		var err error
		if rules[i], err = sql.Configure(l.Count, l.Window, l.Burst, v); err != nil {
			return nil, err
		}
	}
	table := t.(*SQLTokenBuckets)
	return func(l Limit, _ int64) {
		for i := range limits {
			if limits[i] == l {
				table.rule = rules[i]
			}
		}
	}, sql.Share(rules)
}
