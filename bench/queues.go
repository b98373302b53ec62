package main

import (
	"container/heap"
	"context"
	"math/rand/v2"
)

// In an event queue each source has its next arrival. The loop removes the
// earliest arrival, decides it, and adds the next one of that source.

type arrival struct {
	at     float64
	source int
}

type binaryHeap []arrival

func (h binaryHeap) Len() int           { return len(h) }
func (h binaryHeap) Less(i, j int) bool { return h[i].at < h[j].at }
func (h binaryHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *binaryHeap) Push(x any)        { *h = append(*h, x.(arrival)) }
func (h *binaryHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

func containerHeap() contestant {
	return eventQueue("container/heap", func(first []arrival) (func() arrival, func(arrival)) {
		h := binaryHeap(first)
		heap.Init(&h)
		return func() arrival { return heap.Pop(&h).(arrival) }, func(a arrival) { heap.Push(&h, a) }
	})
}

// quaternary is a 4-ary heap. Its top is replaced in place.
type quaternary []arrival

func (h quaternary) sift(i int) {
	x := h[i]
	for {
		child := 4*i + 1
		if child >= len(h) {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, len(h)); c++ {
			if h[c].at < h[least].at {
				least = c
			}
		}
		if h[least].at >= x.at {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = x
}

func quaternaryHeap() contestant {
	return eventQueue("4-ary heap, replacing its top", func(first []arrival) (func() arrival, func(arrival)) {
		h := quaternary(first)
		for i := len(h) - 1; i >= 0; i-- {
			h.sift(i)
		}
		return func() arrival { return h[0] }, func(a arrival) {
			h[0] = a
			h.sift(0)
		}
	})
}

// eventQueue decides arrivals with one bucket until the end of the span. fill
// makes a queue of the first arrival of each source. next returns the earliest
// arrival, and again puts its source's next one into the queue.
func eventQueue(name string, fill func(first []arrival) (next func() arrival, again func(arrival))) contestant {
	return contestant{name: name, run: func(context.Context) (int, error) {
		const token, room = int64(1e9 / limit), int64(depth-1) * (1e9 / limit)
		r := rand.New(rand.NewPCG(1, 2))
		mean := sources * 1e9 / float64(offered)
		first := make([]arrival, sources)
		for s := range first {
			first[s] = arrival{r.ExpFloat64() * mean, s}
		}
		next, again := fill(first)
		var b bucket
		var admitted [sources]int64
		n := 0
		for {
			a := next()
			now := int64(a.at)
			if now >= span {
				return n, plausible(admitted[:], token, half)
			}
			admitted[a.source] += b.take(now, token, room)
			n++
			a.at += r.ExpFloat64() * mean
			again(a)
		}
	}}
}
