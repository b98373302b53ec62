package attack

import (
	"cmp"
	"slices"
)

// Train is a number of requests at even distances.
type Train struct {
	At     int64 // of the first request, in ns of simulated time
	Count  int64 // from 1
	Gap    int64 // between two requests in ns; 0 sends all at once
	Client int   // that sends them, from 0; -1 for clients in turn
	Key    int   // number of the key, from 0
	Cost   int64 // of each request, from 1
}

// last returns the time of the train's last request in ns.
func (t Train) last() int64 { return t.At + (t.Count-1)*t.Gap }

// Candidate is traffic that may be bad for a limiter, with what else the search may
// choose.
type Candidate struct {
	Trains []Train // by time
	Faults []Fault
	Phase  string // of the clients' timers; "" leaves what the scenario has
	Seed   uint64 // of the scenario's random draws

	from string // the pattern that the candidate was made from
}

// Requests returns the number of requests.
func (c *Candidate) Requests() (n int64) {
	for _, t := range c.Trains {
		n += t.Count
	}
	return n
}

func (c *Candidate) clone() *Candidate {
	own := *c
	own.Trains, own.Faults = slices.Clone(c.Trains), slices.Clone(c.Faults)
	return &own
}

// space is what a search may choose from.
type space struct {
	window  int64 // ns
	count   int64 // the limit's requests per window
	burst   int64
	end     int64 // ns; requests arrive before it
	most    int64 // requests of a candidate
	apart   int64 // ns between any two requests, at least
	clients int
	keys    int
	may     Choices
	phases  []string // values of the limiter's option phase; nil if it has none
	faults  []faultMaker
	seed    uint64
}

// gap returns the time in ns in which the limit's rate earns a request, rounded up.
func (s *space) gap() int64 { return (s.window + s.count - 1) / s.count }

// fit sorts the trains of a candidate and cuts it to the space: at most the largest
// number of requests, all before the end, and no two of them too close. It returns
// false if nothing is left.
func (s *space) fit(c *Candidate) bool {
	slices.SortStableFunc(c.Trains, func(a, b Train) int { return cmp.Compare(a.At, b.At) })
	room, earliest := s.most, int64(0)
	kept := c.Trains[:0]
	for _, t := range c.Trains {
		t.At, t.Gap = max(t.At, earliest), max(t.Gap, s.apart)
		if t.At >= s.end {
			if s.apart > 0 {
				break
			}
			t.At = s.end - 1
		}
		if t.Gap > 0 {
			t.Count = min(t.Count, (s.end-1-t.At)/t.Gap+1)
		}
		if t.Count = min(t.Count, room); t.Count < 1 {
			continue
		}
		if t.Count == 1 {
			t.Gap = 0
		}
		if s.apart > 0 {
			earliest = t.last() + s.apart
		}
		room -= t.Count
		if i := len(kept) - 1; i >= 0 && kept[i].joins(t) {
			kept[i].Count += t.Count
			continue
		}
		kept = append(kept, t)
	}
	c.Trains = kept
	return len(kept) > 0
}

// joins reports whether two bursts are one.
func (t Train) joins(o Train) bool {
	return t.Gap == 0 && o.Gap == 0 && t.At == o.At && t.Client == o.Client && t.Key == o.Key && t.Cost == o.Cost
}
