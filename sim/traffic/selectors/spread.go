package selectors

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Spread selects the client that sends each arrival. It is immutable.
type Spread interface {
	Random() bool
	// Fill writes one client for each row. The first row is the entry's arrival
	// number first, counted from 0; keys and tenants are those of the rows.
	Fill(draws *random.Stream, first int64, keys, tenants, column []int32)
}

// Names returns the names of dense ids.
type Names interface {
	Count() int
	Name(id int) string
}

// NewSpread returns the spread of a bound choice over this number of clients.
// An unset choice is even.
func NewSpread(c catalog.Choice, clients int, keys, tenants Names) (Spread, error) {
	switch c.Name {
	case "", "even":
		return even{int32(clients)}, nil
	case "random":
		if clients == 1 {
			return even{1}, nil
		}
		return randomClient{uniform{uint64(clients)}}, nil
	case "hash":
		return hashed{byHash(clients, keys), false}, nil
	case "sticky":
		return hashed{byHash(clients, tenants), true}, nil
	case "skewed":
		return newSkewed(c.Values.List("shares"), clients)
	}
	return nil, fmt.Errorf("there is no spread %q", c.Name)
}

// even sends the entry's arrival i to client i modulo clients.
type even struct{ clients int32 }

func (e even) Random() bool { return false }

func (e even) Fill(_ *random.Stream, first int64, _, _, column []int32) {
	c := int32(first % int64(e.clients))
	round := min(int(e.clients), len(column))
	for i := range column[:round] {
		column[i] = c
		if c++; c == e.clients {
			c = 0
		}
	}
	// The rest repeats; copying is faster than counting.
	for n := round; n < len(column); n *= 2 {
		copy(column[n:], column[:n])
	}
}

// randomClient sends each arrival to a client at random.
type randomClient struct{ uniform }

func (a randomClient) Fill(draws *random.Stream, _ int64, _, _, column []int32) {
	a.uniform.Fill(draws, column)
}

// byHash returns the client of each name: Hash(name) modulo clients.
func byHash(clients int, names Names) []int32 {
	client := make([]int32, names.Count())
	for id := range client {
		client[id] = int32(Hash(names.Name(id)) % uint64(clients))
	}
	return client
}

// Hash returns the 64-bit FNV-1a hash of a name with its upper half folded onto
// the lower by exclusive or.
func Hash(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h ^ h>>32
}

// hashed sends every arrival of a key or of a tenant to the same client.
type hashed struct {
	client  []int32 // by key, or by tenant
	tenants bool
}

func (h hashed) Random() bool { return false }

func (h hashed) Fill(_ *random.Stream, _ int64, keys, tenants, column []int32) {
	ids := keys
	if h.tenants {
		ids = tenants
	}
	for i, id := range ids {
		column[i] = h.client[id]
	}
}

// skewed sends each arrival to client i with a probability of exactly its
// share.
type skewed struct{ weights weighted }

func newSkewed(shares []any, clients int) (Spread, error) {
	if len(shares) > clients {
		return nil, fmt.Errorf("shares: there are %d for %d clients", len(shares), clients)
	}
	// A common denominator makes the shares whole numbers.
	den := uint64(1)
	for _, s := range shares {
		f := s.(units.Fraction)
		hi, lo := bits.Mul64(den/integers.GCD(den, uint64(f.Den)), uint64(f.Den))
		if hi != 0 || lo >= 1<<62 {
			return nil, errors.New("shares: have no common denominator below 2^62: use rounder ones")
		}
		den = lo
	}
	var weights []uint64
	left := den
	for _, s := range shares {
		f := s.(units.Fraction)
		weight := den / uint64(f.Den) * uint64(f.Num)
		if weight > left {
			return nil, errors.New("shares: add up to more than 1")
		}
		weights = append(weights, weight)
		left -= weight
	}
	if left > 0 {
		return nil, errors.New("shares: add up to less than 1")
	}
	w, err := newWeighted(weights)
	return skewed{w}, err
}

func (k skewed) Random() bool { return true }

func (k skewed) Fill(draws *random.Stream, _ int64, _, _, column []int32) {
	s := *draws
	for i := range column {
		column[i] = int32(k.weights.draw(&s))
	}
	*draws = s
}
