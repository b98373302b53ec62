package leases

import (
	"github.com/limitgauge/limitgauge/algorithms/capacity"
	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Store holds the leases that a server has granted for one key.
type Store struct {
	leases   []Granted
	of       map[int32]int // by client: its place in leases
	sumHas   Capacity
	sumWants Capacity
}

// Granted is the server's state for one client.
type Granted struct {
	Client int32
	Has    Capacity
	Wants  Capacity
	Expiry int64 // ns
}

// get returns the client's lease, or the zero lease if it has none.
func (s *Store) get(client int32) (g Granted, known bool) {
	i, known := s.of[client]
	if known {
		g = s.leases[i]
	}
	return g, known
}

// assign stores what a client has and wants.
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

// release removes a client.
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

// clean removes leases that have expired at now.
func (s *Store) clean(now int64) {
	for i := 0; i < len(s.leases); {
		if s.leases[i].Expiry < now {
			s.release(s.leases[i].Client)
		} else {
			i++
		}
	}
}

// share returns the lease of a client with this demand, by Doorman's algorithms
// with one subclient per client. Neither grants more than the leases of
// the others leave.
func (s *Store) share(how Sharing, capacity Capacity, client int32, wants Capacity) Capacity {
	old, known := s.get(client)
	count := int64(len(s.leases))
	if !known {
		count++
	}
	equal, gets := capacity/count, wants
	switch {
	case wants <= equal:
	case how == Fair:
		gets = s.fairShare(client, wants, equal)
	case s.sumWants > capacity:
		gets = s.proportionalShare(client, wants, equal)
	}
	return max(0, min(gets, capacity-s.sumHas+old.Has))
}

// proportionalShare returns an equal share and, of what others leave of theirs, a
// part in proportion to the demand beyond the equal share. As in the original,
// this client counts with its previous demand when the demands are compared with
// the capacity, and a new client counts neither there nor in the demand beyond the
// equal shares.
func (s *Store) proportionalShare(client int32, wants, equal Capacity) Capacity {
	left, needed := Capacity(0), Capacity(0)
	for i := range s.leases {
		w := s.leases[i].Wants
		if s.leases[i].Client == client {
			w = wants
		}
		left += max(0, equal-w)
		needed += max(0, w-equal)
	}
	if needed == 0 {
		return equal
	}
	return equal + integers.MulDiv(wants-equal, left, needed, capacity.MostWants)
}

// fairShare returns an equal share and two rounds of equal parts of what others
// leave. As in the original, a client that wants slightly more than its share
// after the first round can get more than it wants.
func (s *Store) fairShare(client int32, wants, equal Capacity) Capacity {
	deserved := equal + s.leftOver(client, -1, equal)
	if wants < deserved {
		return wants
	}
	return deserved + s.leftOver(client, equal, deserved)
}

// leftOver returns this client's part of the capacity that clients with demands
// above least and below most leave of most. All clients that want more receive
// equal parts.
func (s *Store) leftOver(client int32, least, most Capacity) Capacity {
	left, takers := Capacity(0), int64(1)
	for i := range s.leases {
		g := &s.leases[i]
		switch {
		case g.Client == client || g.Wants <= least:
		case g.Wants < most:
			left += most - g.Wants
		case g.Wants > most:
			takers++
		}
	}
	return left / takers
}
