package engine

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
)

// Retries arrive in the order of a heap by time and then by push, for any
// number and rate of them, whether they are due at once, all at one instant,
// soon or never.
func TestRetryQueueOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var queue retryQueue
		var heap EventHeap
		draws := random.New(rapid.Uint64().Draw(t, "seed"), 0, "callers")
		now, seq := int64(rapid.SampledFrom([]int{0, 1e18}).Draw(t, "start")), int64(0)
		compare := func(until int64) {
			if next := queue.next(until); next != heap[0].Time {
				t.Fatalf("next at %d, want %d", next, heap[0].Time)
			}
			got, want := *queue.pop(), heap.Pop()
			if got != (caller{time: want.Time, place: want.Seq, cost: 3 * want.Seq, key: want.Ref}) {
				t.Fatalf("popped %+v, want %+v", got, want)
			}
		}
		for range rapid.IntRange(1, 5).Draw(t, "phases") {
			p := drawPhase(t, 2000, 40)
			grain := int64(1) << rapid.IntRange(0, 44).Draw(t, "grain") // of times
			for range p.steps {
				for range draws.Below(p.pushes) {
					seq++
					at := now + int64(draws.Below(p.ahead))
					at = max(now, at-at%grain)
					if draws.Below(50) == 0 {
						at = Never - int64(draws.Below(3)) - 1
					}
					queue.push(caller{time: at, place: seq, cost: 3 * seq, key: int32(seq)})
					heap.Push(Event{Time: at, Seq: seq, Ref: int32(seq)})
				}
				now += int64(draws.Below(p.step))
				for len(heap) > 0 && heap[0].Time <= now && draws.Below(50) > 0 {
					compare(now)
				}
				if len(heap) == 0 || heap[0].Time > now {
					if next := queue.next(now); next <= now {
						t.Fatalf("next at %d, want none before %d", next, now)
					}
				}
			}
		}
		for len(heap) > 0 {
			compare(Never)
		}
		if queue.size != 0 {
			t.Fatalf("%d left", queue.size)
		}
	})
}

// BenchmarkRetryQueue measures one pop and one push with an exponential delay,
// with a given number of other retries in the queue.
func BenchmarkRetryQueue(b *testing.B) {
	for _, pending := range []int{10, 1_000, 10_000, 1_000_000} {
		b.Run(strconv.Itoa(pending), func(b *testing.B) {
			var q retryQueue
			draws := random.New(1, 0, "callers")
			push := func(now int64) { q.push(caller{time: now + int64(draws.Exponential()>>32)}) }
			for range pending {
				push(0)
			}
			step := func() {
				q.next(Never - 1)
				push(q.pop().time)
			}
			for range 2 * pending { // until it knows the pace
				step()
			}
			for b.Loop() {
				step()
			}
		})
	}
}
