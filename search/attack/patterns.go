package attack

// burst returns count requests at one instant, over all clients.
func burst(at, count int64) Train { return Train{At: at, Count: count, Client: -1} }

// spaced returns count requests that begin at a time and are gap ns apart.
func spaced(at, count, gap int64) Train { return Train{At: at, Count: count, Gap: gap, Client: -1} }

// patterns returns known attacks, those that break most limiters first.
func (s *space) patterns() []*Candidate {
	var list []*Candidate
	add := func(name string, trains ...Train) {
		c := &Candidate{Trains: trains, Seed: s.seed, from: name}
		if s.fit(c) {
			list = append(list, c)
		}
	}
	w, l, b, gap := s.window, s.count, s.burst, s.gap()
	last := s.end - w
	add("pair of bursts at a boundary", burst(w-1, l), burst(w, l))
	add("burst", burst(w/2, s.most))
	if s.apart > 0 {
		add("burst across a boundary", spaced(max(0, w-l*s.apart), 2*l, s.apart))
		add("burst after idling", burst(0, 1), spaced(last-w, s.most, s.apart))
	}
	add("one request, then a pair of bursts a window later", burst(0, 1), burst(w-1, l), burst(w, l))
	add("burst after idling", burst(0, 1), burst(last, s.most))
	const tick = 1000 // ns; clocks of databases count microseconds
	half := (gap/2 + tick - 1) / tick * tick
	for _, each := range []int64{half, gap} {
		for _, size := range []int64{b - 1, b, b + 1, l} {
			for _, at := range []int64{w, w - 1} {
				add("burst, then a steady rate", burst(at, size), spaced(at+each, s.most, each))
				n := (2*w - 1) / max(1, each)
				add("burst, a steady rate, burst", burst(0, 1), burst(at, size), spaced(at+each, n, each), burst(at+n*each, b))
			}
		}
	}
	const clock = 1_000_000 // ns; clocks of servers count milliseconds
	add("burst at the end of a millisecond, then a steady rate", burst(w-1, b+1), spaced(max(w, w-clock+gap), s.most, gap))
	for _, size := range []int64{b, l} {
		add("burst, idling, burst", burst(0, size), burst(last, s.most))
		add("burst, idling, burst", burst(w/2, size), burst(last+w/2, s.most))
		var every []Train
		for at := w; at < s.end; at += w {
			every = append(every, burst(at-1, size), burst(at, size))
		}
		add("pairs of bursts at all boundaries", every...)
	}
	for long := w / 8; long <= 4*w; long *= 2 {
		high := s.most / max(1, s.end/(2*long))
		if high < 1 || long < 1 {
			continue
		}
		var square []Train
		each := max(s.apart, long/high)
		for at := int64(0); at < s.end; at += 2 * long {
			square = append(square, spaced(at, min(high, long/max(1, each)), each))
		}
		add("square wave", square...)
	}
	for _, k := range []int64{1, 2, 3, 10} {
		add("steady rate", spaced(0, s.most, max(1, gap/k)))
	}
	return append(list, append(s.byClient(), s.withKeys()...)...)
}

// byClient returns known attacks that choose clients: all on one, and from one to
// the next.
func (s *space) byClient() (list []*Candidate) {
	if !s.may.Clients || s.clients < 2 {
		return nil
	}
	add := func(name string, trains ...Train) {
		c := &Candidate{Trains: trains, Seed: s.seed, from: name}
		if s.fit(c) {
			list = append(list, c)
		}
	}
	one := func(t Train, client int) Train {
		t.Client = client
		return t
	}
	add("burst on one client", one(burst(s.window/2, s.most), 0))
	add("pair of bursts on one client", one(burst(s.window-1, s.count), 0), one(burst(s.window, s.count), 0))
	n := min(s.clients, 64)
	for _, step := range []int64{1, s.window / 100, s.window / 10, s.window} {
		var rotating []Train
		for i := range n {
			rotating = append(rotating, one(burst(s.window/2+int64(i)*step, max(1, s.most/int64(n))), i))
		}
		add("rotating clients", rotating...)
	}
	return list
}

// withKeys returns a burst on each key.
func (s *space) withKeys() (list []*Candidate) {
	if !s.may.Keys || s.keys < 2 {
		return nil
	}
	c := &Candidate{Seed: s.seed, from: "burst on each key"}
	for key := range s.keys {
		t := burst(s.window/2, max(1, s.most/int64(s.keys)))
		t.Key = key
		c.Trains = append(c.Trains, t)
	}
	if s.fit(c) {
		list = append(list, c)
	}
	return list
}
