package batchreported

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counter"
)

// Server is one replica, or the store that all replicas share: it counts the
// keys it owns from clients' reports and answers them. Its memory grows with
// the number of keys reported to it. It is not safe for use by several
// goroutines.
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
	kinds     []int32 // policy of each slot; nil with one policy
	policies  []counting
	estimator estimator
	estimates []estimate // by slot; empty without a rejection rate
}

// NewServer returns replica number id, started at the instant origin with
// every bucket at its initial level.
func NewServer(c *Config, id int32, origin int64) *Server {
	s := &Server{config: c, id: id, origin: origin, policies: make([]counting, 1+len(c.Further))}
	if c.RejectionRate {
		s.estimator = newEstimator(c.Estimate)
	}
	for i := range s.policies {
		c.policy(i).count(&s.policies[i])
	}
	return s
}

// Relimit changes a policy at now: what is counted stays counted, and a bucket
// keeps its level up to its new depth.
func (s *Server) Relimit(now int64, policy int, limit counter.Limit, bucket *counter.TokenBucketOptions) {
	k := &s.policies[policy]
	k.limit, k.bucket = limit, bucket
	k.n, k.p = limit.Rate()
	if k.buckets == nil {
		k.start = now - now%limit.Window
		return
	}
	for _, page := range k.buckets.all {
		if page != nil {
			page.RelimitRounded(limit, *bucket, now)
		}
	}
}

// Receive counts a report that arrives now. All reports of an instant are
// received before any of them is answered.
func (s *Server) Receive(now int64, r *Report) { s.ReceiveRows(now, r.SentAt, r.Rows) }

// ReceiveRows counts some rows of a report that was sent at an instant, by its
// client's clock. What was sent in an earlier window than the present one may
// have expired; a clock that runs ahead does not reach into the next window.
func (s *Server) ReceiveRows(now, sentAt int64, rows []ReportRow) {
	s.enter(now)
	if k := s.onlyWindows(); k != nil && !s.config.CountSent {
		for i := range rows {
			row := &rows[i]
			slot := s.index.dense(row.Key)
			if slot < 0 {
				slot = s.find(row.Key)
			}
			k.count(slot, row.Hits)
		}
		return
	}
	for i := range rows {
		row := &rows[i]
		slot := s.slot(row.Key)
		switch k := s.of(slot); {
		case k.windows == nil:
			s.debit(k, slot, now, row.Hits)
		case !s.config.CountSent || sentAt >= k.start:
			k.count(slot, row.Hits)
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

func (s *Server) enter(now int64) {
	for i := range s.policies {
		s.policies[i].enter(now)
	}
}

// onlyWindows is the counting of all keys where it is in windows and there is no
// rejection rate, so that rows need not ask; else nil.
func (s *Server) onlyWindows() *counting {
	if k := &s.policies[0]; len(s.policies) == 1 && k.windows != nil && !s.config.RejectionRate {
		return k
	}
	return nil
}

// of is the counting that a slot's key is under.
func (s *Server) of(slot int32) *counting {
	if s.kinds == nil {
		return &s.policies[0]
	}
	return &s.policies[s.kinds[slot]]
}

func (s *Server) debit(k *counting, slot int32, now, hits int64) {
	page, place := k.buckets.at(slot)
	if s.config.RefillFirst {
		page.Refill(place, now)
	}
	page.Debit(place, hits)
}

// slot returns the key's place, making it at the first touch: its bucket has
// then been there since the origin. It is too large to be in line, which loops
// over rows make up for.
func (s *Server) slot(key int32) int32 {
	slot := s.index.dense(key)
	if slot < 0 {
		slot = s.find(key)
	}
	return slot
}

// find is slot where a table by key does not know it.
func (s *Server) find(key int32) int32 {
	slot, added := s.index.slot(key)
	if added {
		s.add(key, slot, s.origin)
	}
	return slot
}

func (s *Server) add(key, slot int32, origin int64) {
	if len(s.policies) > 1 {
		s.kinds = append(s.kinds, int32(s.config.PolicyOf(key)))
	}
	if k := s.of(slot); k.windows != nil {
		k.windows.reach(slot)
	} else {
		k.buckets.reach(slot)
		page, place := k.buckets.at(slot)
		page.Refill(place, origin)
	}
	if s.config.RejectionRate {
		s.estimates = append(s.estimates, estimate{})
	}
}

// Answer fills in the answer to a report that was received, as of now: a row
// for each of the report's rows. It may be called again for the same instant.
func (s *Server) Answer(now int64, r *Report, a *Answer) {
	a.LeftAt, a.Rows = r.LeftAt, a.Rows[:0]
	s.AnswerRows(now, r.Rows, a)
}

// AnswerRows adds the answer to some rows of a report to an answer, whose LeftAt
// is up to the caller.
func (s *Server) AnswerRows(now int64, rows []ReportRow, a *Answer) {
	a.Server, a.ComputedAt = s.id, now
	s.enter(now)
	from := now
	if s.config.AsDuration {
		from = 0
	}
	a.Rows = slices.Grow(a.Rows, len(rows))
	if k := s.onlyWindows(); k != nil && s.config.RejectTil {
		answers := a.Rows[len(a.Rows) : len(a.Rows)+len(rows)]
		for i := range answers {
			row := &rows[i]
			slot := s.index.dense(row.Key)
			if slot < 0 {
				slot = s.find(row.Key)
			}
			wait := k.waitInWindow(slot)
			answers[i] = AnswerRow{Key: row.Key, Slot: row.Slot, Reject: (from + wait) & (-wait >> 63)} // 0 where wait is, without a branch
		}
		a.Rows = a.Rows[:len(a.Rows)+len(rows)]
		return
	}
	for i := range rows {
		row := &rows[i]
		slot := s.slot(row.Key)
		k := s.of(slot)
		var wait int64
		if k.windows != nil {
			wait = k.waitInWindow(slot)
		} else {
			wait = k.waitInDebt(slot, now)
		}
		out := AnswerRow{Key: row.Key, Slot: row.Slot}
		if s.config.RejectTil {
			out.Reject = (from + wait) & (-wait >> 63) // 0 where wait is, without a branch
		}
		if s.config.RejectionRate {
			out.RejectionRate = k.rejectionRate(s.estimator.perSecond(&s.estimates[slot], now))
		}
		a.Rows = append(a.Rows, out)
	}
}
