package engine

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
)

// phase is a part of a test in which events arrive at one rate.
type phase struct {
	steps  int    // instants
	step   uint64 // between two of them
	ahead  uint64 // of what is pushed
	pushes uint64 // at an instant, less one
}

func drawPhase(t *rapid.T, mostSteps, mostPushes int) phase {
	return phase{
		steps:  rapid.IntRange(1, mostSteps).Draw(t, "steps"),
		step:   1 << rapid.IntRange(0, 40).Draw(t, "step"),
		ahead:  1 << rapid.IntRange(0, 44).Draw(t, "ahead"),
		pushes: uint64(rapid.IntRange(0, mostPushes).Draw(t, "pushes")) + 1,
	}
}

// The queue returns events in the order of the heap, for any number and rate of
// events, whether they are due at once, soon or never, and whether they are
// pushed in order or not.
func TestEventQueueOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var queue EventQueue
		var heap EventHeap
		draws := random.New(rapid.Uint64().Draw(t, "seed"), 0, "events")
		now, seq := int64(rapid.SampledFrom([]int{0, 1e18}).Draw(t, "start")), int64(0)
		for range rapid.IntRange(1, 5).Draw(t, "phases") {
			ordered := rapid.Bool().Draw(t, "in order")
			p := drawPhase(t, 2000, 40)
			for range p.steps {
				for range draws.Below(p.pushes) {
					seq++
					e := Event{Time: now + int64(draws.Below(p.ahead)), Seq: seq, Kind: uint32(draws.Below(3)), Ref: int32(seq)}
					if ordered {
						e.Time, e.Kind = now+int64(p.ahead), 0
					} else if draws.Below(50) == 0 {
						e.Time = Never - int64(draws.Below(3))
					}
					queue.Push(e)
					heap.Push(e)
				}
				now += int64(draws.Below(p.step))
				for len(heap) > 0 && heap[0].Time <= now && draws.Below(50) > 0 {
					if next := queue.Next(now); next != heap[0].Time {
						t.Fatalf("next at %d, want %d", next, heap[0].Time)
					}
					if got, want := queue.Pop(), heap.Pop(); got != want {
						t.Fatalf("popped %+v, want %+v", got, want)
					}
				}
				if len(heap) == 0 || heap[0].Time > now {
					if next := queue.Next(now); next <= now {
						t.Fatalf("next at %d, want none before %d", next, now)
					}
				}
			}
		}
		for len(heap) > 0 {
			queue.Next(Never)
			if got, want := queue.Pop(), heap.Pop(); got != want {
				t.Fatalf("popped %+v, want %+v", got, want)
			}
		}
	})
}

// A line returns due events in the order of the heap, whether events are pushed
// in order, out of order, or alternately.
func TestEventLineOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var line EventLine
		var heap EventHeap
		draws := random.New(rapid.Uint64().Draw(t, "seed"), 0, "events")
		now, seq := int64(rapid.SampledFrom([]int{0, 1e18}).Draw(t, "start")), int64(0)
		var got, want []Event
		compare := func(until int64) {
			if len(got) > 100 {
				got, want = got[:0], want[:0]
			}
			n := len(got)
			got = line.PopUntil(until, got)
			for range got[n:] {
				want = append(want, heap.Pop())
			}
			if !slices.Equal(got, want) { // also what was there before
				t.Fatalf("popped %+v, want %+v", got, want)
			}
			if len(heap) > 0 && heap[0].Time <= until {
				t.Fatalf("nothing more until %d, want %+v", until, heap[0])
			}
		}
		for range rapid.IntRange(1, 6).Draw(t, "phases") {
			ordered := rapid.Bool().Draw(t, "in order")
			p := drawPhase(t, 500, 99)
			for range p.steps {
				for range draws.Below(p.pushes) {
					seq++
					e := Event{Time: now + int64(p.ahead), Seq: seq, Ref: int32(seq)}
					if !ordered {
						e.Time, e.Kind = now+int64(draws.Below(p.ahead)), uint32(draws.Below(3))
					}
					line.Push(e)
					heap.Push(e)
				}
				now += int64(draws.Below(p.step))
				compare(now)
			}
		}
		compare(Never - 1)
	})
}

// BenchmarkEvents measures one pop and one push with an exponential delay, with
// a given number of other events in the queue.
func BenchmarkEvents(b *testing.B) {
	for _, pending := range []int{1, 10, 100, 2_000, 100_000} {
		for _, c := range []struct {
			name string
			push func(Event)
			pop  func() Event
		}{heapOf(), queueOf()} {
			b.Run(fmt.Sprintf("%s/%d", c.name, pending), func(b *testing.B) {
				draws, seq := random.New(1, 0, "events"), int64(0)
				push := func(now int64) {
					seq++
					c.push(Event{Time: now + int64(draws.Exponential()>>32), Seq: seq})
				}
				for range pending {
					push(0)
				}
				for b.Loop() {
					push(c.pop().Time)
				}
			})
		}
	}
}

type pushPop = struct {
	name string
	push func(Event)
	pop  func() Event
}

func heapOf() pushPop {
	h := &EventHeap{}
	return pushPop{"heap", h.Push, h.Pop}
}

func queueOf() pushPop {
	q := &EventQueue{}
	return pushPop{"queue", q.Push, func() Event {
		q.Next(Never - 1)
		return q.Pop()
	}}
}
