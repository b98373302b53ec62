package sim

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The heap hands events out as a sort by (time, kind, seq) would, whatever the
// mix of pushes and pops.
func TestEventHeapOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var heap eventHeap
		var naive []event
		seq := int64(0)
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			if len(naive) > 0 && rapid.Bool().Draw(t, "pop") {
				slices.SortFunc(naive, func(a, b event) int {
					return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.kind, b.kind), cmp.Compare(a.seq, b.seq))
				})
				if got := heap.pop(); got != naive[0] {
					t.Fatalf("popped %+v, want %+v", got, naive[0])
				}
				naive = naive[1:]
				continue
			}
			seq++
			e := event{time: int64(rapid.IntRange(0, 9).Draw(t, "time")), kind: uint32(rapid.IntRange(0, 2).Draw(t, "kind")), seq: seq}
			heap.push(e)
			naive = append(naive, e)
		}
	})
}

// The ring is a list that is appended to and cut from the front.
func TestFifoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var queue fifo[int]
		var naive []int
		for i := range rapid.IntRange(0, 300).Draw(t, "steps") {
			if len(naive) > 0 && rapid.Bool().Draw(t, "pop") {
				if *queue.front() != naive[0] || queue.pop() != naive[0] {
					t.Fatalf("step %d: the front is not %d", i, naive[0])
				}
				naive = naive[1:]
			} else {
				queue.push(i)
				naive = append(naive, i)
			}
			if queue.len() != len(naive) {
				t.Fatalf("step %d: length %d, want %d", i, queue.len(), len(naive))
			}
		}
	})
}
