package engine

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The heap returns events in the order of a sort by (time, kind, seq), for any
// sequence of pushes and pops.
func TestEventHeapOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var heap EventHeap
		var naive []Event
		seq := int64(0)
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			if len(naive) > 0 && rapid.Bool().Draw(t, "pop") {
				slices.SortFunc(naive, func(a, b Event) int {
					return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Seq, b.Seq))
				})
				if got := heap.Pop(); got != naive[0] {
					t.Fatalf("popped %+v, want %+v", got, naive[0])
				}
				naive = naive[1:]
				continue
			}
			seq++
			e := Event{Time: int64(rapid.IntRange(0, 9).Draw(t, "time")), Kind: uint32(rapid.IntRange(0, 2).Draw(t, "kind")), Seq: seq}
			heap.Push(e)
			naive = append(naive, e)
		}
	})
}

// The ring behaves like a list that grows at its end and is cut at its front.
func TestFifoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var queue FIFO[int]
		var naive []int
		for i := range rapid.IntRange(0, 300).Draw(t, "steps") {
			if len(naive) > 0 && rapid.Bool().Draw(t, "pop") {
				if *queue.Front() != naive[0] || queue.Pop() != naive[0] {
					t.Fatalf("step %d: the front is not %d", i, naive[0])
				}
				naive = naive[1:]
			} else {
				queue.Push(i)
				naive = append(naive, i)
			}
			if queue.Len() != len(naive) {
				t.Fatalf("step %d: length %d, want %d", i, queue.Len(), len(naive))
			}
		}
	})
}
