package attack

import "github.com/limitgauge/limitgauge/internal/lists"

// burst returns count requests at one instant, over all clients.
func burst(at, count int64) Train { return Train{At: at, Count: count, Client: -1, Cost: 1} }

// spaced returns count requests that begin at a time and are gap ns apart.
func spaced(at, count, gap int64) Train {
	return Train{At: at, Count: count, Gap: gap, Client: -1, Cost: 1}
}

// patterns returns known attacks, those that break most limiters first.
func (s *space) patterns() []*Candidate {
	p := &starts{space: s}
	p.atAnyTime()
	p.byClient()
	p.withKeys()
	p.withCosts()
	p.overTime()
	return p.list
}

// starts collects candidates to start from.
type starts struct {
	*space
	list []*Candidate
}

// add adds a candidate of a pattern, if it has a request that fits.
func (s *starts) add(from string, trains ...Train) {
	s.addCandidate(&Candidate{Trains: trains, Seed: s.seed, from: from})
}

func (s *starts) addCandidate(c *Candidate) {
	if s.fit(c) {
		s.list = append(s.list, c)
	}
}

// atAnyTime adds attacks that choose times alone.
func (s *starts) atAnyTime() {
	w, l, b, gap := s.window, s.count, s.burst, s.gap()
	last := s.end - w
	s.add("pair of bursts at a boundary", burst(w-1, l), burst(w, l))
	s.add("burst", burst(w/2, s.most))
	if s.apart > 0 {
		s.add("burst across a boundary", spaced(max(0, w-l*s.apart), 2*l, s.apart))
		s.add("burst after idling", burst(0, 1), spaced(last-w, s.most, s.apart))
	}
	s.add("one request, then a pair of bursts a window later", burst(0, 1), burst(w-1, l), burst(w, l))
	s.add("burst after idling", burst(0, 1), burst(last, s.most))
	const tick = 1000 // ns; clocks of databases count microseconds
	half := (gap/2 + tick - 1) / tick * tick
	for _, each := range []int64{half, gap} {
		for _, size := range []int64{b - 1, b, b + 1, l} {
			for _, at := range []int64{w, w - 1} {
				s.add("burst, then a steady rate", burst(at, size), spaced(at+each, s.most, each))
				n := (2*w - 1) / max(1, each)
				s.add("burst, a steady rate, burst", burst(0, 1), burst(at, size), spaced(at+each, n, each), burst(at+n*each, b))
			}
		}
	}
	const clock = 1_000_000 // ns; clocks of servers count milliseconds
	s.add("burst at the end of a millisecond, then a steady rate", burst(w-1, b+1), spaced(max(w, w-clock+gap), s.most, gap))
	for _, at := range s.roundTimes() {
		s.add("burst at a round time", burst(at, s.most))
		s.add("bursts around a round time", burst(max(0, at-w/2), b), burst(at, s.most))
	}
	for _, size := range []int64{b, l} {
		s.add("burst, idling, burst", burst(0, size), burst(last, s.most))
		for _, idle := range append(s.roundTimes(), w/10, w/3, w, 3*w) {
			s.add("burst, idling, burst", burst(w/2, size), burst(w/2+idle+1, size))
		}
		var every []Train
		for at := w; at < s.end; at += w {
			every = append(every, burst(at-1, size), burst(at, size))
		}
		s.add("pairs of bursts at all boundaries", every...)
	}
	for long := w / 8; long <= 4*w; long *= 2 {
		high := s.most / min(5, s.end/(2*long)+1)
		if high < 1 || long < 1 {
			continue
		}
		var square []Train
		each := max(1, s.apart, long/high)
		for at := int64(0); at < s.end; at += 2 * long {
			square = append(square, spaced(at, min(high, long/each), each))
		}
		s.add("square wave", square...)
	}
	for _, k := range []int64{1, 2, 3, 10} {
		s.add("steady rate", spaced(0, s.most, max(1, gap/k)))
	}
	for each := s.apart + 1; each < w; each *= 10 {
		s.add("steady rate", spaced(w/2, s.most, each))
	}
}

// overTime adds attacks on limiters that forget or forgive at some time: pairs of
// bursts at round times and all over the run, bursts after ever longer idle times, and
// rates far below the limit.
func (s *starts) overTime() {
	for _, at := range s.roundTimes() {
		if at > 0 {
			s.add("pair of bursts at a round time", burst(at-1, s.burst), burst(at, s.most))
		}
	}
	for _, unit := range []int64{s.window, s.window / 10, 1_000_000_000} {
		var longer []Train
		for at, idle := s.window/2, unit; unit > 0 && at < s.end && len(longer) < 50; at, idle = at+idle, idle+unit {
			longer = append(longer, burst(at, 1))
		}
		for i := range longer {
			longer[i].Count = max(1, s.most/int64(len(longer)))
		}
		s.add("bursts after ever longer idle times", longer...)
	}
	for _, windows := range []int64{1, 2, 3, 5, 10} {
		s.add("slow steady rate", spaced(0, s.most, windows*s.window))
	}
	for _, pairs := range s.everywhere() {
		s.add("pairs of bursts all over the run", pairs...)
	}
}

// mostScans limits the candidates of everywhere.
const mostScans = 200

// everywhere returns pairs of bursts that together cover the run. Within a pair, the
// limit's rate earns half a burst: where a limiter forgets between the two, it admits
// more. A candidate has as few pairs as the number of candidates allows, far apart, so
// that the limiter recovers.
func (s *space) everywhere() (list [][]Train) {
	apart := s.burst * s.gap() / 2
	if apart < 1 || s.apart > 0 {
		return nil
	}
	all := (s.end - 1) / apart
	pairs := min((all+mostScans-1)/mostScans, max(1, s.most/(2*s.burst)))
	scans := min(mostScans, (all+pairs-1)/max(1, pairs))
	for i := range scans {
		var trains []Train
		for n := range pairs {
			if at := (i + n*scans) * apart; at+apart < s.end {
				trains = append(trains, burst(at, s.burst), burst(at+apart, s.burst))
			}
		}
		list = append(list, trains)
	}
	return list
}

// roundTimes returns the ends of seconds, minutes and longer times at which a program
// may do something, in ns.
func (s *space) roundTimes() []int64 {
	const second = int64(1_000_000_000)
	all := []int64{0, second, 2 * second, 5 * second, 10 * second, 30 * second, 60 * second, 120 * second, 300 * second, 3600 * second}
	return lists.Where(all, func(at int64) bool { return at < s.end })
}

// byClient adds known attacks that choose clients: all on one, and from one to
// the next.
func (s *starts) byClient() {
	if !s.may.Clients || s.clients < 2 {
		return
	}
	one := func(t Train, client int) Train {
		t.Client = client
		return t
	}
	for client := range min(s.clients, 8) {
		s.add("burst on one client", one(burst(s.window/2, s.most), client))
		s.add("steady rate on one client", one(spaced(0, s.most, max(1, s.gap()/3)), client))
	}
	s.add("pair of bursts on one client", one(burst(s.window-1, s.count), 0), one(burst(s.window, s.count), 0))
	n := min(s.clients, 64)
	for _, step := range []int64{1, s.window / 100, s.window / 10, s.window} {
		var rotating []Train
		for i := range n {
			rotating = append(rotating, one(burst(s.window/2+int64(i)*step, max(1, s.most/int64(n))), i))
		}
		s.add("rotating clients", rotating...)
	}
}

// withKeys adds known attacks that choose keys: a burst on each, and one key again
// and again with another in between, or with all others.
func (s *starts) withKeys() {
	if !s.may.Keys || s.keys < 2 {
		return
	}
	var each, between, all []Train
	for key := range s.keys {
		t := burst(s.window/2, max(1, s.most/int64(s.keys)))
		t.Key = key
		each = append(each, t)
	}
	for i := range int64(4) {
		other := burst(s.window/2+2*i+1, 1)
		other.Key = 1
		again := burst(s.window/2+2*i, s.burst)
		between = append(between, again, other)
		all = append(all, again)
		for other.Key = 1; other.Key < s.keys; other.Key++ {
			all = append(all, other)
		}
	}
	s.add("burst on each key", each...)
	s.add("bursts with another key in between", between...)
	s.add("bursts with all other keys in between", all...)
}

// withCosts adds known attacks with costs above 1: one request that a debt pays
// for, and a few large ones at a boundary.
func (s *starts) withCosts() {
	if !s.may.Costs {
		return
	}
	dear := func(t Train, cost int64) Train {
		t.Cost = max(1, cost)
		return t
	}
	w := s.window
	for _, cost := range []int64{s.burst, s.count} {
		s.add("one request of a large cost", dear(burst(w/2, 1), cost))
		s.add("burst, then a request of a large cost", burst(w/2, s.burst-1), dear(burst(w/2, 1), cost))
		s.add("pair of large costs at a boundary", dear(burst(w-1, 1), cost), dear(burst(w, 1), cost))
		s.add("large costs at once", dear(burst(w/2, s.most), cost))
	}
}
