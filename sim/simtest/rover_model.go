package simtest

import (
	"cmp"
	"math"
	"slices"
)

const minute = int64(60e9)

// RoverModel is a reference model of rover buckets: it runs every tick of every
// timer, one event at a time from one list. A case's callers wait on it under the
// central limiter (Run), or another model uses its buckets and its list.
type RoverModel struct {
	*QueueCase
	Now     int64
	Buckets map[int]*Bucket // by key
	Busy    int64           // requests in service at the backend
	Out     []Outcome       // by attempt

	list    []event
	seq     int
	calls   []call // by attempt
	backlog []int
}

// event runs at an instant. Events of one instant run in the order of their
// classes, then in the order in which they were planned.
type event struct {
	at    int64
	class int
	seq   int
	run   func()
}

// Classes of events, in the order in which they run when they share a timestamp.
const (
	Completion = iota // of a request at the backend
	Release           // of tokens whose requests are complete
	tick
	answer
	lapse // of a claim that is not settled
	look
	expiry
	arrival
)

// call is an attempt that has claimed tokens.
type call struct {
	ticket, expiry int64
	waits          bool
}

// Bucket is a rover bucket. It keeps the stamp of the exact mode in 1/count of a
// nanosecond.
type Bucket struct {
	Tail, Head, Ceil int64
	stamp            int64
	queue            []int
}

// NewRoverModel returns a model of a case at time 0.
func NewRoverModel(c *QueueCase) *RoverModel {
	return &RoverModel{QueueCase: c, Buckets: map[int]*Bucket{}, calls: make([]call, len(c.Arrivals)), Out: make([]Outcome, len(c.Arrivals))}
}

// At plans run for time t. Classes are Completion, Release or larger numbers.
func (n *RoverModel) At(t int64, class int, run func()) {
	n.seq++
	n.list = append(n.list, event{t, class, n.seq, run})
}

// Run runs the case and returns the outcomes by attempt.
func (n *RoverModel) Run() []Outcome {
	for i, a := range n.Arrivals {
		n.Out[i] = Waiting
		n.At(a.At, arrival, func() { n.arrive(i) })
	}
	n.Drain()
	return n.Out
}

// Drain runs the events before the end of the case.
func (n *RoverModel) Drain() {
	for len(n.list) > 0 {
		e := slices.MinFunc(n.list, func(e, f event) int {
			return cmp.Or(cmp.Compare(e.at, f.at), cmp.Compare(e.class, f.class), cmp.Compare(e.seq, f.seq))
		})
		if e.at >= n.End {
			return
		}
		n.list = slices.DeleteFunc(n.list, func(f event) bool { return f.seq == e.seq })
		n.Now = e.at
		e.run()
	}
}

func (n *RoverModel) arrive(i int) {
	key, cost := n.Arrivals[i].Key, n.claims(i)
	b := n.Buckets[key]
	if b == nil {
		b = n.Create(key)
	}
	if n.LookFirst {
		n.Replenish(b)
	}
	b.Tail += cost
	n.calls[i] = call{ticket: b.Tail, expiry: n.Now + n.MaxWait}
	if n.Grid == 0 && !n.LookFirst && !n.OnWait {
		n.Replenish(b)
	}
	switch {
	case n.missing(b, i) == 0:
		n.admit(b, i)
	case n.MaxWait == 0:
		n.giveUp(b, i, "limiter")
	case n.Grid == 0:
		n.sleep(b, i)
	default:
		n.calls[i].waits = true
		b.queue = append(b.queue, i)
		n.At(n.calls[i].expiry, expiry, func() { n.expire(b, i) })
	}
}

// Create returns a new bucket of a key and starts its timer.
func (n *RoverModel) Create(key int) *Bucket {
	b := &Bucket{Ceil: n.Burst, stamp: n.Now}
	switch {
	case n.Exact:
		b.stamp *= n.Count
		if n.Full {
			b.Head = n.Burst
		}
	case n.Full:
		b.stamp -= 24 * 60 * minute
	}
	n.Buckets[key] = b
	if n.Grid > 0 {
		// The latest tick of the timer was before the first claim.
		now := n.Now
		n.Now = now / n.Grid * n.Grid
		n.Replenish(b)
		n.Now = now
		n.At((now/n.Grid+1)*n.Grid, tick, func() { n.tick(b) })
	}
	return b
}

func (n *RoverModel) tick(b *Bucket) {
	n.Replenish(b)
	n.serve(b)
	n.At(n.Now+n.Grid, tick, func() { n.tick(b) })
}

// Replenish credits a bucket with the tokens that it has earned by now.
func (n *RoverModel) Replenish(b *Bucket) {
	var x int64
	if n.Exact {
		x = (n.Now*n.Count - b.stamp) / n.Window
	} else if n.Now > b.stamp {
		periods := min(float64(n.Now-b.stamp)/float64(n.Window), float64(60*minute)/float64(n.Window))
		x = int64(math.Round(float64(n.Count) * periods))
	}
	if x < n.Threshold {
		return
	}
	if n.Exact {
		b.stamp += x * n.Window
	} else {
		b.stamp = n.Now
	}
	room := b.Tail + n.Burst - b.Head
	if n.Capped {
		room = b.Ceil - b.Head
	}
	b.Head += min(x, max(0, room))
}

func (n *RoverModel) missing(b *Bucket, i int) int64 { return max(0, n.calls[i].ticket-b.Head) }

func (n *RoverModel) serve(b *Bucket) {
	for len(b.queue) > 0 && n.missing(b, b.queue[0]) == 0 {
		i := b.queue[0]
		b.queue = b.queue[1:]
		n.admit(b, i)
	}
}

func (n *RoverModel) expire(b *Bucket, i int) {
	if !n.calls[i].waits {
		return
	}
	b.queue = b.queue[1:] // all wait equally long, so the first to arrive is the first to leave
	n.giveUp(b, i, "max-wait")
	n.serve(b)
}

func (n *RoverModel) sleep(b *Bucket, i int) {
	n.At(min(n.Now+max(1, n.Nap(n.missing(b, i))), n.calls[i].expiry), look, func() {
		n.Replenish(b)
		switch {
		case n.missing(b, i) == 0:
			n.admit(b, i)
		case n.Now >= n.calls[i].expiry:
			n.giveUp(b, i, "max-wait")
		default:
			n.sleep(b, i)
		}
	})
}

// Nap returns the time in which the rate earns the missing tokens.
func (n *RoverModel) Nap(missing int64) int64 {
	nap := int64(math.Round(float64(missing) / float64(n.Count) * float64(n.Window)))
	if n.Exact {
		nap = (missing*n.Window + n.Count - 1) / n.Count
	}
	if n.OnWait {
		nap = max(1000, nap-nap%1000)
	}
	return nap
}

func (n *RoverModel) giveUp(b *Bucket, i int, cause string) {
	n.calls[i].waits = false
	if !n.NoRefund {
		b.Head += n.claims(i)
		b.Ceil += n.claims(i)
	}
	n.Out[i] = Rejected(n.Now, cause)
}

func (n *RoverModel) admit(b *Bucket, i int) {
	n.calls[i].waits = false
	n.Out[i] = Admitted(n.Now, "limiter")
	switch {
	case n.Settle != "":
		n.open(b, i)
	case !n.Guard:
		b.Ceil += n.Arrivals[i].Cost
	case n.Busy < n.Concurrency:
		n.Busy++
		n.work(b, i)
	default:
		n.backlog = append(n.backlog, i)
	}
}

func (n *RoverModel) work(b *Bucket, i int) {
	d := n.Service
	if n.Now >= n.SlowFrom && n.Now < n.SlowTo {
		d *= n.Factor
	}
	n.At(n.Now+d, Completion, func() {
		if len(n.backlog) > 0 {
			next := n.backlog[0]
			n.backlog = n.backlog[1:]
			n.work(b, next)
		} else {
			n.Busy--
		}
		b.Ceil += n.Arrivals[i].Cost
	})
}
