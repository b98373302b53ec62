package batchreported

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// Server is one replica, or the store that all replicas share. It counts the keys
// it owns from clients' reports and answers them. Its memory grows with the
// number of reported keys. It is not safe for concurrent use.
//
// Over a token bucket a report covers the Interval before its arrival: what the
// bucket earned earlier is cut at its depth, then the hits are debited. What it earned
// within the Interval counts, and is cut only when it is older, because other clients have
// hits from that time to report. So demand that a bucket of that depth admits whole is
// never in debt, whatever the depth and the times of reports, if reports take no time: what
// is debited after what was earned before a time has been cut was admitted after that time,
// and is at most the depth and what the rate earns since. The cut forgets idle time: if
// nothing was reported for an Interval or two, the first report is followed by a cut of all
// that was earned, and the hits that others report of the same time may be in debt.
//
// Over a fixed window it answers to reject until the window ends if the window's
// count has reached the limit. Over a token bucket it answers to reject until the
// bucket is out of debt if its level is below zero. Rejected cost never counts
// against the limit; it counts only in the estimate of demand from which
// rejection rates are computed.
type Server struct {
	config       *Config
	id           int32
	origin       int64
	index        index
	policyBySlot []int32 // by slot: number of the policy; nil with one policy
	policies     []tally
	estimates    []estimate // by slot; empty without a rejection rate
}

// NewServer returns replica number id, which starts at the time origin with
// every bucket at its initial level.
func NewServer(c *Config, id int32, origin int64) *Server {
	s := &Server{config: c, id: id, origin: origin, policies: make([]tally, 1+len(c.Further))}
	for i := range s.policies {
		s.policies[i] = newTally(c.policy(i), c.covered())
	}
	return s
}

// Relimit changes the limit of a policy at now. Counts stay, and a bucket keeps
// its level, cut to its new depth; the cut costs at most one refill of the
// covered time.
func (s *Server) Relimit(now int64, policy int, limit counting.Limit, bucket *counting.TokenBucketOptions) {
	k := &s.policies[policy]
	k.limit = limit
	k.n, k.p = limit.Rate()
	if k.buckets == nil {
		k.start = now - now%limit.Window
	} else {
		k.buckets.RelimitRounded(limit, *bucket, now)
	}
}

// Receive counts a report that arrives at now. All reports with one timestamp
// must be received before any of them is answered.
func (s *Server) Receive(now int64, r *Report) { s.ReceiveRows(now, r.SentAt, r.Rows) }

// ReceiveRows counts rows of a report that was sent at sentAt by its client's
// clock. With CountSent, rows sent in an earlier window may have expired. A clock
// that is ahead does not count in the next window.
func (s *Server) ReceiveRows(now, sentAt int64, rows []ReportRow) {
	s.enter(now)
	if k := s.onlyWindows(); k != nil && !s.config.CountSent {
		for i := range rows {
			row := &rows[i]
			slot := s.index.dense(row.Key)
			if slot < 0 {
				slot = s.find(row.Key)
			}
			k.count(slot, sentAt, row.Hits)
		}
		return
	}
	for i := range rows {
		row := &rows[i]
		slot := s.slot(row.Key)
		switch k := s.of(slot); {
		case k.windows == nil:
			k.debit(slot, now, row.Hits)
		case !s.config.CountSent || sentAt >= k.start:
			k.count(slot, sentAt, row.Hits)
		}
		if s.config.RejectionRate {
			n := max(row.Hits, 0) // what is given back was demanded
			if s.config.CountRejected {
				n += row.Rejected
			}
			s.config.Estimate.add(&s.estimates[slot], now, n)
		}
	}
}

func (s *Server) enter(now int64) {
	for i := range s.policies {
		s.policies[i].enter(now)
	}
}

// onlyWindows returns the tally of all keys if there is one policy with
// windows and no rejection rate, so that rows need no further checks, else nil.
func (s *Server) onlyWindows() *tally {
	if k := &s.policies[0]; len(s.policies) == 1 && k.windows != nil && !s.config.RejectionRate {
		return k
	}
	return nil
}

// of returns the tally of a slot's key.
func (s *Server) of(slot int32) *tally {
	if s.policyBySlot == nil {
		return &s.policies[0]
	}
	return &s.policies[s.policyBySlot[slot]]
}

// slot returns the key's slot and creates it at the first use; its bucket then
// exists since the origin. The function is too large to be inlined, so the loops
// over rows repeat its fast path.
func (s *Server) slot(key int32) int32 {
	slot := s.index.dense(key)
	if slot < 0 {
		slot = s.find(key)
	}
	return slot
}

// find is slot for a key that is not in a table by key.
func (s *Server) find(key int32) int32 {
	slot, added := s.index.slot(key)
	if added {
		if len(s.policies) > 1 {
			s.policyBySlot = append(s.policyBySlot, int32(s.config.PolicyOf(key)))
		}
		s.of(slot).reset(slot, s.origin)
		if s.config.RejectionRate {
			s.estimates = append(s.estimates, estimate{})
		}
	}
	return slot
}

// Answer fills in the answer to a received report, computed at now. It may be
// called again for the same time.
func (s *Server) Answer(now int64, r *Report, a *Answer) {
	a.LeftAt, a.Rows = r.LeftAt, a.Rows[:0]
	s.AnswerRows(now, r.Rows, a)
}

// AnswerRows appends the answers for rows of a report to a.Rows and sets the
// answer's server and time. The caller sets a.LeftAt.
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
			answers[i] = AnswerRow{Key: row.Key, Slot: row.Slot, Reject: (from + wait) & (-wait >> 63)} // 0 if wait is 0, without a branch
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
			out.Reject = (from + wait) & (-wait >> 63) // 0 if wait is 0, without a branch
		}
		if s.config.RejectionRate {
			out.RejectionRate = k.rejectionRate(s.config.Estimate.perSecond(&s.estimates[slot], now))
		}
		a.Rows = append(a.Rows, out)
	}
}
