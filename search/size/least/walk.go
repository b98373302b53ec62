package least

import (
	"cmp"
	"container/heap"
	"slices"
)

// walk visits the allowances from one on at which a decision on the held requests changes.
// A step decides the periods again of which a decision changes, and no others.
type walk struct {
	search  *search
	at      int64 // an allowance
	refused int64 // the requests that it refuses
	changes changes
}

// changes is a heap of periods, the one whose decisions change first on top.
type changes []*period

func (c changes) Len() int           { return len(c) }
func (c changes) Less(i, j int) bool { return c[i].below < c[j].below }
func (c changes) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *changes) Push(p any)        { *c = append(*c, p.(*period)) }
func (c *changes) Pop() any {
	last := len(*c) - 1
	p := (*c)[last]
	*c = (*c)[:last]
	return p
}

// walkFrom decides the held requests under an allowance.
func (s *search) walkFrom(allowance int64) (*walk, error) {
	t := &walk{search: s, at: allowance}
	for _, p := range s.held {
		n, err := s.decide(p, allowance)
		if err != nil {
			return t, err
		}
		t.refused += n
		if p.need > allowance {
			t.changes = append(t.changes, p)
		}
	}
	// A sorted list is a heap.
	slices.SortFunc(t.changes, func(x, y *period) int { return cmp.Compare(x.below, y.below) })
	return t, nil
}

// next returns the least larger allowance at which a decision changes.
func (t *walk) next() int64 {
	if len(t.changes) == 0 {
		return Unbounded
	}
	return t.changes[0].below
}

// advance moves to the next allowance.
func (t *walk) advance() error {
	t.at = t.next()
	for len(t.changes) > 0 && t.changes[0].below <= t.at {
		p := t.changes[0]
		t.refused -= p.refused
		if p.need <= t.at {
			heap.Pop(&t.changes)
			continue
		}
		n, err := t.search.decide(p, t.at)
		if err != nil {
			return err
		}
		t.refused += n
		t.search.work++
		heap.Fix(&t.changes, 0)
	}
	return nil
}
