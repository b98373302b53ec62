package concurrency

import (
	"math"
	"slices"
	"testing"
)

const ms = 1_000_000

// fixedBits is a Random that gives the same bits again and again.
type fixedBits uint64

func (b fixedBits) Uint64() uint64 { return uint64(b) }

// answer is a sample and the limit after it.
type answer struct {
	rtt, inFlight int64
	dropped       bool
	limit         int64
}

func follow(t *testing.T, name string, law Law, answers []answer) {
	t.Helper()
	for i, a := range answers {
		law.Answer(Sample{RTT: a.rtt, InFlight: a.inFlight, Dropped: a.dropped})
		if law.Limit() != a.limit {
			t.Fatalf("%s: limit %d after answer %d (%+v)", name, law.Limit(), i, a)
		}
	}
}

// The vectors of AIMDLimitTest, and the borders of each comparison.
func TestAIMD(t *testing.T) {
	const timeout = 5000 * ms
	law := func(initial, least, most int64) Law { return NewAIMD(Range{initial, least, most}, timeout) }
	follow(t, "increaseOnSuccess", law(20, 20, 200), []answer{{ms, 10, false, 21}})
	follow(t, "decreaseOnDrops", law(30, 20, 200), []answer{{0, 0, true, 27}})
	follow(t, "successOverflow", law(21, 1, 21), []answer{{ms, 10, false, 21}})
	follow(t, "borders", law(30, 20, 200), []answer{
		{ms, 14, false, 30},          // 28 < 30
		{ms, 15, false, 31},          // 30 >= 30
		{ms, 15, false, 31},          // 30 < 31: in flight counts the request itself
		{timeout, 16, false, 32},     // not above the timeout
		{timeout + 1, 32, false, 28}, // floor(28.8)
		{ms, 0, true, 25}, {ms, 0, true, 22}, {ms, 0, true, 20}, {ms, 0, true, 20},
	})
}

// The vectors of the two limiters' tests.
func TestDialogueAIMD(t *testing.T) {
	d := NewDialogueAIMD(Range{20, 1, 1_000_000}, false)
	follow(t, "steps", d, []answer{
		{ms, 17, false, 20}, {ms, 18, false, 20},
	})
	if d.limit != 20.05 {
		t.Fatalf("limit %v, published 20.05", d.limit)
	}
	follow(t, "drop", d, []answer{{ms, 1, true, 18}})
	if d.limit != 18 {
		t.Fatalf("limit %v: a drop leaves a fraction", d.limit)
	}
	r := NewDialogueAIMD(Range{20, 1, 1_000_000}, true)
	follow(t, "increasesLimitByOne", r, []answer{{ms, 17, false, 20}, {ms, 18, false, 21}})
	r = NewDialogueAIMD(Range{20, 1, 1_000_000}, true)
	follow(t, "firstDropPermanentlySwitchesToAimd", r, []answer{{ms, 1, true, 18}, {ms, 15, false, 18}, {ms, 16, false, 18}})
	if r.limit != 18+1.0/18 {
		t.Fatalf("limit %v, published 18 + 1/18", r.limit)
	}
	follow(t, "least", NewDialogueAIMD(Range{2, 1, 3}, true), []answer{
		{ms, 1, false, 3}, {ms, 3, false, 3}, {ms, 0, true, 2}, {ms, 0, true, 1}, {ms, 0, true, 1}, {ms, 1, false, 2},
	})
}

// The burst of the pull request that added the ramp (palantir/dialogue#3052): 1000 requests
// at once at a server whose time is constant but not stated: 100 ms here, which fits.
// Published: without a ramp about 45 in flight at most and about 3 s, with one about 130
// and 1.7 s.
func TestDialogueBurst(t *testing.T) {
	for _, v := range []struct {
		ramp              bool
		inFlight, lasting int64 // requests, ms
	}{{false, 45, 3000}, {true, 130, 1700}} {
		d := NewDialogueAIMD(Range{20, 1, 1_000_000}, v.ramp)
		var flying []Sample // in the order of their answers
		var most, now int64
		for sent := 0; sent < 1000 || len(flying) > 0; {
			for ; sent < 1000 && int64(len(flying)) < d.Limit(); sent++ {
				flying = append(flying, Sample{Sent: now, RTT: 100 * ms, InFlight: int64(len(flying)) + 1})
				most = max(most, int64(len(flying)))
			}
			now = flying[0].Sent + flying[0].RTT
			d.Answer(flying[0])
			flying = flying[1:]
		}
		if math.Abs(float64(most-v.inFlight)) > 0.1*float64(v.inFlight) || math.Abs(float64(now/ms-v.lasting)) > 0.1*float64(v.lasting) {
			t.Errorf("ramp %v: %d in flight, %d ms", v.ramp, most, now/ms)
		}
	}
}

// The vectors of VegasLimitTest: its alpha 3 and beta 6 are the defaults below 100.
func TestVegas(t *testing.T) {
	law := func(initial, most int64) *Vegas { return NewVegas(Range{initial, 1, most}, fixedBits(0)) }
	follow(t, "largeLimitIncrease", law(10000, 20000), []answer{{10_000 * ms, 5000, false, 10000}, {10_000 * ms, 6000, false, 10024}})
	follow(t, "increaseLimit", law(10, 20), []answer{{10 * ms, 10, false, 10}, {10 * ms, 11, false, 16}})
	follow(t, "decreaseLimit", law(10, 20), []answer{{10 * ms, 10, false, 10}, {50 * ms, 11, false, 9}})
	follow(t, "noChangeIfWithinThresholds", law(10, 20), []answer{{10 * ms, 10, false, 10}, {14 * ms, 14, false, 10}})
	follow(t, "borders", law(20, 1000), []answer{
		{8 * ms, 20, true, 20}, // the first sets the least time, dropped or not
		{8 * ms, 9, false, 20}, // 18 < 20
		{7 * ms, 20, true, 20}, // a new least time does nothing else
		{7 * ms, 10, false, 26},
	})
	for _, v := range []struct {
		rtt, limit int64 // least time 1 s, limit 100: steps of 2
	}{
		{1_020_000_000, 112}, // queue ceil(1.96) = 2
		{1_021_000_000, 102}, // ceil(2.06) = 3
		{1_052_000_000, 102}, // ceil(4.94) = 5
		{1_060_000_000, 100}, // ceil(5.66) = 6, not below 3 x 2
		{1_136_000_000, 100}, // ceil(11.97) = 12, not above 6 x 2
		{1_137_000_000, 98},  // ceil(12.05) = 13
	} {
		follow(t, "queue", law(100, 1000), []answer{{1000 * ms, 100, false, 100}, {v.rtt, 50, false, v.limit}})
		follow(t, "drop", law(100, 1000), []answer{{1000 * ms, 100, false, 100}, {v.rtt, 1, true, 98}})
	}
	follow(t, "ends", law(2, 5), []answer{
		{ms, 2, false, 2}, {ms, 2, false, 5}, {ms, 5, true, 4}, {ms, 5, true, 3}, {ms, 0, true, 2}, {ms, 0, true, 1}, {ms, 0, true, 1},
	})
}

// With bits 0 the jitter is 0.5: the answer 0.5 x 30 x 4 = 60 is a probe, whatever it says.
func TestVegasProbes(t *testing.T) {
	v := NewVegas(Range{4, 1, 1000}, fixedBits(0))
	for range 59 {
		v.Answer(Sample{RTT: ms, InFlight: 1})
	}
	follow(t, "probe", v, []answer{{10 * ms, 4, true, 4}, {10 * ms, 4, false, 10}})
	bits := fixedBits(0)
	v = NewVegas(Range{4, 1, 1000}, &bits)
	bits = 1 << 63 // jitter 0.75 for the second probe: 90 answers
	for i := range 150 {
		if v.Answer(Sample{RTT: ms, InFlight: 1}); (v.answers == 0) != (i == 59 || i == 149) {
			t.Fatalf("answer %d: %d since the last probe", i+1, v.answers)
		}
	}
	if NewVegas(Range{4, 1, 1000}, fixedBits(math.MaxUint64)).jitter >= 1 {
		t.Error("a jitter of 1")
	}
}

// Steps by hand: all floats here are exact, or whole numbers after rounding down.
func TestGradient2(t *testing.T) {
	law := func(initial, least int64) *Gradient2 { return NewGradient2(Range{initial, least, 200}) }
	// Steady: g = 1, so 0.8 x 20 + 0.2 x 24 = 20.8, then + 0.8 each.
	follow(t, "steady", law(20, 20), []answer{{10 * ms, 10, false, 20}, {10 * ms, 11, false, 21}, {10 * ms, 10, false, 21}, {10 * ms, 11, true, 22}})
	// Means 10, 25: g = 1.5 x 25 / 40 = 0.9375: 0.8 x 40.8 + 0.2 x (38.25 + 4) = 41.09.
	g := law(40, 20)
	follow(t, "slower", g, []answer{{10 * ms, 20, false, 40}, {40 * ms, 40, false, 41}})
	if math.Abs(g.limit-41.09) > 1e-12 {
		t.Errorf("limit %v, by hand 41.09", g.limit)
	}
	// Means 10, 505: g = 1.5 x 505 / 1000 = 0.7575. Then 337: 1.5 x 337 / 1 is 1; the average
	// falls by 5 % after that, even when few are in flight.
	g = law(100, 20)
	follow(t, "decay", g, []answer{{10 * ms, 0, false, 100}, {1000 * ms, 100, false, 95}, {1 * ms, 0, false, 95}})
	if want := 1011.0 / 3 * ms * 0.95; math.Abs(g.long-want) > 1 {
		t.Errorf("average %v, by hand %v", g.long, want)
	}
	// The border of 2: means 30, 20 of 10; 30, 19.5 of 9.
	for rtt, want := range map[int64]float64{10: 20, 9: 19.5 * 0.95} {
		g = law(100, 20)
		g.Answer(Sample{RTT: 30 * ms})
		if g.Answer(Sample{RTT: rtt * ms}); math.Abs(g.long-want*ms) > 1 {
			t.Errorf("average %v after %d ms, by hand %v ms", g.long, rtt, want)
		}
	}
	// Least g: nine answers of 1 ms, then one of 1 s: 1.5 x 100.9 / 1000 -> 0.5.
	g = law(100, 20)
	for range 9 {
		g.Answer(Sample{RTT: ms})
	}
	follow(t, "half", g, []answer{{1000 * ms, 100, false, 90}}) // 80 + 0.2 x 54 = 90.8
	// The eleventh has the weight 2/601.
	g.Answer(Sample{RTT: 601 * ms})
	if want := 100.9*ms*599/601 + 2*ms; math.Abs(g.long-want) > 1 {
		t.Errorf("average %v, by hand %v", g.long, want)
	}
	follow(t, "least", law(20, 20), []answer{{ms, 0, false, 20}, {1000 * ms, 20, false, 20}})
}

// Saturated, an answer takes S L / c, and the average follows: the limit climbs to the top.
func TestGradient2ClimbsWhenSaturated(t *testing.T) {
	g := NewGradient2(Range{20, 20, 200})
	for range 20_000 {
		g.Answer(Sample{RTT: 10 * ms * g.Limit() / 8, InFlight: g.Limit()})
	}
	if g.Limit() < 199 {
		t.Errorf("limit %d", g.Limit())
	}
}

// recorded is a law that keeps its samples.
type recorded struct {
	Fixed
	samples []Sample
}

func (r *recorded) Answer(s Sample) { r.samples = append(r.samples, s) }

func TestWindow(t *testing.T) {
	law := &recorded{Fixed: 7}
	w := NewWindow(law, 1000*ms, 10)
	send := func(sent, rtt, inFlight int64, dropped bool) {
		w.Answer(Sample{Sent: sent, RTT: rtt, InFlight: inFlight, Dropped: dropped})
	}
	send(0, 10*ms, 50, true) // ends the first window, alone, at 10 ms
	for i := range int64(8) {
		send(i*ms, 20*ms, i, i == 3)
	}
	send(0, fastest-1, 99, true) // too fast to count
	send(990*ms, 20*ms, 2, false)
	if len(law.samples) != 0 {
		t.Fatal("a window ends when its time is reached, not after it")
	}
	send(990*ms, 20*ms+1, 3, false)
	if want := []Sample{{990 * ms, 20 * ms, 7, true}}; !slices.Equal(law.samples, want) {
		t.Fatalf("samples %+v, want %+v", law.samples, want)
	}
	for range int64(8) {
		send(1000*ms, fastest, 1, false)
	}
	send(3000*ms, 20*ms, 1, false) // the ninth: too few, thrown away
	for range int64(9) {
		send(3100*ms, fastest, 1, false)
	}
	send(4100*ms, 100*ms, 1, false)
	if len(law.samples) != 2 || law.samples[1].RTT != (9*fastest+100*ms)/10 || w.count != 0 || w.Limit() != 7 {
		t.Fatalf("%d samples, count %d", len(law.samples), w.count)
	}
}
