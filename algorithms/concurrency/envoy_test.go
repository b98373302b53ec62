package concurrency

import (
	"math"
	"testing"
)

// controller drives Envoy as its unit test does: time stands still while samples arrive.
type controller struct {
	*Envoy
	t   *testing.T
	now int64
}

func newController(t *testing.T, probe, requests, buffer int64, interval int64) *controller {
	g := Gradient{Range: Range{probe, probe, 1000}, Probe: probe, Requests: requests, Update: 100 * ms, Interval: interval, Buffer: float64(buffer) / 100}
	c := &controller{Envoy: NewEnvoy(g, 0, fixedBits(0)), t: t}
	c.advance(42 * 3600 * 1000)
	return c
}

// advance runs the timers up to a later time.
func (c *controller) advance(millis int64) {
	end := c.now + millis*ms
	for c.Next() <= end {
		c.now = c.Next()
		c.Act(c.now)
	}
	c.now = end
}

// samples sends n answers that took us.
func (c *controller) samples(n, us int64) {
	for range n {
		c.Answer(Sample{Sent: c.now - us*1000, RTT: us * 1000})
	}
}

func (c *controller) want(what string, ok bool) {
	c.t.Helper()
	if !ok {
		c.t.Fatalf("%s: limit %d, probing %v, least %v", what, c.Limit(), c.Probing(), c.least)
	}
}

// leastMs returns the median of the last probe as Envoy's gauge min_rtt_msecs.
func (c *controller) leastMs() int64 { return int64(c.least) / ms }

// The tests below are those of gradient_controller_test.cc.
func TestMinRTTEpoch(t *testing.T) {
	c := newController(t, 2, 25, 0, 30_000*ms)
	c.advance(1350)
	c.want("probe", c.Probing() && c.Limit() == 2)
	c.samples(26, 1_350_000)
	c.want("end of the probe", !c.Probing() && c.leastMs() == 1350)
	last := c.Limit()
	for range 29 {
		c.advance(1000)
		c.samples(1, 1_350_000)
		c.advance(100)
		if c.Probing() { // the clock here runs on for the update; Envoy's does not
			break
		}
		c.want("growth", c.Limit() > last)
		last = c.Limit()
	}
	c.advance(5000)
	c.want("second probe", c.Probing() && c.Limit() == 2)
	c.samples(last, 300_000_000)
	c.want("old requests", c.Probing() && last > 25)
}

func TestMinRTTLogic(t *testing.T) {
	c := newController(t, 7, 50, 25, 30_000*ms)
	c.advance(13)
	for range 50 {
		c.want("probe", c.Probing() && c.Limit() == 7)
		c.samples(1, 13_000)
	}
	c.want("end", !c.Probing() && c.leastMs() == 13)
}

func TestMedianOfProbe(t *testing.T) {
	c := newController(t, 3, 5, 25, 30_000*ms)
	for i := range int64(5) {
		c.samples(1, (i+1)*1000)
	}
	c.want("median", c.leastMs() == 3)
}

func TestMinRTTBuffer(t *testing.T) {
	c := newController(t, 3, 5, 50, 30_000*ms)
	c.samples(6, 5000)
	c.want("least", c.leastMs() == 5)
	for range 10 {
		last := c.Limit()
		c.samples(5, 6000)
		c.advance(101)
		c.want("growth", c.Limit() > last)
	}
}

func TestConcurrencyLimitBehavior(t *testing.T) {
	c := newController(t, 7, 5, 10, 30_000*ms)
	c.samples(6, 5000)
	c.advance(101)
	c.want("headroom", c.Limit() >= 7 && c.Limit() <= 14)
	for range 10 {
		last := c.Limit()
		c.samples(5, 4000)
		c.advance(101)
		c.want("growth", c.Limit() >= last && c.Limit() <= 2*last+int64(math.Sqrt(float64(2*last))))
	}
	for range 10 {
		last := c.Limit()
		c.samples(5, 6000)
		c.advance(101)
		c.want("fall", c.Limit() < last && c.Limit() >= 7)
	}
}

func TestReturnToPreviousLimit(t *testing.T) {
	c := newController(t, 3, 5, 25, 30_000*ms)
	c.samples(6, 5000)
	c.advance(1000)
	for range 5 {
		last := c.Limit()
		c.samples(5, 4000)
		c.advance(101)
		c.want("growth", c.Limit() > last)
	}
	limit := c.Limit()
	for range 5 { // NoSamplesTest
		c.advance(101)
		c.want("no samples", c.Limit() == limit)
	}
	c.advance(31_000)
	c.want("probe", c.Limit() == 3)
	c.advance(1000) // MinRTTRescheduleTest: no update in a probe
	for range 5 {
		c.want("probe", c.Limit() == 3)
		c.samples(1, 13_000)
	}
	c.want("return", c.Limit() == limit)
}

func TestTimers(t *testing.T) {
	g := Gradient{Range: Range{3, 3, 1000}, Probe: 3, Requests: 5, Update: 123 * ms, Interval: 100_000 * ms, Jitter: 0.1}
	for _, v := range []struct {
		jitter float64
		next   int64
	}{{0.1, 105_000}, {0, 100_000}} {
		g.Jitter = v.jitter
		e := NewEnvoy(g, 0, fixedBits(15_000))
		for i := range int64(5) {
			if e.Next() != math.MaxInt64 {
				t.Fatal("a timer runs in a probe")
			}
			e.Answer(Sample{Sent: i * 5 * ms, RTT: 5 * ms})
		}
		if e.nextProbe != (25+v.next)*ms || e.nextUpdate != (25+123)*ms {
			t.Fatalf("probe at %d, update at %d", e.nextProbe, e.nextUpdate)
		}
	}
}

func TestConsecutiveMinConcurrencyReset(t *testing.T) {
	c := newController(t, 7, 5, 0, 3_600_000*ms)
	c.samples(6, 5000)
	c.want("least", c.leastMs() == 5)
	c.advance(101)
	c.want("headroom", c.Limit() >= 7 && c.Limit() <= 14)
	for range 5 {
		c.samples(5, 10_000)
		c.advance(101)
	}
	for range 10 {
		last := c.Limit()
		c.samples(5, 10_000)
		c.advance(101)
		c.want("growth", c.Limit() >= last)
	}
	c.want("a second probe", c.least == 10_500_000 && c.Limit() > 7)
}

// Steps by hand, with a floor of 3 and a probe of 5 ms (median 5050 us): g = 1.25 x 5050 / s.
func TestEnvoySteps(t *testing.T) {
	c := newController(t, 3, 50, 25, 60_000*ms)
	c.samples(50, 5000)
	for i, v := range []struct{ us, limit int64 }{
		{1000, 8},    // g 2 of 6.1: 6 + 2.4
		{5000, 13},   // s 5050, g 1.25: 10 + 3.2
		{12_000, 9},  // s 12500, g 0.505: 6.565 + 2.56
		{50_000, 6},  // g 0.5: 4.5 + 2.1
		{50_000, 4},  // 3 + 1.7
		{50_000, 3},  // 2 + 1.4
		{50_000, 3},  // 1.5 + 1.2 is below the floor: the first update that leaves it there
		{0, 8},       // no time at all: g 2
		{50_000, 6},  // 4 + 2
		{50_000, 4},  // as above
		{50_000, 3},  // down to the floor, which does not count
		{50_000, 3},  // 1
		{50_000, 3},  // 2
		{50_000, 3},  // 3
		{50_000, 3},  // 4
		{50_000, -3}, // 5: probe
	} {
		c.samples(1, v.us)
		c.advance(100)
		if c.Limit() != max(v.limit, -v.limit) || c.Probing() != (v.limit < 0) {
			t.Fatalf("step %d: limit %d, probing %v", i, c.Limit(), c.Probing())
		}
	}
	start := c.now
	if c.epoch != start || c.Next() != math.MaxInt64 {
		t.Fatalf("a probe from %d at %d", c.epoch, start)
	}
	c.advance(10)
	c.samples(49, 10_000) // sent at the start of the probe
	c.samples(9, 10_001)  // before it
	c.want("old samples", c.Probing())
	c.samples(1, 10_000)
	c.want("end", !c.Probing() && c.least == 10_500_000)
	if c.nextUpdate != start+110*ms || c.nextProbe != start+60_010*ms {
		t.Fatalf("update at %d, probe at %d", c.nextUpdate, c.nextProbe)
	}
	c.advance(60)
	for i := range 5 { // five more updates are five again
		c.want("no probe yet", !c.Probing())
		c.samples(1, 50_000)
		c.Act(c.nextUpdate)
		c.now = c.nextUpdate
		c.want("floor", c.Limit() == 3 && c.Probing() == (i == 4))
	}
}

// A probe that is due at the time of an update comes instead of it, and forgets its answers.
func TestEnvoyProbeBeforeUpdate(t *testing.T) {
	c := newController(t, 3, 5, 25, 1000*ms)
	c.samples(5, 5000)
	c.advance(999)
	c.samples(4, 5000)
	c.advance(1)
	c.want("probe", c.Probing() && c.limit == 3 && c.epoch == c.now)
	c.advance(10)
	c.samples(4, 5000)
	c.want("four answers", c.Probing())
	c.samples(1, 5000)
	c.want("five answers", !c.Probing())
}

// The limit in a probe is not above the limit before it, and the top binds.
func TestEnvoyRange(t *testing.T) {
	e := NewEnvoy(Gradient{Range: Range{2, 1, 9}, Probe: 5, Requests: 1, Update: ms, Interval: 60_000 * ms}, 0, fixedBits(0))
	if e.Limit() != 2 {
		t.Fatalf("limit %d in the probe", e.Limit())
	}
	e.Answer(Sample{RTT: 5 * ms})
	for now := int64(6 * ms); now < 12*ms; now += ms {
		e.Answer(Sample{RTT: 5 * ms})
		e.Act(e.Next())
	}
	if e.Limit() != 9 {
		t.Fatalf("limit %d, at most 9", e.Limit())
	}
}

// Saturated with c servers an answer takes S L / c, so the limit settles where
// L g + sqrt(L g) = L with g = 1.25 c / L: at 1.25 c + sqrt(1.25 c), up to the bins' width.
func TestEnvoySettlesWhenSaturated(t *testing.T) {
	const service = 65_000 // us; a bin is 1 ms wide from here to the answers at the limit
	for _, servers := range []int64{20, 80, 320} {
		c := newController(t, 3, 50, 25, 3_600_000*ms)
		c.samples(50, service)
		sum := 0.0
		for i := range 400 {
			c.samples(3, service*max(c.Limit(), servers)/servers)
			c.advance(100)
			if i >= 200 {
				sum += float64(c.Limit()) / 200
			}
		}
		busy := 1.25 * float64(servers)
		if want := busy + math.Sqrt(busy); math.Abs(sum-want) > 0.02*want+1 {
			t.Errorf("%d servers: mean limit %v, theory %v", servers, sum, want)
		}
	}
}

// While idle every answer takes S: the limit grows to its maximum.
func TestEnvoyGrowsWhileIdle(t *testing.T) {
	c := newController(t, 3, 50, 25, 60_000*ms)
	c.samples(50, 20_000)
	for range 50 {
		c.samples(1, 20_000)
		c.advance(100)
	}
	c.want("idle", c.Limit() == 1000)
}

func TestMedian(t *testing.T) {
	for _, v := range []struct {
		us   []int64
		want int64
	}{
		{[]int64{0}, 0},
		{[]int64{0, 0, 7}, 0},
		{[]int64{7}, 7},                         // 7.05
		{[]int64{13_000}, 13_500},               // half of the bin of 1 ms
		{[]int64{13_999}, 13_500},               //
		{[]int64{1000, 2000, 3000, 4000}, 2100}, // two of four: the end of the bin of 2000
		{[]int64{1000, 2000, 3000}, 2050},
		{[]int64{95, 99}, 96},                // one of two: the end of the bin of 95
		{[]int64{10, 99, 100}, 99},           // 99.5
		{[]int64{1000, 1000, 1000, 9}, 1033}, // (2 - 1) / 3 of the bin of 100
		{[]int64{230, 230, 99}, 232},         // (1.5 - 1) / 2 x 10: 229.99999999999997 + 2.5
		{[]int64{230}, 234},                  // 229.99999999999997 + 5, as in C
	} {
		var m times
		for _, us := range v.us {
			m.add(us)
		}
		if got := m.median(); got != v.want {
			t.Errorf("median of %v: %d, want %d", v.us, got, v.want)
		}
	}
}
