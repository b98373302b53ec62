package least

import (
	"errors"
	"math"
	"sort"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// mostHeld is how many requests of the keys that matter are held in memory, and mostWork
// how many decisions the searches of a study may take that try all allowances of costs
// that differ.
const (
	mostHeld = 2 << 20
	mostWork = 500e6
)

// spend gives a search one of so many equal parts of half of the work that is left. It
// returns a function that takes off what the search has used.
func (s *search) spend(parts int) (used func()) {
	s.most = s.study.work / 2 / int64(parts)
	return func() { s.study.work -= min(s.work, s.most) }
}

// search looks for the least allowance of one candidate.
//
// If all costs are equal, a larger allowance never refuses more requests. For a limit
// says for each admitted request only how long after earlier ones it comes at the
// earliest, so by induction a counter, which admits as soon as it can, admits its i-th
// request no later than any other choice of requests within the limit, such as the one of
// a counter with a smaller allowance. So bisection finds the least allowance.
//
// If costs differ, that is wrong: a large request that is admitted can cost several small
// ones. Then all allowances from a lower bound on are tried, in steps: the decisions on a
// period are the same for all allowances up to the least one that admits a refused
// request of it.
type search struct {
	study     *Study
	algorithm *Algorithm
	limit     counting.Limit
	needs     []int64 // by key
	allowed   int64
	active    []int32   // the keys that need more than an allowance below the answer
	held      []*period // their requests
	work      int64     // decisions taken
	most      int64     // of them, before the search stops trying all allowances
}

// Least is an allowance that keeps the goal.
type Least struct {
	Allowance int64
	Exact     bool  // every smaller one refuses more than the goal allows
	Tried     int64 // all below this do
}

// find returns the least allowance for the goal, given the lowest.
func (s *search) find(g Goal, lowest int64) (Least, error) {
	if g.OfKeys || s.allowed == 0 || lowest == Unbounded || lowest == s.largestNeed() {
		return Least{lowest, true, lowest}, nil
	}
	at, most, err := s.narrow(lowest, s.largestNeed())
	if err != nil || at == most {
		return Least{most, s.study.equal || at == lowest, lowest}, err
	}
	if err := s.hold(at); err != nil {
		return Least{}, err
	}
	if at == lowest {
		lowest = max(lowest, lowestOf(s.held, s.allowed))
		if at = lowest; !s.study.equal {
			return s.scan(lowest)
		}
	}
	at, err = s.bisect(at, most)
	return Least{at, s.study.equal, lowest}, err
}

// tooMuch reports whether the outcome with an allowance cannot be the one to recommend.
func (s *search) tooMuch(allowance int64) bool {
	return s.algorithm.Most(s.algorithm.With(s.limit, allowance), Minute) > s.study.most
}

// lowest returns an allowance below which more is refused than allowed. Of a key that
// needs u more than an allowance, at least u/largest requests are refused, and at least
// one; for a goal on keys that is one key, and the bound is the answer.
func (s *search) lowest(g Goal) int64 {
	return lowest(s.needs, s.study, g, s.allowed)
}

func lowest(needs []int64, study *Study, g Goal, allowed int64) int64 {
	refuses := func(allowance int64) bool {
		left := allowed
		for key, need := range needs {
			if need <= allowance || study.IsAbuser(int32(key)) {
				continue
			}
			n := int64(1)
			if !g.OfKeys {
				n = min(integers.CeilDiv(need-allowance, study.largest), study.Keys[key].Requests)
			}
			if left -= n; left < 0 {
				return true
			}
		}
		return false
	}
	most := int64(1)
	for key, need := range needs {
		if !study.IsAbuser(int32(key)) {
			most = max(most, need)
		}
	}
	return leastWithout(refuses, most)
}

// leastWithout returns the least allowance from 1 to most that does not refuse too
// much, given that a larger one never does if a smaller one does not. most does not.
func leastWithout(refuses func(allowance int64) bool, most int64) int64 {
	lo, hi := int64(0), most // lo refuses too much, or is 0
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; refuses(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

func (s *search) largestNeed() (most int64) {
	for key, need := range s.needs {
		if !s.study.IsAbuser(int32(key)) {
			most = max(most, need)
		}
	}
	return most
}

// narrow returns allowances lo to hi so close that the requests of the keys that need
// more than lo can be held, or lo = hi. hi keeps the goal; lo-1, unless lo was not
// raised, does not. Each pass over the log halves how many times hi is as large as lo,
// in digits.
func (s *search) narrow(lo, hi int64) (int64, int64, error) {
	for !s.activate(lo) && lo < hi {
		mid := min(max(int64(math.Sqrt(float64(lo)*float64(hi))), lo), hi-1)
		refused, err := s.played(mid)
		switch {
		case err != nil:
			return 0, 0, err
		case refused <= s.allowed:
			hi = mid
		default:
			lo = mid + 1
		}
	}
	return lo, hi, nil
}

// activate sets the active keys to those that need more than an allowance, and reports
// whether their requests can be held.
func (s *search) activate(allowance int64) bool {
	s.active = s.active[:0]
	total := int64(0)
	for key, need := range s.needs {
		if need > allowance && !s.study.IsAbuser(int32(key)) {
			s.active = append(s.active, int32(key))
			total += s.study.Keys[key].Requests
		}
	}
	return total <= mostHeld
}

// hold divides the requests of the active keys into periods.
func (s *search) hold(allowance int64) error {
	err := s.study.keep(s.active)
	for _, key := range s.active {
		if err == nil {
			err = s.split(s.study.kept[key], s.needs[key], allowance)
		}
	}
	return err
}

// bisect returns the least allowance in (lo-1, hi] that keeps the goal, if refusals do
// not rise with the allowance; otherwise one that keeps it. hi keeps it.
func (s *search) bisect(lo, hi int64) (int64, error) {
	var failed error
	n := sort.Search(int(hi-lo), func(i int) bool {
		if failed != nil {
			return true
		}
		refused, err := s.refused(lo + int64(i))
		failed = err
		return refused <= s.allowed
	})
	return lo + int64(n), failed
}

// refused returns how many requests an allowance refuses.
func (s *search) refused(allowance int64) (total int64, err error) {
	for _, p := range s.held {
		n, err := s.decide(p, allowance)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// errEnough ends a pass over the log of which enough is known.
var errEnough = errors.New("enough is known")

// played returns how many requests of the active keys an allowance refuses, from a pass
// over the log. The pass ends when more are refused than allowed.
func (s *search) played(allowance int64) (total int64, err error) {
	t, err := newTrial(s.algorithm, s.algorithm.With(s.limit, allowance), s.active, len(s.needs))
	if err != nil {
		return 0, err
	}
	err = s.study.log(func(b Block) error {
		if total += t.see(b); total > s.allowed {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return total, err
}

// scan tries the allowances from lo on, as far as one can be that of the outcome to
// recommend. When it has taken too much work, it bisects the rest.
func (s *search) scan(lo int64) (Least, error) {
	t, err := s.walkFrom(lo)
	for err == nil && t.refused > s.allowed && !s.tooMuch(t.at) {
		if s.work > s.most {
			next := t.next() // which the decisions of bisect change
			at, err := s.bisect(next, s.largestNeed())
			return Least{at, false, next}, err
		}
		err = t.advance()
	}
	return Least{t.at, true, t.at}, err
}
