package bounds

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/live/exchange"
)

// drawSpans draws a few spans in a short time, so that everything can be tried.
func drawSpans(t *rapid.T, dearest int64) []span {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) span {
		from := rapid.Int64Range(0, 12).Draw(t, "from")
		return span{from, from + rapid.Int64Range(0, 4).Draw(t, "length"), rapid.Int64Range(1, dearest).Draw(t, "cost")}
	}), 2, 6).Draw(t, "spans")
}

func sum(spans []span, holds func(span) bool) (cost int64) {
	for _, s := range spans {
		if holds(s) {
			cost += s.cost
		}
	}
	return cost
}

// Every window is tried.
func TestBusiestWindowIsTheBusiest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans, width := drawSpans(t, 3), rapid.Int64Range(1, 8).Draw(t, "width")
		phase := Phase{EarliestNs: rapid.Int64Range(0, width-1).Draw(t, "earliest")}
		phase.LatestNs = phase.EarliestNs + rapid.Int64Range(0, width-1).Draw(t, "doubt")
		var certified, possible, calendar, mayCalendar int64
		for s := int64(-20); s < 30; s++ {
			certified = max(certified, sum(spans, func(x span) bool { return x.from >= s && x.to < s+width }))
			possible = max(possible, sum(spans, func(x span) bool { return x.from < s+width && x.to >= s }))
			first, last := phase.EarliestNs+s*width, phase.LatestNs+s*width
			calendar = max(calendar, sum(spans, func(x span) bool { return x.from >= last && x.to < first+width }))
			mayCalendar = max(mayCalendar, sum(spans, func(x span) bool { return x.from < last+width && x.to >= first }))
		}
		for _, c := range []struct {
			name  string
			stays []stay
			want  int64
		}{
			{"inside", inside(spans, width), certified},
			{"touching", touching(spans, width), possible},
			{"insideCalendar", insideCalendar(spans, width, phase), calendar},
			{"touchingCalendar", touchingCalendar(spans, width, phase), mayCalendar},
		} {
			if got := busiest(c.stays); got.Cost != c.want {
				t.Errorf("%s: %d, want %d", c.name, got.Cost, c.want)
			}
		}
		least := int64(1000)
		for p := range width {
			held := busiest(insideCalendar(spans, width, Phase{p, p}))
			least = min(least, held.Cost)
		}
		if got := ofAnyPhase(inside(spans, width), width); got.Cost != least {
			t.Errorf("of any phase: %d, want %d", got.Cost, least)
		}
	})
}

// A span of 1 ns is certainly inside a window at all phases but one, at which a window begins
// between its ends. So of any phase, two of them hold the cheaper one, or nothing if they miss
// the same phase.
func TestWindowOfAnyPhaseMissesSpansAcrossIt(t *testing.T) {
	const width = 5
	for a := range int64(2 * width) {
		for b := range int64(2 * width) {
			spans := []span{{a, a + 1, 3}, {b, b + 1, 2}}
			want := Amount{1, 2}
			if a%width == b%width {
				want = Amount{}
			}
			if got := ofAnyPhase(inside(spans, width), width); got != want {
				t.Errorf("spans from %d and %d: %+v, want %+v", a, b, got, want)
			}
		}
	}
}

// Every interval is tried.
func TestExcessIsTheLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans := drawSpans(t, 3)
		rate := slope{rapid.Int64Range(1, 5).Draw(t, "n"), rapid.Int64Range(1, 5).Draw(t, "per")}
		var certified, possible int64 // an empty interval has no excess
		for from := int64(0); from < 20; from++ {
			for to := from; to < 20; to++ {
				certified = max(certified, rate.per*sum(spans, func(x span) bool { return x.from >= from && x.to <= to })-rate.n*(to-from))
				possible = max(possible, rate.per*sum(spans, func(x span) bool { return x.from <= to && x.to >= from })-rate.n*(to-from))
			}
		}
		if got := certifiedExcess(spans, rate); got != certified {
			t.Errorf("certified %d, want %d", got, certified)
		}
		if got := possibleExcess(spans, rate); got != possible {
			t.Errorf("possible %d, want %d", got, possible)
		}
	})
}

// placements calls f with each choice of a time of decision for each span.
func placements(spans []span, times []int64, f func(times []int64)) {
	if len(times) == len(spans) {
		f(times)
		return
	}
	s := spans[len(times)]
	for at := s.from; at <= s.to; at++ {
		placements(spans, append(times, at), f)
	}
}

// admittedBy returns what an exact limiter admits at these times, before the edge. Requests of one
// time are in their order or, if backwards, in the opposite one.
func admittedBy(take func(now, cost int64) counting.Verdict, spans []span, times []int64, backwards bool, edge int64) (cost int64) {
	order := make([]int, len(spans))
	for i := range order {
		order[i] = i
	}
	if backwards {
		slices.Reverse(order)
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(times[a] - times[b]) })
	for _, i := range order {
		if times[i] < edge && take(times[i]+1000, spans[i].cost).Admitted() {
			cost += spans[i].cost
		}
	}
	return cost
}

// Every order of decisions is tried with the counters that the simulator has. For
// requests of cost 1 the lower bound is reached by one of them.
func TestExactLimitersAdmitWithinTheBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dearest := rapid.SampledFrom([]int64{1, 1, 3}).Draw(t, "dearest")
		spans := drawSpans(t, dearest)
		limit := counting.Limit{
			Count:  rapid.Int64Range(dearest, 4).Draw(t, "limit"),
			Window: rapid.Int64Range(1, 8).Draw(t, "window"),
			Burst:  rapid.Int64Range(dearest, 4).Draw(t, "burst"),
		}
		n, per := limit.Rate()
		phase := Phase{EarliestNs: rapid.Int64Range(0, limit.Window-1).Draw(t, "phase")}
		phase.LatestNs = phase.EarliestNs
		r := &record{decided: spans}
		for _, s := range spans {
			r.asked = append(r.asked, &exchange.Exchange{SentNs: s.from, AnsweredNs: s.to, Verdict: exchange.Rejected})
		}
		calendar := calendarShortfall(r, &Settings{Limit: limit}, phase)
		m := int64(0)
		for _, s := range spans {
			m = max(m, s.cost)
		}
		least, most := leastCover(spans, m), mostCover(spans)
		edges := []int64{rapid.Int64Range(1, 8).Draw(t, "edge"), never}
		edges = slices.Insert(edges, 1, edges[0]+rapid.Int64Range(0, 9).Draw(t, "second edge"))
		for _, c := range []struct {
			name        string
			make        func() func(now, cost int64) counting.Verdict
			least, most []int64 // before the edges
		}{
			{"log", func() func(now, cost int64) counting.Verdict {
				l := counting.NewSlidingLog(limit, counting.WindowOptions{})
				return l.Take
			}, least.windows(limit.Count, limit.Window, edges), most.windows(limit.Count, limit.Window, edges)},
			{"bucket", func() func(now, cost int64) counting.Verdict {
				b := counting.NewGCRAs(limit, 1)
				return func(now, cost int64) counting.Verdict { return b.Take(0, now, cost) }
			}, least.bucket(limit.Burst, slope{n, per}, edges), most.bucket(limit.Burst, slope{n, per}, edges)},
			{"calendar", func() func(now, cost int64) counting.Verdict {
				w := counting.NewFixedWindow(limit, counting.WindowOptions{})
				return func(now, cost int64) counting.Verdict {
					return w.Take(now-1000+100*limit.Window-phase.EarliestNs, cost)
				}
			}, []int64{0, 0, calendar.ExactLeast}, []int64{unset, unset, calendar.ExactMost}},
		} {
			for e, edge := range edges {
				low, high := int64(1000), int64(0)
				placements(spans, nil, func(times []int64) {
					for _, backwards := range []bool{false, true} {
						a := admittedBy(c.make(), spans, times, backwards, edge)
						low, high = min(low, a), max(high, a)
					}
				})
				if c.least[e] > low || c.most[e] < high {
					t.Errorf("%s: before %d bounds %d to %d, but %d to %d are admitted", c.name, edge, c.least[e], c.most[e], low, high)
				}
				if m == 1 && c.name != "calendar" && edge == never && c.least[e] != low {
					t.Errorf("%s: at least %d, want %d", c.name, c.least[e], low)
				}
			}
		}
	})
}
