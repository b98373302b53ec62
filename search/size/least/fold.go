package least

import (
	"errors"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/integers"
)

// Fold is a log in two: the requests from one time to before another, and all others.
type Fold struct {
	FromNs, ToNs   int64
	Requests, Keys int64 // of the demand in the part
	Others         *Study
}

// Fold returns the part with an index of so many parts of equal length, and the others. The
// searches of all folds together may take as much work as those of a study. expected is the
// candidate that the whole log needs.
func (s *Study) Fold(index, parts int, expected counting.Limit) (*Fold, error) {
	edge := func(i int) int64 { return s.FirstNs + integers.MulDiv(s.span()+1, int64(i), int64(parts), 1<<62) }
	f := &Fold{FromNs: edge(index), ToNs: edge(index + 1)}
	var err error
	f.Others, err = NewStudy(f.outside(s.log), len(s.Keys), s.abuser)
	f.Others.work = mostWork / 2 / int64(parts)
	f.Others.hasty, f.Others.expected, f.Others.whole = s.abuser == nil, expected, s
	f.Requests = s.Requests - f.Others.Requests
	for key, d := range s.Keys {
		if d.Requests > f.Others.Keys[key].Requests && !s.IsAbuser(int32(key)) {
			f.Keys++
		}
	}
	s.kept = nil // the others may hold as many
	return f, err
}

// outside plays the requests of a log that are not in the part.
func (f *Fold) outside(log Log) Log {
	return func(visit func(Block) error) error {
		return log(func(b Block) error {
			before, _, after := f.split(b)
			if err := visit(before); err != nil {
				return err
			}
			return visit(after)
		})
	}
}

// split returns the rows of a block before the part, in it, and after it.
func (f *Fold) split(b Block) (before, within, after Block) {
	from, _ := slices.BinarySearch(b.Times, f.FromNs)
	to, _ := slices.BinarySearch(b.Times, f.ToNs)
	return b.rows(0, from), b.rows(from, to), b.rows(to, len(b.Times))
}

func (b Block) rows(from, to int) Block {
	return Block{b.Keys[from:to], b.Times[from:to], b.Costs[from:to]}
}

// Refused counts what a limit refuses in the part of a fold. The requests before the part
// are decided, too, so the part begins with the state that they leave.
func (s *Study) Refused(a *Algorithm, limit counting.Limit, f *Fold) (o Outcome, err error) {
	t, err := s.trial(a, limit)
	if err != nil {
		return o, err
	}
	err = s.log(func(b Block) error {
		before, within, after := f.split(b)
		t.see(before)
		if len(before.Times) > 0 {
			clear(t.refused)
		}
		if t.see(within); len(after.Times) == 0 {
			return nil
		}
		return errEnough
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	o.count(s, t)
	return o, err
}
