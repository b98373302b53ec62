package patterns

import (
	"errors"
	"math"
	"math/bits"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// sourcesField declares the number of modulating processes.
var sourcesField = catalog.Field{
	Name: "sources", Kind: catalog.Int, Min: "1", Max: "100000",
	Doc: "Number of independent processes that switch between on and off. With one all keys burst together; with n key number i is on and off with process i modulo n, " +
		"and n equal keys burst on their own, each at rate/n. Several processes of one key share its rate.",
}

// sources is a number of modulated processes with independent states. The requests of
// a key follow the process to which it belongs.
//
// Candidates are a Poisson process of the higher rate. A candidate is kept with the
// probability rate/higher rate of the state of its process, exact to 2^-64.
type sources struct {
	*modulated
	count  int64
	higher exactRate
	kept   [2]uint64 // the probability in each state, in 2^-64; MaxUint64 for 1
}

func newSources(m *modulated, count int64) (Pattern, error) {
	s := &sources{modulated: m, count: count, higher: m.rates[0], kept: [2]uint64{math.MaxUint64, math.MaxUint64}}
	lower, state := m.rates[1], 1
	part, ok0 := product(lower.n, s.higher.p)
	whole, ok1 := product(lower.p, s.higher.n)
	if part > whole {
		s.higher, lower, state = lower, s.higher, 0
		part, whole = whole, part
	}
	if !ok0 || !ok1 {
		return nil, errors.New("rate_on and rate_off: with several sources they have too many digits")
	}
	if part < whole {
		s.kept[state], _ = bits.Div64(uint64(part), 0, uint64(whole))
	}
	return s, nil
}

func (s *sources) Open(draws random.Stream) Clock {
	c := &SourcesClock{sources: s, times: draws, draws: draws.Jumped(1 << 62), states: make([]onOff, s.count)}
	c.candidates = newPoissonArrivals(&c.times, s.span.From, s.higher)
	for i := range c.states {
		o := &c.states[i]
		o.state = s.begin(&c.draws)
		o.end, o.fraction = s.rests[o.state](s.span.From, 0, &c.draws)
	}
	return c
}

// SourcesClock is a Clock whose arrivals depend on their keys.
type SourcesClock struct {
	*sources
	times      random.Stream // of candidates
	draws      random.Stream // of states and decisions
	candidates poissonArrivals
	states     []onOff
}

// onOff is the state of a process.
type onOff struct {
	end      int64 // of the present stay
	fraction uint64
	state    int
}

// keep moves the candidates that arrive to the front, with their keys, and returns
// their number.
func (c *SourcesClock) keep(times []int64, keys []int32, of int64) (kept int) {
	for i, at := range times {
		o := &c.states[c.source(int64(keys[i]), of)]
		for o.end <= at {
			o.state = 1 - o.state
			o.end, o.fraction = c.stays[o.state](o.end, o.fraction, &c.draws)
		}
		chance := c.kept[o.state]
		if chance == 0 || chance < math.MaxUint64 && c.draws.Uint64() >= chance {
			continue
		}
		times[kept], keys[kept] = at, keys[i]
		kept++
	}
	return kept
}

// source returns the process of a key: one of equal number modulo that of processes or
// that of keys, whichever is less.
func (c *SourcesClock) source(key, of int64) int64 {
	switch {
	case of == 1:
		return int64(c.draws.Below(uint64(c.count)))
	case of < c.count:
		return key + of*int64(c.draws.Below(uint64((c.count-1-key)/of+1)))
	}
	return key % c.count
}

// Fill writes the arrivals of a single key.
func (c *SourcesClock) Fill(times []int64) int {
	keys := make([]int32, len(times))
	return c.FillKeys(times, keys, 1, func([]int32) {})
}

// FillKeys writes the next arrivals and their keys and returns their number. choose
// writes the keys of candidates: numbers below of, or always the same if that is 1.
func (c *SourcesClock) FillKeys(times []int64, keys []int32, of int64, choose func(keys []int32)) (n int) {
	for n < len(times) {
		rest := times[n:]
		found := c.candidates.fill(&c.times, rest, c.span.To)
		choose(keys[n : n+found])
		n += c.keep(rest[:found], keys[n:n+found], of)
		if found < len(rest) {
			break
		}
	}
	return n
}
