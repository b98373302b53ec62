package engine

import (
	"cmp"
	"math/bits"
	"slices"
)

// fitBuckets adjusts the buckets to the callers popped since its last call:
// some tens of callers in each bucket, and enough buckets that few callers lie
// beyond them.
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
	// The first measurements say little about the later rate.
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

// takeAll moves all callers to moving. At equal times those beyond the last
// bucket come first and those of near last, which is the order of their pushes.
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

// takeLoose removes the callers of a heap in the order in which they were
// pushed. That is much faster than popping them in time order.
func (q *retryQueue) takeLoose(h *EventHeap) {
	slices.SortFunc(*h, func(a, b Event) int { return cmp.Compare(a.Seq, b.Seq) })
	for _, e := range *h {
		q.moving = append(q.moving, *q.loose.At(e.Ref))
		q.loose.Release(e.Ref)
	}
	*h = (*h)[:0]
}
