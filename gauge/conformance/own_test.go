package conformance

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// own is a limiter that asks one of our counters.
type own struct {
	keys map[string]int32
	take func(key int32, now, cost int64) bool
}

func (l *own) Decide(calls []Call, answers []outside.Answer) error {
	for i, c := range calls {
		key, known := l.keys[c.Key]
		if !known {
			key = int32(len(l.keys))
			l.keys[c.Key] = key
		}
		answers[i].Admit = l.take(key, c.AtNs, c.Cost)
	}
	return nil
}

func (l *own) Close() error { return nil }

// ownMaker returns a maker of limiters that ask the counter, in one table for all keys.
func ownMaker(e *exact) Maker {
	return func(p Policy) (outside.Fleet, error) {
		l := &own{keys: map[string]int32{}}
		if e.queue {
			q, err := counting.NewQueue(e.name, p, e.options, manyKeys)
			l.take = func(key int32, now, cost int64) bool { v, _ := q.Take(key, now, cost); return v.Admitted() }
			return l, err
		}
		t, err := counting.New(e.name, p, nil, manyKeys)
		l.take = func(key int32, now, cost int64) bool { return t.Take(key, now, cost).Admitted() }
		return l, err
	}
}

// Every counter decides like itself.
func TestOurCountersConform(t *testing.T) {
	for _, name := range Counters() {
		e, err := newExact(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		expectConforms(t, name, ownMaker(e), Options{Seed: 1, Sessions: DefaultSessions, Backwards: true})
	}
}

// expectConforms fails the test unless the limiter decides like the counter.
func expectConforms(t *testing.T, as string, maker Maker, o Options) *Report {
	t.Helper()
	r, err := Check(t.Context(), as, maker, o)
	if err != nil {
		t.Fatalf("%s: %v", as, err)
	}
	if r.Difference != nil || r.Sessions < o.Sessions {
		t.Fatal(text(r))
	}
	return r
}

func text(r *Report) string {
	var out strings.Builder
	r.Write(&out)
	return out.String()
}
