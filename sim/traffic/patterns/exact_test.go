package patterns

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// naiveStage is the reference model of a stage: arrival i is the last nanosecond t at
// which the integral of the rate, r0*t + (r1-r0)*t^2/(2*length), is not above i.
func naiveStage(start, length int64, r0, r1 units.Rate, end int64) []int64 {
	rat := func(r units.Rate) *big.Rat { return big.NewRat(r.Count, r.Per) }
	integral := func(t int64) *big.Rat {
		first := new(big.Rat).Mul(rat(r0), new(big.Rat).SetInt64(t))
		change := new(big.Rat).Sub(rat(r1), rat(r0))
		change.Mul(change, new(big.Rat).SetInt64(t))
		change.Mul(change, new(big.Rat).SetFrac64(t, 2*length))
		return first.Add(first, change)
	}
	var times []int64
	for i := int64(0); integral(length).Cmp(new(big.Rat).SetInt64(i)) > 0; i++ {
		low, high := int64(0), length
		for high-low > 1 {
			mid := (low + high) / 2
			if integral(mid).Cmp(new(big.Rat).SetInt64(i)) > 0 {
				high = mid
			} else {
				low = mid
			}
		}
		if start+low >= end {
			break
		}
		times = append(times, start+low)
	}
	return times
}

func drawRate(t *rapid.T, what string) units.Rate {
	return units.Rate{
		Count: rapid.Int64Range(0, 40).Draw(t, what),
		Per:   rapid.Int64Range(1, 1000).Draw(t, what+" per") * rapid.SampledFrom([]int64{1, 7, 1000}).Draw(t, what+" unit"),
	}
}

func TestStagesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom([]int64{0, 1, 1_700_000_000_123_456_789}).Draw(t, "from")
		length := rapid.Int64Range(0, 3000).Draw(t, "span")
		span := Span{from, from + length}
		var list []any
		var want []int64
		at := from
		for range rapid.IntRange(1, 4).Draw(t, "stages") {
			r0, r1 := drawRate(t, "rate"), drawRate(t, "to")
			stage := rapid.Int64Range(1, 1500).Draw(t, "for")
			v := catalog.Values{"rate": value(r0), "for": value(stage)}
			if rapid.Bool().Draw(t, "steady") {
				r1 = r0
			} else {
				v["to"] = value(r1)
			}
			if r0.Count < 64*r0.Per && r1.Count < 64*r1.Per {
				list = append(list, v)
				want = append(want, naiveStage(at, stage, r0, r1, span.To)...)
				at += stage
			}
		}
		if len(list) == 0 {
			return
		}
		p := build(t, "stages", catalog.Values{"stages": value(list)}, span)
		equal(t, "stages", instants(p, 1, 5, 64), want)
	})
}

// The patterns ramp, step, spike and square equal stages.
func TestShapesAreStages(t *testing.T) {
	a, b := rate(700, second), rate(13, 3*millisecond)
	span := Span{second, 2 * second}
	stage := func(r, to catalog.Value, length int64) catalog.Values {
		v := catalog.Values{"rate": r, "for": value(length)}
		if to.V != nil {
			v["to"] = to
		}
		return v
	}
	steady := catalog.Value{}
	at, length := value(300*millisecond), value(200*millisecond)
	for _, c := range []struct {
		pattern string
		values  catalog.Values
		stages  []any
	}{
		{"step", catalog.Values{"rate": a, "to_rate": b, "at": at},
			[]any{stage(a, steady, 300*millisecond), stage(b, steady, second)}},
		{"spike", catalog.Values{"rate": a, "peak": b, "at": at, "for": length},
			[]any{stage(a, steady, 300*millisecond), stage(b, steady, 200*millisecond), stage(a, steady, second)}},
		{"ramp", catalog.Values{"rate": a, "to_rate": b, "at": at, "for": length},
			[]any{stage(a, steady, 300*millisecond), stage(a, b, 200*millisecond), stage(b, steady, second)}},
		{"ramp", catalog.Values{"rate": b, "to_rate": a},
			[]any{stage(b, a, second)}},
		{"square", catalog.Values{"high": a, "low": b, "high_for": at, "low_for": length},
			[]any{stage(a, steady, 300*millisecond), stage(b, steady, 200*millisecond), stage(a, steady, 300*millisecond), stage(b, steady, 200*millisecond)}},
	} {
		want := instants(build(t, "stages", catalog.Values{"stages": value(c.stages)}, span), 1)
		equal(t, c.pattern, instants(build(t, c.pattern, c.values, span), 1), want)
	}
}

func TestConstantNeverDrifts(t *testing.T) {
	// The rate is 7 per 3 s for 20 years. The last arrivals must follow the
	// formula.
	years := 20 * 365 * 86400 * second
	times := instants(build(t, "constant", catalog.Values{"rate": rate(7, 3000*second)}, Span{5, years}), 1)
	for i, at := range times {
		want := new(big.Int).Mul(big.NewInt(int64(i)), big.NewInt(3000*second))
		want.Add(want.Quo(want, big.NewInt(7)), big.NewInt(5))
		if want.Int64() != at {
			t.Fatalf("arrival %d at %d, want %d", i, at, want)
		}
	}
	if want := (7*(years-5) + 3000*second - 1) / (3000 * second); int64(len(times)) != want {
		t.Errorf("%d arrivals, want %d", len(times), want)
	}
}

func TestJitteredStaysInItsSlot(t *testing.T) {
	const n, per = 7, 1000
	times := instants(build(t, "constant", catalog.Values{"rate": rate(n, per), "arrivals": value("jittered")}, Span{50, 200_050}), 3)
	if len(times) != 1400 {
		t.Fatalf("%d arrivals, want 1400", len(times))
	}
	inside := int64(0)
	for i, at := range times {
		low, high := 50+int64(i)*per/n, 50+(int64(i+1)*per+n-1)/n
		if at < low || at >= high {
			t.Fatalf("arrival %d at %d lies outside [%d, %d)", i, at, low, high)
		}
		inside += at - low
	}
	if mean := inside / 1400; mean < 66 || mean > 76 {
		t.Errorf("arrivals lie %d ns inside their slots on average, want 71", mean)
	}
}

func TestVolleys(t *testing.T) {
	at := func(ms ...int64) []int64 {
		for i := range ms {
			ms[i] *= millisecond
		}
		return ms
	}
	for _, c := range []struct {
		what    string
		pattern string
		values  catalog.Values
		from    int64
		want    []int64
	}{
		{"herd once", "herd", catalog.Values{"count": value(int64(3)), "at": value(20 * millisecond)}, 0, at(20, 20, 20)},
		{"herd after its entry begins", "herd", catalog.Values{"count": value(int64(1)), "at": value(20 * millisecond), "every": value(300 * millisecond)},
			100 * millisecond, at(120, 420, 720)},
		{"boundary", "boundary", catalog.Values{"count": value(int64(2)), "window": value(100 * millisecond), "offset": value(millisecond), "every": value(int64(3))},
			0, at(99, 99, 101, 101, 399, 399, 401, 401, 699, 699, 701, 701)},
		{"boundary once, with a width", "boundary", catalog.Values{"count": value(int64(2)), "window": value(100 * millisecond), "width": value(10 * millisecond)},
			0, at(90, 95, 100, 105)},
		{"boundary that the beginning cuts", "boundary", catalog.Values{"count": value(int64(1)), "window": value(100 * millisecond), "offset": value(millisecond), "every": value(int64(4))},
			100 * millisecond, at(199, 201, 599, 601)},
		{"boundary whose burst begins with its entry", "boundary", catalog.Values{"count": value(int64(1)), "window": value(100 * millisecond), "offset": value(millisecond)},
			99 * millisecond, at(99, 101)},
		{"boundary that the end cuts", "boundary", catalog.Values{"count": value(int64(1)), "window": value(800 * millisecond), "offset": value(millisecond), "every": value(int64(1))},
			0, at(799)},
		{"adversary", "adversary", catalog.Values{"rate": rate(20, second), "window": value(100 * millisecond), "hold": value(int64(2)), "offset": value(millisecond)},
			0, at(199, 199, 201, 201, 399, 399, 401, 401, 599, 599, 601, 601, 799, 799)},
		{"adversary in every window, with a width", "adversary", catalog.Values{"rate": rate(20, second), "window": value(400 * millisecond), "hold": value(int64(1)), "width": value(40 * millisecond)},
			1, at(760, 770, 780, 790, 800)},
		{"adversary whose rate is no whole number", "adversary", catalog.Values{"rate": rate(25, second), "window": value(100 * millisecond), "hold": value(int64(1)), "offset": value(millisecond)},
			300 * millisecond, at(399, 401, 499, 499, 501, 599, 601, 699, 699, 701, 799)},
	} {
		p := build(t, c.pattern, c.values, Span{c.from, 801 * millisecond})
		equal(t, c.what, instants(p, 1, 1, 2), c.want)
	}
}

// By the end of a round an adversary has sent what its rate allows since the
// start of its first whole window, and nothing before that start.
func TestAdversaryKeepsToItsRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count, per := rapid.Int64Range(1, 60).Draw(t, "count"), rapid.Int64Range(1, 100).Draw(t, "per")
		window, hold := rapid.Int64Range(1, 300).Draw(t, "window"), rapid.Int64Range(1, 5).Draw(t, "hold")
		if window*hold < 2 || count*hold*window < 2*per {
			return
		}
		lead := rapid.Int64Range(1, max(1, min(window, hold*window/2))).Draw(t, "lead")
		width := rapid.Int64Range(0, lead).Draw(t, "width")
		from := rapid.Int64Range(0, 1000).Draw(t, "from")
		p := build(t, "adversary", catalog.Values{"rate": rate(count, per), "window": value(window), "hold": value(hold),
			"offset": value(lead - width), "width": value(width)}, Span{from, from + 7*hold*window})
		begin := (from + window - 1) / window * window
		for i, at := range instants(p, 1) {
			// Request i begins when the rate has allowed i requests and arrives
			// when it has allowed i+1.
			brought := func(n int64) int64 { return (n*per + count - 1) / count }
			boundary := begin + (brought(int64(i)+1)+hold*window-1)/(hold*window)*hold*window
			if at < begin+brought(int64(i)) || at < boundary-lead || at > boundary+lead {
				t.Fatalf("request %d begins at %d, and is sent at %d; the boundary is at %d", i, begin+brought(int64(i)), at, boundary)
			}
		}
	})
}

func TestListIsSortedAndKeepsTies(t *testing.T) {
	p := build(t, "list", catalog.Values{"events": value([]any{
		catalog.Values{"at": value(int64(30)), "key": value("late")},
		catalog.Values{"at": value(int64(10)), "count": value(int64(2)), "key": value("b")},
		catalog.Values{"at": value(int64(10)), "key": value("a"), "client": value(int64(4)), "cost": value(int64(9)), "estimate": value(int64(7)), "answer": value(int64(0))},
		catalog.Values{"at": value(int64(90))},
	})}, Span{100, 180}).(*List)
	equal(t, "list", instants(p, 1, 2), []int64{110, 110, 110, 130})
	want := []Event{{110, 2, 0, "b", -1, 0, -1}, {110, 1, 9, "a", 4, 7, 0}, {130, 1, 0, "late", -1, 0, -1}, {190, 1, 0, "", -1, 0, -1}}
	for i, e := range p.Events {
		if e != want[i] {
			t.Errorf("event %d is %+v, want %+v", i, e, want[i])
		}
	}
}

func TestListOfSpacedRequests(t *testing.T) {
	events := func(count, every int64) catalog.Values {
		return catalog.Values{"events": value([]any{
			catalog.Values{"at": value(int64(30))},
			catalog.Values{"at": value(int64(10)), "count": value(count), "every": value(every), "key": value("b")},
		})}
	}
	equal(t, "list", instants(build(t, "list", events(5, 20), Span{100, 180}), 1, 2), []int64{110, 130, 130, 150, 170})
	equal(t, "list", instants(build(t, "list", events(2, 0), Span{100, 180}), 1), []int64{110, 110, 130})
	if _, err := New("list", events(mostSpaced+1, 1), Span{100, 180}); err == nil || !strings.Contains(err.Error(), "events[1]: count: want at most 1000000") {
		t.Errorf("too many requests: %v", err)
	}
}

func TestDeclaredSteps(t *testing.T) {
	a, b := rate(5, second), rate(50, second)
	steps := build(t, "spike", catalog.Values{"rate": a, "peak": b, "at": value(second), "for": value(second)}, Span{second, 9 * second}).(Stepper).Steps()
	want := []Step{{2 * second, b.V.(units.Rate)}, {3 * second, a.V.(units.Rate)}}
	if len(steps) != 2 || steps[0] != want[0] || steps[1] != want[1] {
		t.Errorf("spike declares %v, want %v", steps, want)
	}
	if steps := build(t, "step", catalog.Values{"rate": a, "to_rate": b, "at": value(9 * second)}, Span{0, second}).(Stepper).Steps(); len(steps) != 0 {
		t.Errorf("a step after the end is declared: %v", steps)
	}
}

// An arrival comes when bisection of the whole slope finds it, and no other time
// counts as reached.
func TestSlopeArrivals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := func(what string) exactRate {
			per := int64(1) << rapid.IntRange(0, 60).Draw(t, what+" per, bits")
			p, err := newExactRate(rapid.Int64Range(0, 1<<20).Draw(t, what), rapid.Int64Range(1, per).Draw(t, what+" per"))
			if err != nil {
				t.Skip(err)
			}
			return p
		}
		most := int64(1) << rapid.IntRange(0, 60).Draw(t, "length, bits")
		s, err := newSlope(rapid.Int64Range(1, most).Draw(t, "length"), drawn("from"), drawn("to"))
		if err != nil {
			t.Skip(err) // too large for 128 bits, and rejected
		}
		c := newRampArrivals(0, s, 0)
		for range 20 {
			if !c.target.less(c.total) {
				return
			}
			want := c.bisect(c.t, c.length)
			guess := rapid.Uint64Range(c.t, c.length).Draw(t, "guess")
			if rapid.Bool().Draw(t, "near") {
				guess = min(want+guess%3, c.length)
			}
			if c.reached(guess) != (guess == want) {
				t.Fatalf("reached(%d) is %v, but it comes at %d", guess, c.reached(guess), want)
			}
			var at [1]int64
			if n := c.fill(nil, at[:], 1<<62); n != 1 || at[0] != int64(want) {
				t.Fatalf("%d arrivals, at %d, want it at %d", n, at[0], want)
			}
		}
	})
}
