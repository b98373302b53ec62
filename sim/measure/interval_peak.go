package measure

// instant is a time at which something was let through, and all the cost that
// was let through until then, its own included.
type instant struct{ time, total int64 }

// intervalPeak finds the most that was let through in any (t-v, t], where t is
// an instant. It does not follow the sum from one instant to the next: mostly it
// can tell of many of them at once that none ends an interval that holds more.
type intervalPeak struct {
	v    int64 // ns
	tail int64 // the first instant still inside, or one before it
	base int64 // the total before tail
	most int64
}

// stretch is how many instants are looked at together.
const groupSize = 64

// look takes the instants from one on, all later ones of q among them.
func (p *intervalPeak) look(q *ring[instant], from int64) {
	last := q.tail - 1
	// While no more than most has come since tail, no interval holds more,
	// wherever it begins.
	for from <= last && q.at(last).total > p.base+p.most {
		to := min(from+groupSize-1, last)
		switch {
		case q.at(to).total <= p.base+p.most:
		case q.at(p.tail).time+p.v > q.at(last).time: // nothing leaves
			p.most, to = q.at(last).total-p.base, last
		case p.skipExpired(q, from, to):
		case !p.skipSparse(q, from, to):
			p.search(q, from, to)
		}
		from = to + 1
	}
}

// far reports whether so much has left before from that no interval that ends in
// [from, to] holds more than most. It looks at one instant to tell.
func (p *intervalPeak) skipExpired(q *ring[instant], from, to int64) bool {
	// Every instant adds 1 or more, so that this one's total is enough.
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

// spread reports whether intervals that end in [from, to] hold so few instants
// that none holds more than most. It can only tell where nearly every instant
// adds 1.
func (p *intervalPeak) skipSparse(q *ring[instant], from, to int64) bool {
	first := from - p.most
	if first < q.head {
		return false
	}
	// So many instants in a row add up to most or less.
	few := p.most - (q.at(to).total - q.at(first).total - (to - first))
	if few <= 0 {
		return false
	}
	early := int64(0) // below 0 where the instant so many before is still inside
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

// search looks at the instants [from, to] one by one, but leaves out those
// before the first whose interval could hold more than most.
func (p *intervalPeak) search(q *ring[instant], from, to int64) {
	for from <= to && q.at(to).total > p.base+p.most {
		i := firstAbove(q, from, to, p.base+p.most)
		at := q.at(i)
		p.move(q, at.time, i)
		p.most = max(p.most, at.total-p.base)
		from = i + 1
	}
}

// move drops what is no longer in (t-v, t], the instants from end on aside.
func (p *intervalPeak) move(q *ring[instant], t, end int64) {
	if p.tail >= end || q.at(p.tail).time > t-p.v {
		return
	}
	gone := lastBefore(q, p.tail, end-1, t-p.v+1)
	p.tail, p.base = gone+1, q.at(gone).total
}

// firstAbove is the first instant in [lo, last] whose total is above sum, as
// that of last is.
func firstAbove(q *ring[instant], lo, last, sum int64) int64 {
	// Every instant adds 1 or more: it cannot be later than where each adds 1,
	// and mostly is there.
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

// lastBefore is the last instant in [lo, hi] before t, as that of lo is.
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
