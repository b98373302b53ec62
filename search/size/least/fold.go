package least

import (
	"errors"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Fold is a log in two: the requests from one time to before another, and all others.
type Fold struct {
	FromNs, ToNs int64
	Part, Others *Study
}

// Fold returns the part with an index of so many parts of equal length, and the others. The
// searches of all folds together may take as much work as those of a study.
func (s *Study) Fold(index, parts int) (*Fold, error) {
	edge := func(i int) int64 { return s.FirstNs + integers.MulDiv(s.span()+1, int64(i), int64(parts), 1<<62) }
	f := &Fold{FromNs: edge(index), ToNs: edge(index + 1)}
	var err error
	if f.Part, err = NewStudy(s.only(f.within), len(s.Keys), s.abuser); err != nil {
		return nil, err
	}
	f.Others, err = NewStudy(s.only(f.outside), len(s.Keys), s.abuser)
	f.Others.work = mostWork / int64(parts)
	f.Others.hasty = s.abuser == nil
	s.kept = nil // the others may hold as many
	return f, err
}

// only returns the log of a study with the rows of each block that pick returns.
func (s *Study) only(pick func(Block) []Block) Log {
	return func(visit func(Block) error) error {
		return s.log(func(b Block) error {
			for _, some := range pick(b) {
				if len(some.Times) == 0 {
					continue
				}
				if err := visit(some); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// split returns the rows of a block before the part, in it, and after it.
func (f *Fold) split(b Block) (before, within, after Block) {
	from, _ := slices.BinarySearch(b.Times, f.FromNs)
	to, _ := slices.BinarySearch(b.Times, f.ToNs)
	return b.rows(0, from), b.rows(from, to), b.rows(to, len(b.Times))
}

func (f *Fold) within(b Block) []Block {
	_, within, _ := f.split(b)
	return []Block{within}
}

func (f *Fold) outside(b Block) []Block {
	before, _, after := f.split(b)
	return []Block{before, after}
}

func (b Block) rows(from, to int) Block {
	return Block{b.Keys[from:to], b.Times[from:to], b.Costs[from:to]}
}

// Refused counts what a limit refuses in the part of a fold. The requests before the part
// are decided, too, so the part begins with the state that they leave.
func (s *Study) Refused(a *Algorithm, limit counter.Limit, f *Fold) (o Outcome, err error) {
	t, err := s.trial(a, limit)
	if err != nil {
		return o, err
	}
	err = s.log(func(b Block) error {
		before, within, after := f.split(b)
		if _, err := t.see(before); err != nil {
			return err
		}
		if len(before.Times) > 0 {
			clear(t.refused)
		}
		if _, err := t.see(within); err != nil || len(after.Times) == 0 {
			return err
		}
		return errEnough
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	o.count(s, t)
	return o, err
}
