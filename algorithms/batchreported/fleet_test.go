package batchreported

import (
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

const ms = int64(1_000_000)

// steady is the configuration of most tests: 1000/s, and ten clients that report
// every 100 ms, aligned, to a fixed window.
func steady() Config {
	return Config{
		Policy:        Policy{Limit: counting.Limit{Count: 1000, Window: second, Burst: 1000}},
		Clients:       10,
		Interval:      100 * ms,
		RejectTil:     true,
		CountRejected: true,
		RateTTL:       second,
		Sample:        units.Fraction{Num: 1, Den: 1},
	}
}

// debt is steady with a bucket of burst 0 that can go into debt.
func debt() Config {
	c := steady()
	c.Bucket = &counting.TokenBucketOptions{Debt: true}
	return c
}

// fleet runs clients and one server over a network without delay, with the order
// of events that the package requires.
type fleet struct {
	config  *Config
	clients []*Client
	server  *Server
	next    []int64 // tick of each client
	coin    Coin
	decide  func(client int, now int64) // sees every decision, if set
}

// splitMix is a coin for tests.
type splitMix uint64

func (s *splitMix) Uint64() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func oneServer(int32) int32 { return 0 }

func newFleet(t *testing.T, c Config) *fleet {
	t.Helper()
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	return startFleet(c)
}

func startFleet(c Config) *fleet {
	coin := splitMix(1)
	f := &fleet{config: &c, server: NewServer(&c, 0, 0), next: c.Ticks(&coin), coin: &coin}
	for i := range c.Clients {
		f.clients = append(f.clients, NewClient(&c, int32(i)))
	}
	return f
}

// until runs all ticks up to now.
func (f *fleet) until(now int64) {
	for {
		at := now + 1
		for _, tick := range f.next {
			at = min(at, tick)
		}
		if at > now {
			return
		}
		var reports []*Report
		for i, c := range f.clients {
			if f.next[i] == at {
				c.Flush(at, oneServer, func(int32) *Report {
					reports = append(reports, &Report{})
					return reports[len(reports)-1]
				})
				f.next[i] += f.config.Interval
			}
		}
		for _, r := range reports {
			f.server.Receive(at, r)
		}
		answers := make([]Answer, len(reports))
		for i, r := range reports {
			f.server.Answer(at, r, &answers[i])
		}
		for i, r := range reports {
			f.clients[r.Client].Apply(at, &answers[i])
		}
	}
}

// run sends requests of one key, perSecond per second and evenly spaced, to the
// clients in turn, and returns how many were admitted in each bin.
func (f *fleet) run(perSecond, seconds, bin int64) []int64 {
	admitted := make([]int64, seconds*second/bin)
	for i := range perSecond * seconds {
		now := i * second / perSecond
		f.until(now)
		client := int(i) % len(f.clients)
		if f.clients[client].Decide(now, 7, 1, f.coin).Admitted() {
			admitted[now/bin]++
		}
		if f.decide != nil {
			f.decide(client, now)
		}
	}
	return admitted
}

func sum(x []int64) (total int64) {
	for _, v := range x {
		total += v
	}
	return total
}

// Aligned reports to a fixed window: overshoot k*ceil(w/(k*d))*d/w - 1, in
// every window, exactly.
func TestAlignedFixedWindowOvershoot(t *testing.T) {
	for _, x := range []struct{ offered, interval, want int64 }{
		{2000, 100, 1000}, // a lucky ratio: exactly the limit
		{3000, 100, 1200},
		{5000, 100, 1000},
		{10000, 100, 1000},
		{7000, 100, 1400},
		{20000, 100, 2000},
		{3000, 50, 1050},
		{3000, 250, 1500},
		{1500, 200, 1200},
	} {
		c := steady()
		c.Interval = x.interval * ms
		kd := x.offered * x.interval // k*d/w in millionths
		if formula := (1_000_000 + kd - 1) / kd * kd / 1000; formula != x.want {
			t.Fatalf("the closed form of k=%d/1000, d=%d ms is %d, not %d", x.offered, x.interval, formula, x.want)
		}
		for window, got := range newFleet(t, c).run(x.offered, 5, second) {
			if got != x.want {
				t.Errorf("k=%d/1000, d=%d ms: window %d admitted %d, want %d", x.offered, x.interval, window, got, x.want)
			}
		}
	}
}

// Staggered reports to a fixed window: about k*d/w.
func TestStaggeredFixedWindowOvershoot(t *testing.T) {
	for _, x := range []struct{ offered, interval int64 }{{3000, 100}, {2000, 100}, {5000, 40}, {8000, 50}} {
		c := steady()
		c.Clients, c.Phase, c.Interval = 100, ticks.Staggered, x.interval*ms
		got := sum(newFleet(t, c).run(x.offered, 10, second)) - 10_000
		if want := 10 * x.offered * x.interval / 1000; max(got-want, want-got) > want/10 {
			t.Errorf("k=%d/1000, d=%d ms: %d over the limit in 10 windows, want about %d", x.offered, x.interval, got, want)
		}
	}
}

// Aligned reports to a bucket with debt: exactly the limit in the long run, measured
// at the end of each cycle of one admitting interval and its repayment.
func TestAlignedDebtIsExact(t *testing.T) {
	for _, x := range []struct{ offered, cycle int64 }{{2000, 200}, {3000, 300}, {5000, 500}, {20000, 2000}} {
		admitted := newFleet(t, debt()).run(x.offered, 30, x.cycle*ms)
		for i, got := range admitted {
			if got != x.cycle {
				t.Errorf("k=%d/1000: cycle %d of %d ms admitted %d, want %d", x.offered, i, x.cycle, got, x.cycle)
			}
		}
	}
	// A ratio that does not divide: never further from r*t than one interval.
	var total int64
	for i, got := range newFleet(t, debt()).run(3700, 100, second) {
		total += got
		if over := total - int64(i+1)*1000; over < -370 || over > 370 {
			t.Errorf("k=3.7: %d over the limit after %d s", over, i+1)
		}
	}
}

// With a burst of 0, refilling before the debits loses the refill of every
// interval that admits: k/(k+1) of the limit.
func TestRefillFirstWithoutBurst(t *testing.T) {
	for _, k := range []int64{1, 2, 3, 4, 9} {
		c := debt()
		c.RefillFirst = true
		got := sum(newFleet(t, c).run(k*1000, 20*(k+1), second))
		if want := 20 * k * 1000; got != want {
			t.Errorf("k=%d: admitted %d in %d s, want %d", k, got, 20*(k+1), want)
		}
	}
}

func TestRejectionRateHoldsTheLimit(t *testing.T) {
	for _, x := range []struct {
		name      string
		diffusion bool
		estimate  Estimate
		offered   int64
		tolerance int64 // of 20,000
	}{
		{"diffusion", true, Estimate{}, 3000, 20},
		{"coin", false, Estimate{}, 3000, 600}, // 5 deviations of sqrt(60000*2/9)
		{"trailing", true, Estimate{Kind: TrailingSecond}, 3000, 20},
		{"ewma", true, Estimate{Kind: Ewma, Weight: units.Fraction{Num: 1, Den: 2}}, 3000, 80},
		{"light", true, Estimate{}, 900, 0},
	} {
		c := steady()
		c.RejectTil, c.RejectionRate, c.Diffusion, c.Estimate = false, true, x.diffusion, x.estimate
		got := sum(newFleet(t, c).run(x.offered, 30, second)[10:])
		want := 20 * min(x.offered, 1000)
		if max(got-want, want-got) > x.tolerance {
			t.Errorf("%s: admitted %d in 20 s, want %d", x.name, got, want)
		}
	}
}

// An estimate that counts only admitted cost does not include rejected demand.
// After a second of rejection the server admits everything, and after a second
// of admission it rejects again. The admitted cost oscillates around sqrt(k)*L
// with a period of two seconds.
func TestWithoutRejectedTheRateOscillates(t *testing.T) {
	c := steady()
	c.RejectTil, c.RejectionRate, c.Diffusion, c.CountRejected = false, true, true, false
	c.Interval = 10 * ms
	admitted := newFleet(t, c).run(3000, 12, second)
	for s, got := range admitted {
		if open := s%2 == 0; open != (got > 1732) {
			t.Fatalf("no swing of period two around 1732 at second %d: %v", s, admitted)
		}
	}
}

// If answers stop, a rejection rate expires RateTTL after its arrival.
func TestRateIsForgotten(t *testing.T) {
	c := steady()
	c.RejectTil, c.RejectionRate, c.Diffusion, c.RateTTL = false, true, true, 300*ms
	cl := NewClient(&c, 0)
	cl.Apply(second, &Answer{ComputedAt: second, Rows: []AnswerRow{{Key: 1, RejectionRate: 1 << 31}}})
	for _, x := range []struct {
		at   int64
		want int
	}{{second, 50}, {second + 299*ms, 50}, {second + 300*ms, 100}} {
		admitted := 0
		for range 100 {
			if cl.Decide(x.at, 1, 1, nil).Admitted() {
				admitted++
			}
		}
		if admitted != x.want {
			t.Errorf("%d ms after the answer %d of 100 are admitted, want %d", (x.at-second)/ms, admitted, x.want)
		}
	}
}

func TestPessimisticStart(t *testing.T) {
	c := steady()
	c.Pessimistic = true
	admitted := newFleet(t, c).run(500, 1, 10*ms)
	if early := sum(admitted[:10]); early != 0 {
		t.Errorf("%d admitted before the first answer", early)
	}
	if later := sum(admitted[10:]); later != 450 {
		t.Errorf("%d of 450 admitted after the first answer", later)
	}
}

func TestLocalLimitBoundsTheFirstSecond(t *testing.T) {
	c := steady()
	c.RejectTil, c.RejectionRate = false, true
	local := counting.Limit{Count: 150, Window: second, Burst: 150} // 1.5 * L/N
	c.Local = &local
	f := newFleet(t, c)
	admitted := f.run(20_000, 1, second)
	// Each client's bucket starts full and refills for a second.
	if got := admitted[0]; got < 10*(150+149) || got > 10*(150+150) {
		t.Errorf("the first second admitted %d, want 10 buckets of 150 and their refill", got)
	}
	v := f.clients[0].Decide(second, 7, 1000, f.coin)
	if v.Admitted() || v.Cause() != counting.ByLocal {
		t.Errorf("a cost above the local depth ends as %v by %v", v.Admitted(), v.Cause())
	}
}

// Staleness: the age of the answer used is at most one interval here.
func TestLatestAnswer(t *testing.T) {
	f := newFleet(t, steady())
	f.decide = func(client int, now int64) {
		computedAt, ok := f.clients[client].LatestAnswer()
		if want := now >= 100*ms; ok != want {
			t.Fatalf("client %d has an answer at %d: %v", client, now, ok)
		}
		if ok && (computedAt > now || now-computedAt >= 100*ms) {
			t.Fatalf("client %d uses at %d an answer of %d", client, now, computedAt)
		}
	}
	f.run(3000, 3, second)
}
