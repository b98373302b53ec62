package engine

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// The guarded backend is an M/G/c queue, first in, first out: the server that
// is free first serves each request, not before the request's arrival.
func TestGuardAgainstServerTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := scenarios.Guard{
			Concurrency: rapid.Int64Range(1, 4).Draw(t, "concurrency"),
			ServiceTime: catalog.Choice{Name: "constant", Values: catalog.Values{"time": {V: rapid.Int64Range(0, 30).Draw(t, "time")}}},
			Queue:       rapid.SampledFrom([]int64{0, 1, 3, 1 << 40}).Draw(t, "queue"),
			Deadline:    rapid.Int64Range(0, 60).Draw(t, "deadline"),
			Slow:        []scenarios.SlowPeriod{{From: 20, To: 90, Factor: 4}, {From: 150, To: 151, Factor: 9}},
		}
		if rapid.Bool().Draw(t, "exponential") {
			config.ServiceTime = catalog.Choice{Name: "exponential", Values: catalog.Values{"mean": {V: int64(12)}}}
		}
		recorder := measure.NewRecorder(measure.Config{Policy: measure.Policy{Limit: 1, Window: 1, Burst: 1}, End: 1 << 40, Keys: 1, Tenants: 1, Clients: 1, Guarded: true, Deadline: config.Deadline, Refuses: true, Full: true})
		stream := random.New(rapid.Uint64().Draw(t, "seed"), 0, "guard")
		service := NewGuard(&config, recorder.Guard(), stream).service // its own copy of the draws
		g := NewGuard(&config, recorder.Guard(), stream)

		type done struct{ at, cost int64 }
		var got []done
		g.completed[0] = func(now int64, _, _ int32, cost int64) { got = append(got, done{now, cost}) }
		var want []done
		free := make([]int64, config.Concurrency)
		sojourn, now, served, good, failed := int64(0), int64(0), int64(0), int64(0), int64(0)
		var starts []int64
		n := rapid.IntRange(1, 60).Draw(t, "requests")
		for i := range n {
			now += rapid.Int64Range(0, 12).Draw(t, "gap")
			g.advance(now)
			number := (int64(i)*7 + 3) % 61 // in another order than that of the arrivals
			g.enter(now, guarded{number: number, arrived: now, cost: int64(i), caller: noWorker})
			slices.Sort(free)
			start := max(now, free[0])
			waiting := int64(0)
			for _, at := range starts {
				if at > now {
					waiting++
				}
			}
			if start > now && waiting >= config.Queue {
				failed++
				want = append(want, done{now, int64(i)})
				continue
			}
			served++
			starts = append(starts, start)
			d := service.Of(number)
			for _, s := range config.Slow {
				if start >= s.From && start < s.To {
					d *= s.Factor
				}
			}
			free[0] = start + d
			want = append(want, done{start + d, int64(i)})
			sojourn += start + d - now
			if start+d-now <= config.Deadline {
				good++
			}
		}
		g.advance(Never - 1)
		// Requests that end at the same instant complete in the order in which
		// their service started.
		slices.SortStableFunc(want, func(a, b done) int { return int(a.at - b.at) })
		if !slices.Equal(got, want) {
			t.Fatalf("completions\n%v, want\n%v", got, want)
		}
		if g.inflight() != 0 {
			t.Fatalf("%d requests left in the backend", g.inflight())
		}
		recorder.Close(1 << 40)
		for _, f := range recorder.Figures() {
			if f.Name == "failed_answers" && f.Value.X != float64(failed) || f.Name == "good_answers" && config.Deadline > 0 && f.Value.X != float64(good) {
				t.Fatalf("%s %v, want %d failed and %d good", f.Name, f.Value.X, failed, good)
			}
			if mean := float64(sojourn) / float64(served) / 1e6; f.Name == "guard_latency_mean_ms" && (f.Value.X < mean*(1-1e-12) || f.Value.X > mean*(1+1e-12)) {
				t.Fatalf("mean latency %v ms, want %v", f.Value.X, mean)
			}
		}
	})
}
