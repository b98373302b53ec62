package conformance

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// oneKey decides the requests of one key.
type oneKey func(now, cost int64) bool

// mutant is a limiter that is wrong in one place.
type mutant struct {
	name    string
	key     func(p Policy) oneKey
	see     func(c *Call) // changes a call before it is decided
	forgets int           // the number of keys at which all are forgotten, or 0
}

type mutated struct {
	mutant
	policy Policy
	keys   map[string]oneKey
}

func (m mutant) make(p Policy) (outside.Fleet, error) {
	return &mutated{m, p, map[string]oneKey{}}, nil
}

func (l *mutated) Decide(calls []Call, answers []outside.Answer) error {
	for i, c := range calls {
		if l.see != nil {
			l.see(&c)
		}
		if l.keys[c.Key] == nil {
			if l.forgets > 0 && len(l.keys) == l.forgets {
				clear(l.keys)
			}
			l.keys[c.Key] = l.key(l.policy)
		}
		answers[i].Admit = l.keys[c.Key](c.AtNs, c.Cost)
	}
	return nil
}

func (l *mutated) Close() error { return nil }

// inCalls are mistakes that any limiter can make before it decides. right decides
// exactly.
func inCalls(right func(p Policy) oneKey) []mutant {
	return []mutant{
		{name: "ignores the cost", key: right, see: func(c *Call) { c.Cost = min(c.Cost, 1) }},
		{name: "takes 1 for a cost of 0", key: right, see: func(c *Call) { c.Cost = max(c.Cost, 1) }},
		{name: "keeps 32 bits of the cost", key: right, see: func(c *Call) { c.Cost = int64(uint32(c.Cost)) }},
		{name: "keeps milliseconds", key: right, see: func(c *Call) { c.AtNs -= c.AtNs % 1e6 }},
		{name: "keeps microseconds", key: right, see: func(c *Call) { c.AtNs -= c.AtNs % 1e3 }},
		{name: "keeps seconds in a float", key: right, see: func(c *Call) { c.AtNs = int64(float64(c.AtNs) / 1e9 * 1e9) }},
		{name: "ignores the case of keys", key: right, see: func(c *Call) { c.Key = strings.ToLower(c.Key) }},
		{name: "trims keys", key: right, see: func(c *Call) { c.Key = strings.TrimSpace(c.Key) }},
		{name: "cuts keys", key: right, see: func(c *Call) { c.Key = c.Key[:min(len(c.Key), 256)] }},
		{name: "composes letters of keys", key: right, see: func(c *Call) { c.Key = norm.NFC.String(c.Key) }},
		{name: "ends keys at a zero", key: right, see: func(c *Call) { c.Key, _, _ = strings.Cut(c.Key, "\x00") }},
	}
}

// verdictsOnPoisson returns the verdicts of a limiter on Poisson traffic at 1.1 times
// its limit.
func verdictsOnPoisson(t *testing.T, maker Maker) []bool {
	t.Helper()
	p := Policy{Count: 100, Window: second, Burst: 20}
	r, scale := random.New(1, 0, "poisson"), random.NewScale(10*p.Window, 11*p.Count)
	calls := make([]Call, 20_000)
	at, fraction := int64(0), uint64(0)
	for i := range calls {
		at, fraction = scale.Advance(at, fraction, r.Exponential())
		calls[i] = Call{AtNs: at, Key: "a", Cost: 1}
	}
	admitted, err := (&check{maker: maker}).ask(p, calls)
	if err != nil {
		t.Fatal(err)
	}
	return admitted
}

// killAll fails the test unless every mutant is found, right is not, there are at least
// 20 mutants, and at least ten of them are rare: they change fewer than 1 in 1,000
// verdicts on Poisson traffic.
func killAll(t *testing.T, as string, right func(p Policy) oneKey, mutants []mutant) {
	t.Helper()
	o := Options{Seed: 1, Sessions: 20, Backwards: true}
	expectConforms(t, as, mutant{key: right}.make, o)
	exact := verdictsOnPoisson(t, mutant{key: right}.make)
	all, rare := append(inCalls(right), mutants...), 0
	for _, m := range all {
		changed := 0
		for i, admitted := range verdictsOnPoisson(t, m.make) {
			if admitted != exact[i] {
				changed++
			}
		}
		if changed*1000 < len(exact) {
			rare++
		}
		r, err := Check(t.Context(), as, m.make, o)
		if err == nil && r.Difference == nil {
			r.Difference = r.Overflow
		}
		if err != nil || r.Difference == nil {
			t.Errorf("%s that %s conforms (%v); it changes %d of %d verdicts", as, m.name, err, changed, len(exact))
			continue
		}
		t.Logf("%-60s changes %5d verdicts; found by %q in %d calls", m.name, changed, r.Difference.Session, len(r.Difference.Calls))
	}
	if len(all) < 20 || rare < 10 {
		t.Errorf("%s has %d mutants, %d of them rare: want 20 and 10", as, len(all), rare)
	}
}
