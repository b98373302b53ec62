package demands

import "fmt"

// Second is the demand of a second that has ended.
type Second struct {
	ends    []int32 // by the place of a key: the end of its flows
	flows   []int32
	demands []int64
}

// Each calls f for each key with demand, with its place, its flows and their demands.
func (s *Second) Each(f func(place int, flows []int32, demands []int64)) {
	from := int32(0)
	for place, to := range s.ends {
		if from < to {
			f(place, s.flows[from:to], s.demands[from:to])
		}
		from = to
	}
}

// Reader reads the places of rows and the demand of seconds. Readers of rows with the same
// demand can share Seconds: the first of them adds the rows, and the others, which read
// the same rows later, find their places and the seconds that have ended.
type Reader struct {
	*Seconds
	rows, seconds int // read of places and ended
}

func (s *Seconds) read() *Reader {
	r := &Reader{Seconds: s}
	s.readers = append(s.readers, r)
	return r
}

// Follow returns another reader of the same rows, before the first row.
func (r *Reader) Follow() *Reader {
	if pairs := int64(len(r.numbers)) * r.Seconds.flows; pairs <= fewSums && r.sums == nil {
		r.sums = make([]int64, pairs)
	}
	return r.Seconds.read()
}

func (r *Reader) leads() bool { return r.readers[0] == r }

// Places adds rows of the current second and returns the places of their keys, or -1 for
// rows without any cost.
func (r *Reader) Places(keys, flows []int32, offered, admitted, reference []int64) []int32 {
	if r.leads() {
		r.forget()
		r.add(keys, flows, offered, admitted, reference)
	}
	from := r.rows
	r.rows += len(keys)
	return r.places[from:r.rows]
}

// forget drops what all readers have read.
func (r *Reader) forget() {
	for _, reader := range r.readers {
		if reader.rows < len(r.places) || reader.seconds < len(r.ended) {
			return
		}
	}
	r.places, r.ended = r.places[:0], r.ended[:0]
	for _, reader := range r.readers {
		reader.rows, reader.seconds = 0, 0
	}
}

// Turn ends the current second and returns its demand, until rows are added.
func (r *Reader) Turn() *Second {
	if r.leads() {
		if n := len(r.ended); n < cap(r.ended) {
			r.ended = r.ended[:n+1]
		} else {
			r.ended = append(r.ended, Second{})
		}
		r.end(&r.ended[len(r.ended)-1])
	}
	r.seconds++
	return &r.ended[r.seconds-1]
}

// Wait changes the cost of a pair that waits. If it is early, before the first second, it
// waits at the start of that. Readers of rows that wait share nothing.
func (r *Reader) Wait(key, flow int32, cost int64, early bool) {
	if r.lost {
		return
	}
	r.wait(key, flow, cost)
	if early {
		r.put(key, flow, cost)
	}
}

// Reason returns why the seconds are not known, or "".
func (r *Reader) Reason() string {
	if !r.lost {
		return ""
	}
	return fmt.Sprintf("needs more than %d MiB of measure_memory", r.memory>>20)
}
