package batch

import (
	"math/bits"

	"github.com/limitgauge/limitgauge/algorithms/counters"
)

// Server is one replica: it counts the keys it owns from clients' reports and
// answers them. Its memory grows with the number of keys reported to it. It is
// not safe for use by several goroutines.
//
// Over a fixed window it answers to reject until the window ends when the
// window's count has reached the limit. Over a token bucket it answers to
// reject until the bucket is out of debt when its level is below zero. Refused
// cost is never counted against the limit: it only feeds the estimate of
// demand that a rejection rate is made of.
type Server struct {
	config    *Config
	id        int32
	origin    int64
	index     index
	windows   *pages[*counters.FixedWindows] // one of these two
	buckets   *pages[*counters.TokenBuckets]
	estimator estimator
	estimates []estimate // by slot; empty without a rejection rate
	n, p      int64      // the limit in lowest terms: n per p nanoseconds
}

// NewServer returns replica number id, started at the instant origin with
// every bucket at its initial level.
func NewServer(c *Config, id int32, origin int64) *Server {
	s := &Server{config: c, id: id, origin: origin}
	s.n, s.p = c.Limit.Rate()
	if c.RejectionRate {
		s.estimator = newEstimator(c.Estimate)
	}
	if c.Bucket == nil {
		s.windows = &pages[*counters.FixedWindows]{page: func(keys int) *counters.FixedWindows {
			return counters.NewFixedWindows(c.Limit, counters.WindowOptions{}, keys)
		}}
	} else {
		s.buckets = &pages[*counters.TokenBuckets]{page: func(keys int) *counters.TokenBuckets {
			return counters.NewTokenBuckets(c.Limit, *c.Bucket, keys)
		}}
	}
	return s
}

// Receive counts a report that arrives now. All reports of an instant are
// received before any of them is answered.
func (s *Server) Receive(now int64, r *Report) {
	for _, row := range r.Rows {
		slot := s.slot(row.Key)
		if s.windows != nil {
			s.count(slot, now, r.SentAt, row.Hits)
		} else {
			s.debit(slot, now, row.Hits)
		}
		if s.config.RejectionRate {
			n := row.Hits
			if s.config.CountRejected {
				n += row.Rejected
			}
			s.estimator.add(&s.estimates[slot], now, n)
		}
	}
}

// count adds hits to the window in which the report arrived or was sent. What
// was sent in an earlier window than the present one has expired; a clock that
// runs ahead does not reach into the next window.
func (s *Server) count(slot int32, now, sentAt, hits int64) {
	if w := s.config.Limit.Window; s.config.CountSent && sentAt < now-now%w {
		return
	}
	page, place := s.windows.at(slot)
	page.Add(place, now, hits)
}

func (s *Server) debit(slot int32, now, hits int64) {
	page, place := s.buckets.at(slot)
	if s.config.RefillFirst {
		page.Refill(place, now)
	}
	page.Debit(place, hits)
}

// slot returns the key's place, making it at the first touch: its bucket has
// then been there since the origin.
func (s *Server) slot(key int32) int32 {
	slot, added := s.index.slot(key)
	if !added {
		return slot
	}
	if s.windows != nil {
		s.windows.reach(slot)
	} else {
		s.buckets.reach(slot)
		page, place := s.buckets.at(slot)
		page.Refill(place, s.origin)
	}
	if s.config.RejectionRate {
		s.estimates = append(s.estimates, estimate{})
	}
	return slot
}

// Answer fills in the answer to a report that was received, as of now: a row
// for each of the report's rows. It may be called again for the same instant.
func (s *Server) Answer(now int64, r *Report, a *Answer) {
	a.Server, a.ComputedAt, a.Rows = s.id, now, a.Rows[:0]
	for _, row := range r.Rows {
		slot := s.slot(row.Key)
		out := AnswerRow{Key: row.Key}
		if until := s.rejectUntil(slot, now); until > now && s.config.RejectTil {
			if s.config.AsDuration {
				out.RejectFor = until - now
			} else {
				out.RejectUntil = until
			}
		}
		if s.config.RejectionRate {
			out.RejectionRate = s.rejectionRate(slot, now)
		}
		a.Rows = append(a.Rows, out)
	}
}

// rejectUntil is the instant up to which the key is over its limit, or now.
func (s *Server) rejectUntil(slot int32, now int64) int64 {
	if s.windows != nil {
		page, place := s.windows.at(slot)
		if page.Count(place, now) < s.config.Limit.Count {
			return now
		}
		w := s.config.Limit.Window
		return addTime(now-now%w, w)
	}
	page, place := s.buckets.at(slot)
	page.Refill(place, now)
	level := page.LevelUnits(place)
	if level >= 0 {
		return now
	}
	wait := -level / s.n
	if -level%s.n != 0 {
		wait++
	}
	return addTime(now, wait)
}

// rejectionRate is max(0, (estimate-limit)/estimate), both per second, in units
// of 2^-32, rounded down.
func (s *Server) rejectionRate(slot int32, now int64) uint32 {
	// estimate/2^16 against n*10^9/p, multiplied by p*2^16.
	estimate := s.estimator.perSecond(&s.estimates[slot], now)
	demandHi, demandLo := bits.Mul64(estimate, uint64(s.p))
	limitHi, limitLo := bits.Mul64(uint64(s.n), second<<estimateBits)
	overLo, borrow := bits.Sub64(demandLo, limitLo, 0)
	overHi, borrow := bits.Sub64(demandHi, limitHi, borrow)
	if borrow != 0 {
		return 0
	}
	// Long division, a bit at a time: over < demand < 2^123, so neither
	// doubling nor the quotient can overflow.
	var rate uint32
	for range 32 {
		rate <<= 1
		overHi, overLo = overHi<<1|overLo>>63, overLo<<1
		lo, borrow := bits.Sub64(overLo, demandLo, 0)
		if hi, borrow := bits.Sub64(overHi, demandHi, borrow); borrow == 0 {
			overHi, overLo = hi, lo
			rate |= 1
		}
	}
	return rate
}
