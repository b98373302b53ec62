package measure

// instant is a time at which cost was admitted, and the total admitted up to
// and including it.
type instant struct{ time, total int64 }

// intervalPeak finds the largest cost admitted in any interval (t-v, t] that
// ends at an instant. It does not update a sum for every instant: usually it
// can show for a group of instants that none ends an interval with a larger
// cost.
type intervalPeak struct {
	v    int64 // ns
	tail int64 // the first instant inside the interval, or an earlier one
	base int64 // the total before tail
	most int64
}

// groupSize is the number of instants that are examined together.
const groupSize = 64

// look processes the instants of q from index from on.
func (p *intervalPeak) look(q *ring[instant], from int64) {
	last := q.tail - 1
	// If at most most was admitted since tail, no interval holds more.
	for from <= last && q.at(last).total > p.base+p.most {
		to := min(from+groupSize-1, last)
		switch {
		case q.at(to).total <= p.base+p.most:
		case q.at(p.tail).time+p.v > q.at(last).time: // no instant leaves the interval
			p.most, to = q.at(last).total-p.base, last
		case p.skipExpired(q, from, to):
		case !p.skipSparse(q, from, to):
			p.search(q, from, to)
		}
		from = to + 1
	}
}

// skipExpired reports whether so much has left the interval before from that no
// interval with an end in [from, to] holds more than most. It examines a single
// instant.
func (p *intervalPeak) skipExpired(q *ring[instant], from, to int64) bool {
	// Every instant adds at least 1, so the total of this one suffices.
	gone := p.tail - 1 + q.at(to).total - p.base - p.most
	left := q.at(from).time - p.v
	if gone >= from || q.at(gone).time > left {
		return false
	}
	for step := int64(groupSize); step >= groupSize; {
		if at := gone + step; at < from && q.at(at).time <= left {
			gone = at
			step *= 2
		} else {
			step /= 2
		}
	}
	p.tail, p.base = gone+1, q.at(gone).total
	return true
}

// skipSparse reports whether the intervals with an end in [from, to] contain so
// few instants that none holds more than most. It succeeds only if nearly every
// instant adds 1.
func (p *intervalPeak) skipSparse(q *ring[instant], from, to int64) bool {
	first := from - p.most
	if first < q.head {
		return false
	}
	// Any so many consecutive instants add at most most.
	few := p.most - (q.at(to).total - q.at(first).total - (to - first))
	if few <= 0 {
		return false
	}
	early := int64(0) // negative if the instant that many places before is still inside
	for i := from; i <= to; {
		ends, begins := q.run(i, to+1), q.run(i-few, to+1-few)
		begins = begins[:min(len(ends), len(begins))]
		for k := range begins {
			early |= ends[k].time - begins[k].time - p.v
		}
		i += int64(len(begins))
	}
	if early < 0 {
		return false
	}
	p.tail, p.base = to-few+1, q.at(to-few).total
	return true
}

// search examines the instants [from, to] one by one. It skips those whose
// intervals cannot hold more than most.
func (p *intervalPeak) search(q *ring[instant], from, to int64) {
	for from <= to && q.at(to).total > p.base+p.most {
		i := firstAbove(q, from, to, p.base+p.most)
		at := q.at(i)
		p.move(q, at.time, i)
		p.most = max(p.most, at.total-p.base)
		from = i + 1
	}
}

// move removes the instants before end that are no longer in (t-v, t].
func (p *intervalPeak) move(q *ring[instant], t, end int64) {
	if p.tail >= end || q.at(p.tail).time > t-p.v {
		return
	}
	gone := lastBefore(q, p.tail, end-1, t-p.v+1)
	p.tail, p.base = gone+1, q.at(gone).total
}

// firstAbove returns the first instant in [lo, last] whose total is above sum.
// The total of last must be.
func firstAbove(q *ring[instant], lo, last, sum int64) int64 {
	// Every instant adds at least 1, so the result is at most here, and usually
	// exactly here.
	hi := min(last, lo+max(0, sum-q.at(lo).total+1))
	if hi > lo && q.at(hi-1).total > sum {
		for lo < hi {
			if mid := (lo + hi) >> 1; q.at(mid).total > sum {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
	}
	return hi
}

// lastBefore returns the last instant in [lo, hi] before t. lo must be before
// t.
func lastBefore(q *ring[instant], lo, hi, t int64) int64 {
	if q.at(hi).time < t {
		return hi
	}
	for step := int64(1); lo+step < hi; step *= 2 {
		if q.at(lo+step).time >= t {
			hi = lo + step
			break
		}
		lo += step
	}
	for hi-lo > 1 {
		if mid := (lo + hi) >> 1; q.at(mid).time < t {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
