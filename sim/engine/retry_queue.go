package engine

import (
	"cmp"
	"slices"
)

// caller is what is kept of a request that is to be tried again.
type caller struct {
	time                int64 // of the retry
	place               int64 // of the retry among all possible ones: see placeOf
	cost                int64
	key, tenant, client int32
	carried             int32 // where its keys are kept, where requests carry descriptors
}

// comebacks hands out callers in the order of their times, at one instant in the
// order in which they were pushed. Like an EventQueue it is a calendar of buckets,
// but there may be very many callers, so that what is far apart in memory decides
// its speed: a bucket lies in chunks, is written from end to end, and is read and
// sorted all at once when its turn comes. The zero comebacks is empty.
type retryQueue struct {
	calendar
	due     int64 // of the first caller whose bucket's turn has come; if none, when the next turn may come
	buckets []bucket
	chunks  []chunk // the first is unused
	free    int32   // the first unused chunk, 0 for none

	pile   []caller // those of the bucket whose turn came last, as they were pushed
	order  []turn   // they in order
	passed int      // so many of them are gone

	near, far EventHeap // pushed when the bucket's turn had come, or beyond the last bucket; Ref indexes loose
	loose     []caller
	idle      []int32
	seq       int64

	size         int   // all callers
	popped       int   // since the pace was last measured
	measureAfter int   // so many are popped before it is measured again
	since        int64 // when that was
	bins         [spread + 1]int32
	moving       []caller // while callers are dealt out anew
}

// bucket is a list of chunks of which all but the newest are full.
type bucket struct{ newest, count int32 }

type chunk struct {
	older   int32
	callers [chunkSize]caller
}

// turn is the time of a caller in the pile.
type turn struct {
	time int64
	i    int32
}

const (
	chunkSize = 16
	// bucketful is what a bucket holds at the pace of callers, up to twice as much.
	bucketful = 32
	// spread is into how many parts of its span a bucket is sorted at first, and
	// crowd how many callers in one of them are too many to be sorted one by one.
	spread, spreadBits, insertionSortMax = 1 << spreadBits, 6, 16
	// leastMeasureAfter is how many callers tell a pace.
	leastMeasureAfter = 256
)

// push adds a caller.
func (q *retryQueue) push(c caller) {
	q.size++
	number := c.time >> q.shift
	if uint64(number-q.first) >= uint64(len(q.buckets)) {
		q.pushAside(c, number < q.first)
		return
	}
	i := number & int64(len(q.buckets)-1)
	b := &q.buckets[i]
	at := b.count & (chunkSize - 1)
	if at == 0 {
		if b.count == 0 {
			q.taken.set(i)
			q.some = min(q.some, number)
		}
		b.newest = q.newChunk(b.newest)
	}
	q.chunks[b.newest].callers[at] = c
	b.count++
	q.held++
}

func (q *retryQueue) newChunk(older int32) int32 {
	ref := q.free
	if ref == 0 {
		ref = int32(len(q.chunks))
		q.chunks = append(q.chunks, chunk{})
	}
	c := &q.chunks[ref]
	q.free, c.older = c.older, older
	return ref
}

func (q *retryQueue) pushAside(c caller, late bool) {
	ref := Take(&q.loose, &q.idle)
	q.loose[ref] = c
	q.seq++
	e := Event{Time: c.time, Seq: q.seq, Ref: ref}
	if late {
		q.near.Push(e)
		q.due = min(q.due, c.time)
	} else {
		q.far.Push(e)
	}
}

// next is the time of the first caller where that is not after t; else it is
// some time after t.
func (q *retryQueue) next(t int64) int64 {
	if q.due <= t {
		q.turn(t)
	}
	return q.due
}

// pop removes the first caller, who is good until the next call. next must have
// told of it.
func (q *retryQueue) pop() *caller {
	if q.popped++; q.popped > q.measureAfter {
		q.fitBuckets()
	}
	var c *caller
	if q.passed < len(q.order) && (len(q.near) == 0 || q.order[q.passed].time <= q.near[0].Time) {
		c = &q.pile[q.order[q.passed].i]
		q.passed++
	} else {
		c = q.popLoose(&q.near)
	}
	q.size--
	q.look()
	return c
}

func (q *retryQueue) popLoose(h *EventHeap) *caller {
	ref := h.Pop().Ref
	q.idle = append(q.idle, ref)
	return &q.loose[ref]
}

// look sets when the next caller is due.
func (q *retryQueue) look() {
	q.due = Never
	switch {
	case q.passed < len(q.order):
		q.due = q.order[q.passed].time
	case q.first <= Never>>q.shift:
		q.due = q.first << q.shift
	}
	if len(q.near) > 0 {
		q.due = min(q.due, q.near[0].Time)
	}
}

// turn sorts what the first bucket holds that holds anything, unless it begins
// after t, or somebody whose turn has come is left.
func (q *retryQueue) turn(t int64) {
	if q.passed < len(q.order) || len(q.near) > 0 {
		return
	}
	if next, ok := q.advance(t, q.far); ok {
		q.pile = q.pile[:0]
		for len(q.far) > 0 && q.far[0].Time>>q.shift == next {
			q.pile = append(q.pile, *q.popLoose(&q.far)) // pushed before those in the bucket
		}
		if q.held > 0 && q.some == next {
			q.pile = q.empty(q.pile, next)
		}
		q.sort()
	}
	q.look()
}

// empty appends what a bucket holds.
func (q *retryQueue) empty(to []caller, number int64) []caller {
	i := number & int64(len(q.buckets)-1)
	b := &q.buckets[i]
	n, count := len(to), int(b.count)
	to = slices.Grow(to, count)[:n+count]
	for count > 0 {
		part := (count-1)&(chunkSize-1) + 1
		c := &q.chunks[b.newest]
		count -= part
		copy(to[n+count:], c.callers[:part])
		b.newest, c.older, q.free = c.older, q.free, b.newest
	}
	q.held -= int(b.count)
	*b = bucket{}
	q.taken.clear(i)
	return to
}

// sort puts the pile in order: by parts of the bucket's span, then one by one.
// Callers of one instant stay as they are.
func (q *retryQueue) sort() {
	n := len(q.pile)
	q.order = slices.Grow(q.order[:0], n)[:n]
	q.passed = 0
	shift, most := q.shift-spreadBits, int32(0)
	q.bins = [spread + 1]int32{}
	for i := range q.pile {
		q.bins[q.pile[i].time>>shift&(spread-1)+1]++
	}
	for i := 1; i <= spread; i++ {
		most = max(most, q.bins[i])
		q.bins[i] += q.bins[i-1]
	}
	for i := range q.pile {
		t := q.pile[i].time
		bin := &q.bins[t>>shift&(spread-1)]
		q.order[*bin] = turn{t, int32(i)}
		*bin++
	}
	if most > insertionSortMax {
		slices.SortStableFunc(q.order, func(a, b turn) int { return cmp.Compare(a.time, b.time) })
		return
	}
	for i := 1; i < n; i++ {
		x, j := q.order[i], i
		for ; j > 0 && q.order[j-1].time > x.time; j-- {
			q.order[j] = q.order[j-1]
		}
		q.order[j] = x
	}
}
