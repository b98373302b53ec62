package counting

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// A referenceModel is one key's limiter, written from its definition without
// optimization. It keeps every request in a list or computes with big
// fractions.
type referenceModel interface {
	take(now, cost int64) bool
	// correct changes what the request at the time taken was charged; see Table.
	correct(now, taken, tokens int64, debt bool)
	// change puts the model under another limit; see NewChanging.
	change(now int64, limit Limit)
}

// referenceModels makes the reference model of each counter that decides at
// once. The test file of a counter may add its own in an init function.
var referenceModels = map[string]func(v variant, limit Limit) referenceModel{
	"fixed-window": func(v variant, limit Limit) referenceModel {
		return &listModel{limit: limit, rejected: v.options.Bool("count_rejected"), used: usedInCalendarWindow}
	},
	"sliding-window-log": func(v variant, limit Limit) referenceModel {
		return &listModel{limit: limit, rejected: v.options.Bool("count_rejected"), used: usedInSlidingWindow, log: true}
	},
	"sliding-window-counter": func(v variant, limit Limit) referenceModel {
		return &listModel{limit: limit, rejected: v.options.Bool("count_rejected"), used: usedByEstimate}
	},
	"token-bucket": func(v variant, limit Limit) referenceModel {
		initial := big.NewRat(limit.Burst, 1)
		if n, word := v.options.IntOr("initial"); word == "empty" || word == "" {
			initial = big.NewRat(n, 1)
		}
		return &bucketModel{limit: limit, level: initial, debt: v.options.Bool("debt")}
	},
	"gcra": func(_ variant, limit Limit) referenceModel {
		return &gcraModel{limit: limit, tat: new(big.Rat)}
	},
	"sampled-average": func(v variant, limit Limit) referenceModel {
		return &averageModel{limit: limit, options: optionsOf[SampledAverageOptions](limit, v.options)}
	},
	"timer-bucket": func(v variant, limit Limit) referenceModel {
		interval, perFill := limit.Window, rat(limit.Count)
		if v.options.Set("fill_interval") {
			interval = v.options.Duration("fill_interval")
			perFill = rat(ceil(tokens(limit, interval)))
		}
		if v.options.Set("tokens_per_fill") {
			perFill = rat(v.options.Int("tokens_per_fill"))
		}
		return &timerModel{limit: limit, interval: interval, perFill: perFill, level: rat(limit.Burst)}
	},
	"sql-token-bucket": func(v variant, limit Limit) referenceModel {
		return &rowModel{limit: limit, options: v.options, clock: v.options.Duration("clock")}
	},
}

func newReferenceModel(t *rapid.T, v variant, limit Limit) referenceModel {
	model := referenceModels[v.counter]
	if model == nil {
		t.Skip("TestEveryCounterHasAReferenceModel names it")
	}
	v.options = catalog.WithDefaults(catalog.Find(Entries(), v.counter).Fields, v.options)
	if v.options.Set("burst") {
		limit.Burst = v.options.Int("burst")
	}
	if v.options.Set("block") {
		return &blockedModel{make: func(limit Limit) referenceModel { return model(v, limit) }, time: v.options.Duration("block"), limit: limit, inner: model(v, limit)}
	}
	return model(v, limit)
}

// TestEveryCounterHasAReferenceModel checks that each counter that decides at once is
// compared with a naive implementation.
func TestEveryCounterHasAReferenceModel(t *testing.T) {
	for _, name := range Deciding() {
		if referenceModels[name] == nil {
			t.Errorf("counter %s has no reference model: add one to referenceModels in an init function of its test file", name)
		}
	}
}

type counted struct{ at, cost int64 }

// listModel keeps all counted requests and adds them up for each decision.
type listModel struct {
	limit    Limit
	rejected bool
	used     func(list []counted, now, width int64) *big.Rat
	list     []counted
	last     int64
	log      bool                         // each instant counts by itself
	same     func(x, y, width int64) bool // whether two instants count together; nil: as calendar windows do
}

func (w *listModel) take(now, cost int64) bool {
	w.last = max(w.last, now)
	sum := new(big.Rat).Add(w.used(w.list, w.last, w.limit.Window), rat(cost))
	admitted := cost == 0 || sum.Cmp(rat(w.limit.Count)) <= 0
	if admitted || w.rejected {
		w.list = append(w.list, counted{w.last, cost})
	}
	return admitted
}

func usedInCalendarWindow(list []counted, now, width int64) *big.Rat {
	return sumWhere(list, func(at int64) bool { return at/width == now/width })
}

func usedInSlidingWindow(list []counted, now, width int64) *big.Rat {
	return sumWhere(list, func(at int64) bool { return at > now-width })
}

func usedByEstimate(list []counted, now, width int64) *big.Rat {
	current := sumWhere(list, func(at int64) bool { return at/width == now/width })
	previous := sumWhere(list, func(at int64) bool { return at/width == now/width-1 })
	previous.Mul(previous, big.NewRat(width-now%width, width))
	return current.Add(current, previous)
}

func sumWhere(list []counted, in func(at int64) bool) *big.Rat {
	sum := new(big.Rat)
	for _, c := range list {
		if in(c.at) {
			sum.Add(sum, rat(c.cost))
		}
	}
	// Counts stop at the largest int64.
	if most := rat(math.MaxInt64); sum.Cmp(most) > 0 {
		return most
	}
	return sum
}

// bucketModel holds its level in tokens as a fraction.
type bucketModel struct {
	limit Limit
	level *big.Rat
	debt  bool
	seen  bool
	last  int64
}

func (b *bucketModel) take(now, cost int64) bool {
	if !b.seen {
		b.seen, b.last = true, now
	}
	now = max(now, b.last)
	b.level.Add(b.level, tokens(b.limit, now-b.last))
	if full := rat(b.limit.Burst); b.level.Cmp(full) > 0 {
		b.level = full
	}
	b.last = now
	_, p := b.limit.Rate()
	need := rat(cost)
	switch {
	case cost == 0:
		return true
	case b.debt && (b.level.Sign() < 0 || cost > (1<<61)/p):
		return false
	case !b.debt && b.level.Cmp(need) < 0:
		return false
	}
	b.level.Sub(b.level, need)
	return true
}

// gcraModel holds its theoretical arrival time in nanoseconds as a fraction.
type gcraModel struct {
	limit Limit
	tat   *big.Rat
	last  int64
}

func (g *gcraModel) take(now, cost int64) bool {
	g.last = max(g.last, now)
	interval := big.NewRat(g.limit.Window, g.limit.Count)
	tat := rat(g.last)
	if g.tat.Cmp(tat) > 0 {
		tat.Set(g.tat)
	}
	tat.Add(tat, new(big.Rat).Mul(interval, rat(cost)))
	latest := new(big.Rat).Mul(interval, rat(g.limit.Burst))
	latest.Add(latest, rat(g.last))
	if cost > 0 && tat.Cmp(latest) > 0 {
		return false
	}
	g.tat = tat
	return true
}

// timerModel adds the fills between two requests.
type timerModel struct {
	limit          Limit
	interval       int64
	perFill, level *big.Rat
	last           int64
}

func (b *timerModel) take(now, cost int64) bool {
	if now > b.last {
		fills := rat(now/b.interval - b.last/b.interval)
		b.level.Add(b.level, fills.Mul(fills, b.perFill))
		if full := rat(b.limit.Burst); b.level.Cmp(full) > 0 {
			b.level.Set(full)
		}
		b.last = now
	}
	if cost > 0 && b.level.Cmp(rat(cost)) < 0 {
		return false
	}
	b.level.Sub(b.level, rat(cost))
	return true
}

func rat(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

// tokens returns what the limit grants in a span of ns.
func tokens(limit Limit, ns int64) *big.Rat {
	t := big.NewRat(limit.Count, limit.Window)
	return t.Mul(t, rat(ns))
}

// ceil returns r rounded up.
func ceil(r *big.Rat) int64 {
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	if m.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return q.Int64()
}
