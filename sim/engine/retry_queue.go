package engine

import (
	"cmp"
	"slices"
)

// caller is a request that will be retried.
type caller struct {
	time                int64 // of the retry
	place               int64 // of the retry among all possible ones: see placeOf
	cost                int64
	key, tenant, client int32
	carried             int32 // where its baggage is stored, if requests carry any
}

// retryQueue returns callers in the order of their times, and in the order of
// their pushes if times are equal. Like an EventQueue it is a calendar queue.
// Because it may hold a million callers, cache misses decide its speed: a
// bucket consists of chunks that are written from end to end, and it is read
// and sorted all at once when its interval begins. An EventQueue of callers was
// measured to be a fifth slower in runs with retries. The zero retryQueue is
// empty.
type retryQueue struct {
	calendar
	due     int64 // of the first caller in pile or near; if there is none, when the next bucket begins
	buckets []bucket
	chunks  []chunk // the first chunk is unused
	free    int32   // the first free chunk, 0 for none

	pile   []caller // the callers of the current bucket, as they were pushed
	order  []turn   // the same callers in order
	passed int      // callers of order that have been popped

	near, far EventHeap // pushed after their bucket was emptied, or beyond the last bucket; Ref is an index into loose
	loose     Pool[caller]
	seq       int64

	size         int   // number of callers
	popped       int   // since the rate was last measured
	measureAfter int   // the rate is measured again after this number of pops
	since        int64 // when the rate was last measured
	bins         [spread + 1]int32
	moving       []caller // scratch space of fitBuckets
}

// bucket is a list of chunks, of which all but the newest are full.
type bucket struct{ newest, count int32 }

type chunk struct {
	older   int32
	callers [chunkSize]caller
}

// turn is the time of a caller and its index in pile.
type turn struct {
	time int64
	i    int32
}

const (
	chunkSize = 16
	// bucketful is the intended number of callers in a bucket; there may be
	// twice as many.
	bucketful = 32
	// A bucket is first sorted into spread equal parts of its span. If a part
	// holds more than insertionSortMax callers, insertion sort is too slow for
	// it.
	spread, spreadBits, insertionSortMax = 1 << spreadBits, 6, 16
	// leastMeasureAfter is the least number of pops from which the rate is
	// measured.
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
		crowded(q.size)
		ref = int32(len(q.chunks))
		q.chunks = append(q.chunks, chunk{})
	}
	c := &q.chunks[ref]
	q.free, c.older = c.older, older
	return ref
}

func (q *retryQueue) pushAside(c caller, late bool) {
	q.seq++
	e := Event{Time: c.time, Seq: q.seq, Ref: q.loose.Add(c)}
	if late {
		q.near.Push(e)
		q.due = min(q.due, c.time)
	} else {
		q.far.Push(e)
	}
}

// next returns the time of the first caller if it is not after t; otherwise it
// returns some time after t.
func (q *retryQueue) next(t int64) int64 {
	if q.due <= t {
		q.turn(t)
	}
	return q.due
}

// pop removes the first caller. The result is valid until the next call. next
// must have returned its time before.
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
	q.loose.Release(ref)
	return q.loose.At(ref)
}

// look sets the time at which the next caller may be due.
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

// turn sorts the callers of the first bucket that holds any, unless that bucket
// begins after t or callers of the current bucket are left.
func (q *retryQueue) turn(t int64) {
	if q.passed < len(q.order) || len(q.near) > 0 {
		return
	}
	if next, ok := q.advance(t, q.far); ok {
		q.pile = q.pile[:0]
		for len(q.far) > 0 && q.far[0].Time>>q.shift == next {
			q.pile = append(q.pile, *q.popLoose(&q.far)) // they were pushed before those in the bucket
		}
		if q.held > 0 && q.some == next {
			q.pile = q.empty(q.pile, next)
		}
		q.sort()
	}
	q.look()
}

// empty removes the callers of a bucket and appends them to to.
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

// sort puts the callers of pile in order: first by parts of the bucket's span,
// then by insertion. It is stable.
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
