package bounds

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/exchange"
)

const (
	latest = int64(1) << 60 // the latest time and the largest sum of costs, 36 years in ns
	never  = int64(1) << 61 // the end of a span that has no known end
)

// span is a request that was decided or dispatched once, at a time from from to to.
type span struct{ from, to, cost int64 }

// record is what is known of one key.
type record struct {
	key string
	// admitted and failed are spans of dispatch. A failed one may not have been admitted.
	admitted, failed []span
	// decided has the spans of decision of all requests with a verdict.
	decided []span
	// asked has the exchanges that were sent, in the order of sending.
	asked []*exchange.Exchange
}

// soundRecords returns the records of all keys, or an error if the settings or the run
// cannot be judged.
func soundRecords(exchanges []exchange.Exchange, s *Settings) ([]*record, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	records, err := recordsOf(exchanges, s)
	for _, r := range records {
		if err == nil && s.Kind == Bucket {
			err = fits(r, s)
		}
	}
	return records, err
}

// recordsOf returns the records of all keys in the order of their names. It returns
// an error if their costs cannot be summed up.
func recordsOf(exchanges []exchange.Exchange, s *Settings) ([]*record, error) {
	byKey := map[string]*record{}
	var records []*record
	var cost int64
	for i := range exchanges {
		e := &exchanges[i]
		if e.Cost > latest-cost {
			return nil, fmt.Errorf("request %d: the sum of all costs exceeds 2^60", e.Number)
		}
		cost += e.Cost
		if e.Verdict == exchange.NotSent {
			continue
		}
		r := byKey[e.Key]
		if r == nil {
			r = &record{key: e.Key}
			byKey[e.Key] = r
			records = append(records, r)
		}
		r.add(e, s)
	}
	slices.SortFunc(records, func(a, b *record) int { return cmp.Compare(a.key, b.key) })
	for _, r := range records {
		slices.SortStableFunc(r.asked, func(a, b *exchange.Exchange) int { return cmp.Compare(a.SentNs, b.SentNs) })
	}
	return records, nil
}

func (r *record) add(e *exchange.Exchange, s *Settings) {
	r.asked = append(r.asked, e)
	switch e.Verdict {
	case exchange.Admitted:
		r.admitted = append(r.admitted, span{e.SentNs + e.WaitNs, e.AnsweredNs + e.WaitNs, e.Cost})
		fallthrough
	case exchange.Rejected:
		r.decided = append(r.decided, span{e.SentNs, e.AnsweredNs, e.Cost})
	case exchange.Failed:
		end := never
		if s.FailedWithinNs > 0 {
			end = e.SentNs + s.FailedWithinNs
		}
		r.failed = append(r.failed, span{e.SentNs, end, e.Cost})
	}
}

// possible returns the spans of everything that may have been admitted.
func (r *record) possible() []span { return slices.Concat(r.admitted, r.failed) }

// earlier returns the spans with ns more room before them. Whether a clock rounds
// down, up or to the nearest step of ns, its readings differ by a constant from
// times within these spans.
func earlier(spans []span, ns int64) []span {
	return lists.Map(spans, func(s span) span { return span{s.from - ns, s.to, s.cost} })
}

// dearestOf returns the largest cost of spans, at least 1.
func dearestOf(spans []span) int64 {
	most := int64(1)
	for _, s := range spans {
		most = max(most, s.cost)
	}
	return most
}

func costOf(spans []span) int64 {
	var sum int64
	for _, s := range spans {
		sum += s.cost
	}
	return sum
}
