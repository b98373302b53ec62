package sim

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// outcome is how one attempt ended, as a tap tells it.
type outcome struct {
	decided, dispatched int64 // -1: not, or not yet
	verdict, cause      string
}

// outcomes runs a scenario file of one scenario and replication and returns
// how each attempt ended under an algorithm, by attempt.
func outcomes(t tester, text, algorithm string) []outcome {
	t.Helper()
	var out []outcome
	details := Details{Decisions: func(d *Decision) error {
		if d.Algorithm == algorithm {
			for int64(len(out)) <= d.Attempt {
				out = append(out, outcome{})
			}
			out[d.Attempt] = outcome{d.DecidedNs, d.DispatchedNs, d.Verdict, d.Cause}
		}
		return nil
	}}
	if _, err := Run(context.Background(), load(t, text), Options{Workers: 1, Details: details}); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// queueCase is a small input for a limiter whose callers wait.
type queueCase struct {
	count, window, burst int64
	counter              string // options of the algorithm, as YAML
	threshold            int64
	grid                 int64 // of the replenish timer; 0: whoever looks
	lookFirst            bool  // these replenish before they claim
	noRefund             bool
	exact, full, capped  bool
	maxWait              int64
	guard                bool
	concurrency, service int64
	slowFrom, slowTo     int64
	factor               int64
	arrivals             []queueArrival
	end                  int64
}

type queueArrival struct {
	at, cost int64
	key      int
}

func (c *queueCase) yaml() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nduration: %dns\nreplications: 1\nalgorithms:\n  tested: {enforcement: central, %s}\n", c.end, c.counter)
	fmt.Fprintf(&b, "scenarios:\n  - name: twin\n    policy: {limit: %d/%dns, burst: %d}\n", c.count, c.window, c.burst)
	if c.guard {
		fmt.Fprintf(&b, "    guard: {concurrency: %d, service_time: %dns, slow: [{from: %dns, to: %dns, factor: %d}]}\n",
			c.concurrency, c.service, c.slowFrom, c.slowTo, c.factor)
	}
	b.WriteString("    algorithms: [tested]\n    traffic:\n      - pattern: list\n        events:\n")
	for _, a := range c.arrivals {
		fmt.Fprintf(&b, "          - {at: %dns, cost: %d, key: k%d}\n", a.at, a.cost, a.key)
	}
	return b.String()
}

// drawArrivals draws arrivals in time order on a scale of unit, many of them at
// one instant or on the grid of the unit.
func (c *queueCase) drawArrivals(t *rapid.T, span, unit int64, keys int, maxCost int64) {
	at := int64(0)
	for range rapid.IntRange(1, 40).Draw(t, "arrivals") {
		switch rapid.IntRange(0, 9).Draw(t, "gap") {
		case 0, 1, 2: // at the same instant
		case 3, 4: // on the grid
			at = (at/unit + int64(rapid.IntRange(0, 4).Draw(t, "units"))) * unit
			at = max(at, c.last())
		case 5: // long idle
			at += rapid.Int64Range(0, span/4).Draw(t, "idle")
		default:
			at += rapid.Int64Range(0, 3*unit).Draw(t, "ns")
		}
		c.arrivals = append(c.arrivals, queueArrival{
			at: at, cost: rapid.Int64Range(1, maxCost).Draw(t, "cost"), key: rapid.IntRange(0, keys-1).Draw(t, "key"),
		})
	}
	c.end = (at/c.window + 1 + rapid.Int64Range(0, 2).Draw(t, "windows more")) * c.window
}

func (c *queueCase) last() int64 {
	if len(c.arrivals) == 0 {
		return 0
	}
	return c.arrivals[len(c.arrivals)-1].at
}

func (c *queueCase) compare(t *rapid.T, want []outcome) {
	got := outcomes(t, c.yaml(), "tested")
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("attempt %d at %d: %+v, want %+v\n%s", i, c.arrivals[i].at, got[i], want[i], c.yaml())
		}
	}
}

const (
	ms     = int64(1_000_000)
	minute = 60_000 * ms
)

// drawRovers draws a rover limiter on one of several time scales: nanoseconds
// with continuous replenishment, milliseconds with a timer or callers that
// look, and minutes with hours of idling, beyond the hour that one replenish
// credits at most.
func drawRovers(t *rapid.T) *queueCase {
	c := &queueCase{count: rapid.Int64Range(1, 9).Draw(t, "count"), burst: rapid.Int64Range(1, 6).Draw(t, "burst")}
	var unit, span int64
	replenish := rapid.SampledFrom([]string{"timer", "on-look", "on-poll", "continuous", "hours"}).Draw(t, "replenish")
	switch replenish {
	case "timer":
		unit, span = ms, 300*ms
		c.grid = rapid.SampledFrom([]int64{ms, 3 * ms, 1_234_567}).Draw(t, "grid")
		c.window = rapid.Int64Range(1, 60).Draw(t, "window") * ms
	case "on-look", "on-poll":
		unit, span = ms, 300*ms
		c.window = rapid.Int64Range(1, 60).Draw(t, "window") * ms
		c.lookFirst = replenish == "on-poll"
	case "continuous":
		unit, span, c.grid = 5, 600, 1
		c.window = rapid.Int64Range(1, 90).Draw(t, "window")
	case "hours":
		replenish, unit, span = "timer", minute, 1200*minute
		c.grid = rapid.SampledFrom([]int64{minute, 7 * minute}).Draw(t, "grid")
		c.window = rapid.Int64Range(1, 100).Draw(t, "window") * minute
	}
	c.threshold = rapid.Int64Range(1, c.burst).Draw(t, "threshold")
	// The threshold must be reached, and a tick follow, within the hour that a
	// replenish credits at most.
	c.window = min(c.window, 50*minute*c.count/c.threshold)
	c.exact = rapid.Bool().Draw(t, "exact")
	c.full = rapid.Bool().Draw(t, "full")
	c.capped = rapid.Bool().Draw(t, "capped")
	keys := 2
	if c.guard = rapid.Bool().Draw(t, "guard"); c.guard {
		keys = 1 // the backend's order among keys at one instant is nobody's promise
		c.concurrency = rapid.Int64Range(1, 3).Draw(t, "concurrency")
		c.service = rapid.Int64Range(0, 4*unit).Draw(t, "service")
		if rapid.Bool().Draw(t, "service on the grid") {
			c.service = rapid.Int64Range(0, 4).Draw(t, "ticks") * max(c.grid, unit)
		}
	}
	words := map[bool]string{true: "by-tokens full wait", false: "now empty refuse"}
	word := func(b bool, i int) string { return strings.Fields(words[b])[i] }
	waits := rapid.IntRange(0, 3).Draw(t, "waits") > 0
	if waits {
		c.maxWait = rapid.Int64Range(0, 20*unit).Draw(t, "max wait")
	}
	c.counter = fmt.Sprintf("counter: rover, threshold: %d, capped: %v, stamp: %s, initial: %s, when_short: %s, max_wait: %dns, replenish: %s",
		c.threshold, c.capped, word(c.exact, 0), word(c.full, 1), word(waits, 2), c.maxWait, replenish)
	if c.noRefund = rapid.IntRange(0, 4).Draw(t, "refund") == 0; c.noRefund {
		c.counter += ", refund: false"
	}
	if c.grid > 0 {
		c.counter += fmt.Sprintf(", replenish_interval: %dns", c.grid)
	}
	c.drawArrivals(t, span, unit, keys, 3)
	if c.guard {
		c.slowFrom = rapid.Int64Range(0, c.end-1).Draw(t, "slow from")
		c.slowTo = rapid.Int64Range(c.slowFrom+1, c.end).Draw(t, "slow to")
		c.factor = rapid.Int64Range(1, 5).Draw(t, "factor")
	}
	return c
}

// The engine's rovers, which skip ticks that change nothing, end every attempt
// as a simulation does that runs every tick of every timer, one event at a
// time from one list.
func TestRoversAgainstOneList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawRovers(t)
		c.compare(t, newNaiveRovers(c).run())
	})
}

// naiveRovers is the rover limiter as its documentation tells it.
type naiveRovers struct {
	*queueCase
	now     int64
	list    []naiveEvent
	seq     int
	buckets map[int]*naiveBucket
	calls   []naiveCall // by attempt
	busy    int64
	backlog []int
	out     []outcome
}

// naiveEvent is due at an instant; classes are in the order of an instant.
type naiveEvent struct {
	at    int64
	class int
	seq   int
	run   func()
}

const (
	naiveCompletion = iota
	naiveReap
	naiveTick
	naiveLook
	naiveExpiry
	naiveArrival
)

type naiveCall struct {
	ticket, expiry int64
	waits          bool
}

// naiveBucket keeps the stamp of the exact mode in 1/count of a nanosecond.
type naiveBucket struct {
	tail, head, ceil int64
	stamp            int64
	queue            []int
}

func newNaiveRovers(c *queueCase) *naiveRovers {
	return &naiveRovers{queueCase: c, buckets: map[int]*naiveBucket{}, calls: make([]naiveCall, len(c.arrivals)), out: make([]outcome, len(c.arrivals))}
}

func (n *naiveRovers) at(t int64, class int, run func()) {
	n.seq++
	n.list = append(n.list, naiveEvent{t, class, n.seq, run})
}

func (n *naiveRovers) run() []outcome {
	for i, a := range n.arrivals {
		n.out[i] = outcome{decided: -1, dispatched: -1, verdict: "waiting"}
		n.at(a.at, naiveArrival, func() { n.arrive(i) })
	}
	n.drain()
	return n.out
}

// drain runs everything that is due before the end.
func (n *naiveRovers) drain() {
	for {
		next := -1
		for i, e := range n.list {
			if next < 0 {
				next = i
				continue
			}
			f := n.list[next]
			if e.at < f.at || e.at == f.at && (e.class < f.class || e.class == f.class && e.seq < f.seq) {
				next = i
			}
		}
		if next < 0 || n.list[next].at >= n.end {
			return
		}
		e := n.list[next]
		n.list = append(n.list[:next], n.list[next+1:]...)
		n.now = e.at
		e.run()
	}
}

func (n *naiveRovers) arrive(i int) {
	key, cost := n.arrivals[i].key, n.arrivals[i].cost
	b := n.buckets[key]
	if b == nil {
		b = n.create(key)
	}
	if n.lookFirst {
		n.replenish(b)
	}
	b.tail += cost
	n.calls[i] = naiveCall{ticket: b.tail, expiry: n.now + n.maxWait}
	if n.grid == 0 && !n.lookFirst {
		n.replenish(b)
	}
	switch {
	case n.missing(b, i) == 0:
		n.admit(b, i)
	case n.maxWait == 0:
		n.giveUp(b, i, "limiter")
	case n.grid == 0:
		n.sleep(b, i)
	default:
		n.calls[i].waits = true
		b.queue = append(b.queue, i)
		n.at(n.calls[i].expiry, naiveExpiry, func() { n.expire(b, i) })
	}
}

func (n *naiveRovers) create(key int) *naiveBucket {
	b := &naiveBucket{ceil: n.burst, stamp: n.now}
	switch {
	case n.exact:
		b.stamp *= n.count
		if n.full {
			b.head = n.burst
		}
	case n.full:
		b.stamp -= 24 * 60 * minute
	}
	n.buckets[key] = b
	if n.grid > 0 {
		// The timer's latest tick came before the first claim.
		now := n.now
		n.now = now / n.grid * n.grid
		n.replenish(b)
		n.now = now
		n.at((now/n.grid+1)*n.grid, naiveTick, func() { n.tick(b) })
	}
	return b
}

func (n *naiveRovers) tick(b *naiveBucket) {
	n.replenish(b)
	n.serve(b)
	n.at(n.now+n.grid, naiveTick, func() { n.tick(b) })
}

func (n *naiveRovers) replenish(b *naiveBucket) {
	var x int64
	if n.exact {
		x = (n.now*n.count - b.stamp) / n.window
	} else if n.now > b.stamp {
		periods := min(float64(n.now-b.stamp)/float64(n.window), float64(60*minute)/float64(n.window))
		x = int64(math.Round(float64(n.count) * periods))
	}
	if x < n.threshold {
		return
	}
	if n.exact {
		b.stamp += x * n.window
	} else {
		b.stamp = n.now
	}
	room := b.tail + n.burst - b.head
	if n.capped {
		room = b.ceil - b.head
	}
	b.head += min(x, max(0, room))
}

func (n *naiveRovers) missing(b *naiveBucket, i int) int64 { return max(0, n.calls[i].ticket-b.head) }

func (n *naiveRovers) serve(b *naiveBucket) {
	for len(b.queue) > 0 && n.missing(b, b.queue[0]) == 0 {
		i := b.queue[0]
		b.queue = b.queue[1:]
		n.admit(b, i)
	}
}

func (n *naiveRovers) expire(b *naiveBucket, i int) {
	if !n.calls[i].waits {
		return
	}
	b.queue = b.queue[1:] // all wait equally long: the first to come is the first to go
	n.giveUp(b, i, "max-wait")
	n.serve(b)
}

func (n *naiveRovers) sleep(b *naiveBucket, i int) {
	n.at(min(n.now+max(1, n.nap(n.missing(b, i))), n.calls[i].expiry), naiveLook, func() {
		n.replenish(b)
		switch {
		case n.missing(b, i) == 0:
			n.admit(b, i)
		case n.now >= n.calls[i].expiry:
			n.giveUp(b, i, "max-wait")
		default:
			n.sleep(b, i)
		}
	})
}

// nap is how long the rate takes to earn what is missing.
func (n *naiveRovers) nap(missing int64) int64 {
	if n.exact {
		return (missing*n.window + n.count - 1) / n.count
	}
	return int64(math.Round(float64(missing) / float64(n.count) * float64(n.window)))
}

func (n *naiveRovers) giveUp(b *naiveBucket, i int, cause string) {
	n.calls[i].waits = false
	if !n.noRefund {
		b.head += n.arrivals[i].cost
		b.ceil += n.arrivals[i].cost
	}
	n.out[i] = outcome{n.now, -1, "rejected", cause}
}

func (n *naiveRovers) admit(b *naiveBucket, i int) {
	n.calls[i].waits = false
	n.out[i] = outcome{n.now, n.now, "admitted", "limiter"}
	switch {
	case !n.guard:
		b.ceil += n.arrivals[i].cost
	case n.busy < n.concurrency:
		n.busy++
		n.work(b, i)
	default:
		n.backlog = append(n.backlog, i)
	}
}

func (n *naiveRovers) work(b *naiveBucket, i int) {
	d := n.service
	if n.now >= n.slowFrom && n.now < n.slowTo {
		d *= n.factor
	}
	n.at(n.now+d, naiveCompletion, func() {
		if len(n.backlog) > 0 {
			next := n.backlog[0]
			n.backlog = n.backlog[1:]
			n.work(b, next)
		} else {
			n.busy--
		}
		b.ceil += n.arrivals[i].cost
	})
}
