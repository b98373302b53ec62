package leases

import "github.com/limitgauge/limitgauge/algorithms/integers"

// Store is the leases that a server has granted for one key.
type Store struct {
	leases   []Granted
	of       map[int32]int // by client, its place in leases
	sumHas   Capacity
	sumWants Capacity
}

// Granted is what the server knows of one client.
type Granted struct {
	Client int32
	Has    Capacity
	Wants  Capacity
	Expiry int64 // ns
}

// get is the client's lease; without one, a lease of nothing.
func (s *Store) get(client int32) (g Granted, known bool) {
	i, known := s.of[client]
	if known {
		g = s.leases[i]
	}
	return g, known
}

// assign puts down what a client has and wants.
func (s *Store) assign(g Granted) {
	old, known := s.get(g.Client)
	s.sumHas += g.Has - old.Has
	s.sumWants += g.Wants - old.Wants
	if known {
		s.leases[s.of[g.Client]] = g
		return
	}
	if s.of == nil {
		s.of = map[int32]int{}
	}
	s.of[g.Client] = len(s.leases)
	s.leases = append(s.leases, g)
}

// release forgets a client.
func (s *Store) release(client int32) {
	i, known := s.of[client]
	if !known {
		return
	}
	s.sumHas -= s.leases[i].Has
	s.sumWants -= s.leases[i].Wants
	last := len(s.leases) - 1
	s.leases[i] = s.leases[last]
	s.of[s.leases[i].Client] = i
	s.leases = s.leases[:last]
	delete(s.of, client)
}

// clean forgets leases that are over at now.
func (s *Store) clean(now int64) {
	for i := 0; i < len(s.leases); {
		if s.leases[i].Expiry < now {
			s.release(s.leases[i].Client)
		} else {
			i++
		}
	}
}

// share is what a client gets that wants so much: Doorman's algorithms, each
// client counting as one. None hands out more than is left beside the leases of
// the others.
func (s *Store) share(how Sharing, capacity Capacity, client int32, wants Capacity) Capacity {
	switch how {
	case Nothing:
		return wants
	case Static:
		return min(capacity, wants)
	case Fair:
		return s.fairShare(capacity, client, wants)
	}
	return s.proportionalShare(capacity, client, wants)
}

// proportionalShare is an equal share and, of what others leave of theirs, a
// part in proportion to what is wanted beyond it. As in the original the wants
// of this client that count for whether there is enough for all are those of
// before, and those of a new client count neither there nor among what is
// wanted beyond the equal shares.
func (s *Store) proportionalShare(capacity Capacity, client int32, wants Capacity) Capacity {
	old, known := s.get(client)
	count := int64(len(s.leases))
	if !known {
		count++
	}
	equal := capacity / count
	unused := capacity - s.sumHas + old.Has
	if s.sumWants <= capacity || wants <= equal {
		return max(0, min(wants, unused))
	}
	left, needed := Capacity(0), Capacity(0)
	for i := range s.leases {
		w := s.leases[i].Wants
		if s.leases[i].Client == client {
			w = wants
		}
		left += max(0, equal-w)
		needed += max(0, w-equal)
	}
	gets := equal
	if needed > 0 {
		gets += integers.MulDiv(wants-equal, left, needed, maxWants)
	}
	return max(0, min(gets, unused))
}

// fairShare is an equal share and two rounds of equal parts of what others leave.
// As in the original a client that wants a little more than after the first
// round may get more than it wants.
func (s *Store) fairShare(capacity Capacity, client int32, wants Capacity) Capacity {
	old, known := s.get(client)
	count := int64(len(s.leases))
	if !known {
		count++
	}
	available := capacity - s.sumHas + old.Has
	equal := capacity / count
	if wants <= equal {
		return max(0, min(wants, available))
	}
	// What those leave who want less than their share, for all who want more.
	left, takers := Capacity(0), int64(1)
	for i := range s.leases {
		g := &s.leases[i]
		switch {
		case g.Client == client:
		case g.Wants < equal:
			left += equal - g.Wants
		case g.Wants > equal:
			takers++
		}
	}
	deserved := equal + left/takers
	if wants < deserved {
		return max(0, min(wants, available))
	}
	// What those leave of that who want less than it.
	left, takers = 0, 1
	for i := range s.leases {
		g := &s.leases[i]
		switch {
		case g.Client == client || g.Wants <= equal:
		case g.Wants < deserved:
			left += deserved - g.Wants
		case g.Wants > deserved:
			takers++
		}
	}
	return max(0, min(deserved+left/takers, available))
}
