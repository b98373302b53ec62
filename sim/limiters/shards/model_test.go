package shards_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestShardsAgainstOneList checks that shards, which skip polls and releases
// without effect, end every attempt as a reference model in which each shard runs
// every poll and release, one event at a time.
func TestShardsAgainstOneList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawShards(t)
		got, want := simtest.Outcomes(t, c.YAML(), "tested"), newNaiveShards(c).run()
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("attempt %d at %d: %+v, want %+v\n%s", i, c.Arrivals[i].At, got[i], want[i], c.YAML())
			}
		}
	})
}

// shardsCase is a small input for shards without stalls.
type shardsCase struct {
	simtest.QueueCase
	shards              int
	client              []int // by attempt
	poll, reap          int64
	aligned, sleeps     bool
	batch, pass, refund bool
	paced               bool
	depth               int
	perPoll             int64
	replenish           string
	inside              []func() // the backend's queue
}

// drawShards draws shards without stalls.
func drawShards(t *rapid.T) *shardsCase {
	const us = int64(1000)
	c := &shardsCase{}
	number := func(lo, hi int64, name string) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }
	yes := func(name string) bool { return rapid.Bool().Draw(t, name) }
	c.Count, c.Window, c.Burst = number(1, 9, "count"), number(1, 60, "window")*us, number(1, 9, "burst")
	c.shards = int(number(1, 4, "shards"))
	c.replenish = rapid.SampledFrom([]string{"timer", "on-poll", "on-look", "on-wait", "continuous"}).Draw(t, "replenish")
	switch c.replenish {
	case "timer":
		c.Grid = rapid.SampledFrom([]int64{us, 3 * us, 1_234}).Draw(t, "grid")
	case "continuous":
		c.Grid = 1
		c.Window = number(1, 90, "window in ns")
	}
	c.Threshold = number(1, c.Burst, "threshold")
	c.Exact, c.Full, c.Capped = yes("exact"), yes("full"), yes("capped")
	c.poll = rapid.SampledFrom([]int64{us, 2 * us, 3_500, 7 * us}).Draw(t, "poll")
	if c.Capped && yes("reaps") {
		c.reap, c.paced = rapid.SampledFrom([]int64{us, 5 * us, 9_100}).Draw(t, "reap"), yes("paced")
	}
	c.aligned, c.sleeps, c.pass, c.refund = yes("aligned"), yes("sleeps"), yes("pass"), rapid.IntRange(0, 4).Draw(t, "refund") > 0
	c.depth = int(number(1, 3, "depth"))
	c.perPoll = number(1, 9, "per poll")
	c.OnWait = c.replenish == "on-wait"
	if c.OnWait || rapid.IntRange(0, 3).Draw(t, "waits") > 0 {
		c.MaxWait = number(1, 60*us, "max wait")
		c.batch = yes("batch")
	}
	keys := 2
	if c.Guard = yes("guard"); c.Guard {
		keys = 1
		c.Concurrency, c.Service, c.Factor, c.SlowTo = number(1, 3, "concurrency"), number(0, 4*us, "service"), 1, 1
	}
	c.DrawArrivals(t, 100*us, us, keys, min(4, c.Burst))
	for range c.Arrivals {
		c.client = append(c.client, int(number(0, int64(c.shards)-1, "client")))
	}
	return c
}

func (c *shardsCase) YAML() string {
	var b strings.Builder
	word := func(yes bool, one, other string) string {
		if yes {
			return one
		}
		return other
	}
	fmt.Fprintf(&b, "version: 1\nduration: %dns\nreplications: 1\nalgorithms:\n  tested:\n    enforcement: shards\n    counter: rover\n", c.End)
	fmt.Fprintf(&b, "    threshold: %d\n    capped: %v\n    stamp: %s\n    initial: %s\n    replenish: %s\n", c.Threshold, c.Capped,
		word(c.Exact, "by-tokens", "now"), word(c.Full, "full", "empty"), c.replenish)
	fmt.Fprintf(&b, "    when_short: %s\n    max_wait: %dns\n    refund: %v\n    unused: %s\n    reserve: %s\n    depth: %d\n    per_poll: %d\n",
		word(c.MaxWait > 0, "wait", "refuse"), c.MaxWait, c.refund, word(c.pass, "passed-on", "refunded"), word(c.batch, "batch", "request"), c.depth, c.perPoll)
	fmt.Fprintf(&b, "    poll_interval: %dns\n    phase: %s\n    idle: %s\n    reap_interval: %dns\n    reap: %s\n", c.poll,
		word(c.aligned, "aligned", "staggered"), word(c.sleeps, "sleep", "poll"), c.reap, word(c.paced, "share", "all"))
	if c.Grid > 0 {
		fmt.Fprintf(&b, "    replenish_interval: %dns\n", c.Grid)
	}
	fmt.Fprintf(&b, "scenarios:\n  - name: model\n    policy: {limit: %d/%dns, burst: %d}\n    topology: {clients: %d}\n", c.Count, c.Window, c.Burst, c.shards)
	if c.Guard {
		fmt.Fprintf(&b, "    guard: {concurrency: %d, service_time: %dns}\n", c.Concurrency, c.Service)
	}
	b.WriteString("    algorithms: [tested]\n    traffic:\n      - pattern: list\n        events:\n")
	for i, a := range c.Arrivals {
		fmt.Fprintf(&b, "          - {at: %dns, cost: %d, key: k%d, client: %d}\n", a.At, a.Cost, a.Key, c.client[i])
	}
	return b.String()
}

// naiveShards is a reference model of shards on the buckets of a
// simtest.RoverModel.
type naiveShards struct {
	*simtest.RoverModel
	c   *shardsCase
	all []*naiveShard
}

type naiveShard struct {
	number  int
	streams []*naiveStream
	awake   bool // it will poll
	last    int64
}

type naiveStream struct {
	key    int
	queue  []int        // attempts
	claims []naiveClaim // of the first of them
	done   int64
	ticks  int64
	ticket int64 // end of the batch; left is the unused part
	left   int64
}

type naiveClaim struct{ ticket, tokens int64 }

const (
	naivePoll    = 100 // plus the shard's number
	naiveRequest = 1000
)

func newNaiveShards(c *shardsCase) *naiveShards {
	n := &naiveShards{RoverModel: simtest.NewRoverModel(&c.QueueCase), c: c}
	for i := range c.shards {
		n.all = append(n.all, &naiveShard{number: i, last: -c.poll})
	}
	return n
}

func (n *naiveShards) run() []simtest.Outcome {
	for i, a := range n.Arrivals {
		n.Out[i] = simtest.Waiting
		n.At(a.At, naiveRequest, func() { n.request(i) })
	}
	for _, h := range n.all {
		if !n.c.sleeps {
			n.every(n.c.poll, h, naivePoll+h.number, n.poll)
		}
		if n.c.reap > 0 {
			n.every(n.c.reap, h, simtest.Release, n.release)
		}
	}
	n.Drain()
	return n.Out
}

// every runs f at each instant of a shard's timer.
func (n *naiveShards) every(interval int64, h *naiveShard, class int, f func(*naiveShard)) {
	first := int64(0)
	if !n.c.aligned {
		first = interval * int64(2*h.number+1) / int64(2*n.c.shards)
	}
	var again func()
	again = func() {
		f(h)
		n.At(n.Now+interval, class, again)
	}
	n.At(first, class, again)
}

func (n *naiveShards) request(i int) {
	h := n.all[n.c.client[i]]
	q := n.stream(h, n.Arrivals[i].Key)
	q.queue = append(q.queue, i)
	if n.c.sleeps && !h.awake {
		n.wake(h, max(n.Now, h.last+n.c.poll))
	}
}

func (n *naiveShards) stream(h *naiveShard, key int) *naiveStream {
	for _, q := range h.streams {
		if q.key == key {
			return q
		}
	}
	q := &naiveStream{key: key}
	h.streams = append(h.streams, q)
	return q
}

func (n *naiveShards) wake(h *naiveShard, at int64) {
	h.awake = true
	n.At(at, naivePoll+h.number, func() {
		h.awake = false
		n.poll(h)
	})
}

func (n *naiveShards) poll(h *naiveShard) {
	h.last = n.Now
	wake, work := int64(1)<<62, false
	for _, q := range h.streams {
		b := n.Buckets[q.key]
		if b == nil {
			b = n.Create(q.key)
		}
		if n.c.replenish == "on-poll" || n.c.OnWait && (len(q.claims) > 0 || q.left > 0) {
			n.Replenish(b)
		}
		missing := int64(0)
		if n.c.batch {
			n.serveBatch(q, b)
			if q.left > 0 {
				missing = max(0, q.ticket-b.Head)
			}
		} else {
			n.serveRequests(q, b)
			if len(q.claims) > 0 {
				missing = max(0, q.claims[0].ticket-b.Head)
			}
		}
		if len(q.queue) > 0 || q.left > 0 {
			work = true
			wake = min(wake, n.Now+n.Nap(missing))
		}
		if len(q.queue) > 0 {
			wake = min(wake, n.Arrivals[q.queue[0]].At+n.MaxWait)
		}
	}
	if n.c.sleeps && work {
		n.wake(h, max(wake, n.Now+n.c.poll))
	}
}

func (n *naiveShards) expired(i int) bool { return n.Now-n.Arrivals[i].At >= n.MaxWait }

// leave rejects requests without a claim at the head of the queue whose max_wait
// has ended.
func (n *naiveShards) leave(q *naiveStream) {
	for at := len(q.claims); n.MaxWait > 0 && at < len(q.queue) && n.expired(q.queue[at]); {
		n.refuse(q, at)
	}
}

func (n *naiveShards) refuse(q *naiveStream, at int) {
	cause := "max-wait"
	if n.MaxWait == 0 {
		cause = "limiter"
	}
	n.Out[q.queue[at]] = simtest.Rejected(n.Now, cause)
	q.queue = slices.Delete(q.queue, at, at+1)
}

func (n *naiveShards) giveBack(b *simtest.Bucket, tokens int64) {
	if n.c.refund {
		b.Head += tokens
		b.Ceil += tokens
	}
}

func (n *naiveShards) serveRequests(q *naiveStream, b *simtest.Bucket) {
	for used := int64(0); used < n.c.perPoll; {
		for len(q.claims) < n.c.depth {
			if n.leave(q); len(q.claims) == len(q.queue) {
				break
			}
			tokens := n.Arrivals[q.queue[len(q.claims)]].Cost
			b.Tail += tokens
			q.claims = append(q.claims, naiveClaim{b.Tail, tokens})
		}
		if len(q.claims) == 0 {
			return
		}
		if n.c.replenish == "on-look" {
			n.Replenish(b)
		}
		i, claim := q.queue[0], q.claims[0]
		if claim.ticket <= b.Head {
			q.claims = q.claims[1:]
			used += claim.tokens
			n.dispatch(q, b)
			continue
		}
		if !n.expired(i) {
			return
		}
		n.refuse(q, 0)
		q.claims = q.claims[1:]
		heir := len(q.claims)
		if n.leave(q); n.c.pass && n.MaxWait > 0 && heir < len(q.queue) {
			if tokens := n.Arrivals[q.queue[heir]].Cost; tokens <= claim.tokens {
				n.giveBack(b, claim.tokens-tokens)
				q.claims = slices.Insert(q.claims, 0, naiveClaim{claim.ticket, tokens})
				j := q.queue[heir]
				q.queue = slices.Insert(slices.Delete(q.queue, heir, heir+1), 0, j)
				continue
			}
		}
		n.giveBack(b, claim.tokens)
	}
}

func (n *naiveShards) serveBatch(q *naiveStream, b *simtest.Bucket) {
	if n.c.replenish == "on-look" && q.left+int64(len(q.queue)) > 0 {
		n.Replenish(b)
	}
	for n.leave(q); len(q.queue) > 0; n.leave(q) {
		// The span is [ticket-left, ticket); head has passed ready of it.
		cost := n.Arrivals[q.queue[0]].Cost
		missing := max(0, q.ticket-b.Head)
		reached := q.left == 0 || missing <= q.left
		ready := max(0, q.left-missing)
		switch {
		case cost <= ready:
			q.left -= cost
			n.dispatch(q, b)
			continue
		case cost <= q.left || q.left-ready >= n.c.perPoll || !reached:
			return
		}
		queued := int64(0)
		for _, i := range q.queue {
			queued += n.Arrivals[i].Cost
		}
		b.Head += q.left
		b.Ceil += q.left
		q.left = min(q.left+n.c.perPoll, queued, n.Burst)
		b.Tail += q.left
		q.ticket = b.Tail
	}
	// Replenished tokens that are not needed are dropped.
	if missing := max(0, q.ticket-b.Head); missing < q.left {
		b.Ceil += q.left - missing
		q.left = missing
	}
}

func (n *naiveShards) dispatch(q *naiveStream, b *simtest.Bucket) {
	i := q.queue[0]
	q.queue = q.queue[1:]
	n.Out[i] = simtest.Admitted(n.Now, "limiter")
	switch {
	case !n.Guard:
		n.completed(q, b, i)
	case n.Busy < n.Concurrency:
		n.Busy++
		n.work(q, b, i)
	default:
		n.c.inside = append(n.c.inside, func() { n.work(q, b, i) })
	}
}

func (n *naiveShards) work(q *naiveStream, b *simtest.Bucket, i int) {
	n.At(n.Now+n.Service, simtest.Completion, func() {
		if len(n.c.inside) > 0 {
			next := n.c.inside[0]
			n.c.inside = n.c.inside[1:]
			next()
		} else {
			n.Busy--
		}
		n.completed(q, b, i)
	})
}

func (n *naiveShards) completed(q *naiveStream, b *simtest.Bucket, i int) {
	if n.c.reap > 0 {
		q.done += n.Arrivals[i].Cost
	} else {
		b.Ceil += n.Arrivals[i].Cost
	}
}

func (n *naiveShards) release(h *naiveShard) {
	for _, q := range h.streams {
		tokens := q.done
		if n.c.paced {
			q.ticks++ // since one was worth a token, or found nothing to release
			tokens = min(tokens, n.Count*n.c.reap*q.ticks/(n.Window*int64(n.c.shards)))
			if tokens > 0 || q.done == 0 {
				q.ticks = 0
			}
		}
		q.done -= tokens
		if tokens > 0 {
			n.Buckets[q.key].Ceil += tokens
		}
	}
}
