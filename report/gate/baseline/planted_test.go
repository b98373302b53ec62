package baseline

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/outside"
	"github.com/limitgauge/limitgauge/sim/results"
)

// planted are defects of limiters that draw nothing, each of which reaches about one
// replication in ten. A limiter decides the requests of a trial, at times in ns.
var planted = []struct {
	limiter, defect string
	make            func(p counting.Limit, defect bool) func(at int64) (admit bool, waits int64)
}{
	{"token bucket", "is full after a pause of 28 ms", func(p counting.Limit, defect bool) func(int64) (bool, int64) {
		l, last := exactly("token-bucket", p), int64(0)
		return func(at int64) (bool, int64) {
			if defect && at-last >= 28e6 {
				l = exactly("token-bucket", p)
			}
			last = at
			return l.Take(0, at, 1).Admitted(), 0
		}
	}},
	{"fixed window", "stays full if 13 ms pass before the next request", func(p counting.Limit, defect bool) func(int64) (bool, int64) {
		l, stays := exactly("fixed-window", p), int64(-1)
		return func(at int64) (bool, int64) {
			if defect && at%p.Window > 13e6 && l.Level(0, at) == p.Count {
				stays = at / p.Window
			}
			admit := l.Take(0, at, 1).Admitted()
			return admit && stays != at/p.Window, 0
		}
	}},
	{"sliding log", "keeps one entry of requests within 32 ns", func(p counting.Limit, defect bool) func(int64) (bool, int64) {
		var log []int64
		return func(at int64) (bool, int64) {
			for len(log) > 0 && log[0] <= at-p.Window {
				log = log[1:]
			}
			if int64(len(log)) >= p.Count {
				return false, 0
			}
			if !defect || len(log) == 0 || at-log[len(log)-1] > 32 {
				log = append(log, at)
			}
			return true, 0
		}
	}},
	{"GCRA", "forgets that it was used up, 80 ns before it admits again", func(p counting.Limit, defect bool) func(int64) (bool, int64) {
		l := exactly("gcra", p)
		return func(at int64) (bool, int64) {
			if again := l.RetryAt(0, at, 1); defect && again > at && again <= at+80 {
				l = exactly("gcra", p)
			}
			return l.Take(0, at, 1).Admitted(), 0
		}
	}},
	{"sliding counter", "rejects all of a window if 13 ms pass before its first request", func(p counting.Limit, defect bool) func(int64) (bool, int64) {
		l, last, skipped := exactly("sliding-window-counter", p), int64(0), int64(-1)
		return func(at int64) (bool, int64) {
			if defect && last/p.Window != at/p.Window && at%p.Window > 13e6 {
				skipped = at / p.Window
			}
			last = at
			return l.Take(0, at, 1).Admitted() && at/p.Window != skipped, 0
		}
	}},
	{"leaky bucket", "leaks twice as much in a pause of 28 ms", func(p counting.Limit, defect bool) func(int64) (bool, int64) {
		next, last := int64(0), int64(0)
		return func(at int64) (bool, int64) {
			if defect && at-last >= 28e6 {
				next -= at - last
			}
			last, next = at, max(next, at)
			if next-at > p.Burst*p.Window/p.Count {
				return false, 0
			}
			next += p.Window / p.Count
			return true, next - p.Window/p.Count - at
		}
	}},
}

func exactly(name string, p counting.Limit) counting.Table {
	t, err := counting.New(name, p, nil, 1)
	if err != nil {
		panic(err)
	}
	return t
}

// deciding is a fleet of one limiter.
type deciding func(at int64) (admit bool, waits int64)

func (d deciding) Decide(requests []outside.Request, answers []outside.Answer) error {
	for i, r := range requests {
		answers[i].Admit, answers[i].WaitNs = d(r.AtNs)
	}
	return nil
}

func (deciding) Close() error { return nil }

// TestPlantedDefects checks that a gate of the default ten replications fails whatever few
// of them a defect reaches, and passes without one.
func TestPlantedDefects(t *testing.T) {
	for _, l := range planted {
		scenario := `version: 1
duration: 20s
algorithms:
  mine: {exec: [mine]%s}
scenarios:
  - name: s
    policy: {limit: 300/s, burst: 50}
    traffic: [{pattern: poisson, rate: 395/s}]
    algorithms: [mine]
`
		waits := ""
		if l.limiter == "leaky bucket" {
			waits = ", waits: true"
		}
		scenario = fmt.Sprintf(scenario, waits)
		reached, gates := 0, 0
		for seed := range int64(6) {
			base, now := ofFleet(t, seed+1, scenario, func(p counting.Limit) outside.Fleet { return deciding(l.make(p, false)) }),
				ofFleet(t, seed+1, scenario, func(p counting.Limit) outside.Fleet { return deciding(l.make(p, true)) })
			n := changedReplications(base, now)
			c, err := Compare(base, now, Options{Registry: measure.Metrics()})
			if err != nil {
				t.Fatal(err)
			}
			failed := slices.ContainsFunc(c.Cells, func(c Cell) bool { return c.Algorithm == "mine" && c.Status == gate.Failed })
			if failed != (n > 0) {
				t.Errorf("%s that %s, seed %d: %d replications changed, and the gate fails: %v", l.limiter, l.defect, seed+1, n, failed)
			}
			if reached += n; n > 0 {
				gates++
			}
		}
		t.Logf("%s that %s: %d of 60 replications, %d gates", l.limiter, l.defect, reached, gates)
		if gates < 2 || reached < 3 || reached > 12 {
			t.Errorf("%s that %s: %d of 60 replications changed, in %d gates", l.limiter, l.defect, reached, gates)
		}
	}
}

// changedReplications returns in how many replications a figure of the limiter differs.
func changedReplications(base, now *results.Document) int {
	changed := map[int]bool{}
	for i, row := range base.Results {
		for name, was := range row.Metrics {
			for r, a := range was.Values {
				b := now.Results[i].Metrics[name].Values[r]
				changed[r] = changed[r] || a != nil && b != nil && *a != *b
			}
		}
	}
	return lenWhere(slices.Collect(maps.Values(changed)), func(differs bool) bool { return differs })
}
