package measure

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func init() {
	referenceModels = append(referenceModels, (*world).referenceOverspend, (*world).referenceRefusedFitting, (*world).referenceStranded)
}

// settled is a trial of one key whose costs become known with the answer.
func settled(kind Kind, limit, window, burst, end int64) Config {
	c := plain(limit, window, burst, end)
	c.Settles, c.Kind, c.LargestCost = true, kind, 1
	c.Exact = exactCounter(&c.Policy, 1)
	return c
}

// A limit of 1000 a minute and one answer of 1200 tokens: 200 are over, and nothing
// fits until the window ends.
func TestOneLargeAnswer(t *testing.T) {
	const s = int64(1e9)
	for _, test := range []struct {
		kind    Kind
		name    string
		fitting float64 // of rejections of 10 tokens at 1, 59, 60, 61 and 75 s
	}{
		{FixedWindow, "fixed window", 3},
		{SlidingLog, "sliding log", 3},
		{TokenBucket, "token bucket", 4}, // of 1000: the debt of 200 is paid after 12 s
	} {
		v := measureRows(t, settled(test.kind, 1000, 60*s, 1000, 120*s),
			row{time: 0, offered: 1200, admitted: 1200},
			row{time: 1 * s, offered: 10, rejected: 10},
			row{time: 59 * s, offered: 10, rejected: 10},
			row{time: 60 * s, offered: 10, rejected: 10},
			row{time: 61 * s, offered: 10, rejected: 10},
			row{time: 75 * s, offered: 10, rejected: 10})
		for name, want := range map[string]float64{
			"overspend_cost": 200, "overspend_requests": 1, "overspend_window_max": 200, "overspend_pct": 100.0 * 200 / 1200,
			"refused_fitting_requests": test.fitting, "refused_fitting_cost": 10 * test.fitting, "refused_fitting_pct": 1000 * test.fitting / 1250,
		} {
			if v[name].NoData != "" || math.Abs(v[name].X-want) > 1e-9 {
				t.Errorf("%s: %s is %+v, want %v", test.name, name, v[name], want)
			}
		}
	}
}

// Overspend counts only what is admitted in the span, after what the window held
// before it; each request by the part for which there was no room.
func TestOverspendParts(t *testing.T) {
	c := settled(FixedWindow, 10, 100, 10, 300)
	c.Start, c.Keys = 50, 2
	c.Exact = exactCounter(&c.Policy, 2)
	r := NewRecorder(c)
	r.Flow(flow([]row{
		{time: 10, offered: 8, admitted: 8},
		{time: 20, offered: 5, admitted: 5}, // 3 over, before the span
		{time: 60, offered: 4, admitted: 4}, // 4 over
		{time: 99, key: 1, offered: 10, admitted: 10},
		{time: 100, offered: 7, admitted: 7},
		{time: 150, offered: 7, admitted: 7}, // 4 over
		{time: 199, offered: 2, admitted: 2}, // 2 over
		{time: 299, key: 1, offered: 11, admitted: 11},
	}))
	r.Close(300)
	v := values(t, r)
	for name, want := range map[string]float64{"overspend_cost": 11, "overspend_requests": 4, "overspend_window_max": 6, "overspend_pct": 100.0 * 11 / 41} {
		if math.Abs(v[name].X-want) > 1e-9 {
			t.Errorf("%s is %+v, want %v", name, v[name], want)
		}
	}
	sum := int64(0)
	for _, n := range r.Series().Overspend {
		sum += n
	}
	if s := r.Series(); sum != 11 || s.Overspend[10] != 4 || s.Stranded != nil {
		t.Errorf("series of overspend %v, stranded %v", s.Overspend, s.Stranded)
	}
}

// Without settlement there are no such figures, and no meter receives the flow.
func TestKnownOnArrival(t *testing.T) {
	v := measureRows(t, plain(1, 10, 1, 20), row{time: 1, offered: 5, admitted: 5})
	for _, name := range []string{"overspend_cost", "overspend_pct", "refused_fitting_requests", "stranded_cost_mean"} {
		if v[name].NoData != "costs are known on arrival" {
			t.Errorf("%s is %+v", name, v[name])
		}
	}
	r := NewRecorder(plain(1, 10, 1, 20))
	with := NewRecorder(settled(TokenBucket, 1, 10, 1, 20))
	if len(with.flows) != len(r.flows)+2 || r.Series().Overspend != nil {
		t.Errorf("%d meters of the flow with settlement, %d without", len(with.flows), len(r.flows))
	}
}

// A reservation of 5000 for a cost of 1500 strands 3500 while it is held.
func TestStrandedSeries(t *testing.T) {
	c := settled(FixedWindow, 10, 100, 10, 1200) // bins of 2
	r := NewRecorder(c)
	s := r.Settlement()
	s.Reserve(101, 5000, 1500)
	s.Reserve(102, 100, 400) // below its cost
	s.Release(104, 100, 400)
	s.Release(107, 5000, 1500)
	r.Close(1200)
	if got, want := r.Series().Stranded[49:55], []int64{0, 1750, 3500, 3500, 1750, 0}; !slices.Equal(got, want) {
		t.Errorf("stranded in each bin %v, want %v", got, want)
	}
	v := values(t, r)
	if got, want := v["stranded_cost_mean"].X, 3500*6.0/1200; math.Abs(got-want) > 1e-9 {
		t.Errorf("stranded_cost_mean %v, want %v", got, want)
	}
	if v["stranded_cost_max"].X != 3500 || v["stranded_requests_max"].X != 1 {
		t.Errorf("largest %+v, requests %+v", v["stranded_cost_max"], v["stranded_requests_max"])
	}
}

// TestStrandedBins compares the series with its definition, in each bin.
func TestStrandedBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		s := w.play(7).Series()
		if len(w.reserved) == 0 {
			if s.Stranded != nil {
				t.Fatalf("stranded %v without reservations", s.Stranded)
			}
			return
		}
		for i, got := range s.Stranded {
			from := s.StartNs + int64(i)*s.BinNs
			to := min(from+s.BinNs, w.cfg.End)
			want := new(big.Rat).Add(w.strandedArea(from, to, 1), rat((to-from)/2, 1))
			want.Quo(want, rat(to-from, 1))
			if floor := new(big.Int).Div(want.Num(), want.Denom()); floor.Int64() != got {
				t.Fatalf("bin %d: %d, want %v", i, got, floor)
			}
		}
	})
}

// strandedArea returns the integral of what is stranded between two instants: of the
// cost, or of the number of requests.
func (w *world) strandedArea(from, to, cost int64) *big.Rat {
	sum := new(big.Rat)
	for _, h := range w.reserved {
		over := max(0, h.held-h.cost)
		if cost == 0 {
			over = min(over, 1)
		}
		if ns := min(h.to, to) - max(h.from, from); ns > 0 {
			sum.Add(sum, new(big.Rat).Mul(rat(over, 1), rat(ns, 1)))
		}
	}
	return sum
}

func (w *world) referenceStranded(fig map[string]float64) {
	if len(w.reserved) == 0 {
		return
	}
	c := w.cfg
	for name, cost := range map[string]int64{"stranded_cost": 1, "stranded_requests": 0} {
		mean := new(big.Rat).Quo(w.strandedArea(c.Start, c.End, cost), rat(c.End-c.Start, 1))
		largest := rat(0, 1)
		for at := c.Start / tick * tick; at < c.End; at += tick { // it changes at multiples of tick
			if x := w.strandedArea(at, at+1, cost); x.Cmp(largest) > 0 {
				largest = x
			}
		}
		fig[name+"_mean"], fig[name+"_max"] = asFloat(mean), asFloat(largest)
	}
}
