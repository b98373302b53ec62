package engine

import (
	"cmp"
	"math/bits"
	"slices"
)

// pace fits the buckets to the callers popped since it was last called: some tens
// to a bucket, and so many buckets that few callers lie beyond them.
func (q *retryQueue) fitBuckets() {
	gap := uint64(q.due-q.since) / uint64(q.popped)
	shift := max(spreadBits, min(uint(bits.Len64(gap)+bits.Len(bucketful)-1), endless))
	number := max(len(q.buckets), fewestBuckets)
	if q.size < bucketful {
		shift = endless
	} else if len(q.far) > q.size/4 && number < mostBuckets {
		number *= 2
	}
	for number*bucketful < 4*q.size && number < mostBuckets {
		number *= 2
	}
	// The first measures tell little of the pace to come.
	q.popped, q.since, q.measureAfter = 0, q.due, max(leastMeasureAfter, min(2*q.size, 4*q.measureAfter))
	if number == len(q.buckets) && shift <= q.shift+1 && q.shift <= shift+1 {
		return
	}
	q.takeAll()
	if number != len(q.buckets) {
		q.buckets, q.taken = make([]bucket, number), make(marks, number/64)
	}
	if len(q.chunks) == 0 {
		q.chunks = append(q.chunks, chunk{})
	}
	q.shift = shift
	q.first = q.due>>shift + 1
	q.some = q.first
	for _, c := range q.moving {
		q.push(c)
	}
}

// takeAll takes all callers out. Of those of one instant the first were beyond
// the last bucket when they were pushed, and the last came when its turn had.
func (q *retryQueue) takeAll() {
	q.moving = q.moving[:0]
	q.takeLoose(&q.far)
	for q.held > 0 {
		q.moving = q.empty(q.moving, q.soonest())
	}
	for _, x := range q.order[q.passed:] {
		q.moving = append(q.moving, q.pile[x.i])
	}
	q.takeLoose(&q.near)
	q.order, q.passed, q.size = q.order[:0], 0, 0
}

// takeLoose takes out a heap of callers in the order in which they were pushed,
// which is much faster than in that of the heap.
func (q *retryQueue) takeLoose(h *EventHeap) {
	slices.SortFunc(*h, func(a, b Event) int { return cmp.Compare(a.Seq, b.Seq) })
	for _, e := range *h {
		q.moving = append(q.moving, q.loose[e.Ref])
		q.idle = append(q.idle, e.Ref)
	}
	*h = (*h)[:0]
}
