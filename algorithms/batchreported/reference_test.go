package batchreported

import (
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"pgregory.net/rapid"
)

// modelClient is a naive Client made of maps and rational numbers.
type modelClient struct {
	config Config
	skew   int64
	keys   map[int32]*modelKey
	order  []int32
}

type modelKey struct {
	answer            *AnswerRow
	computed, arrived int64
	hits, rejected    int64
	unknown           bool     // a report of it went unanswered since
	answered          []int64  // when the reports of it left that were answered
	hitsOver          *big.Rat // counted and not reported
	rejectedOver      *big.Rat
	due               *big.Rat // rejections due by diffusion
	level             *big.Rat // of the local bucket, tokens
	last              int64
}

func (c *modelClient) key(key int32) *modelKey {
	k := c.keys[key]
	if k == nil {
		k = &modelKey{due: new(big.Rat)}
		c.keys[key] = k
	}
	return k
}

func (c *modelClient) decide(now int64, key int32, cost int64, coin Coin) counting.Verdict {
	return c.decideAll(now, []int32{key}, cost, coin)
}

func (c *modelClient) decideAll(now int64, keys []int32, cost int64, coin Coin) counting.Verdict {
	if cost == 0 {
		for _, key := range keys {
			c.key(key)
		}
		return counting.Admitted
	}
	verdict := counting.Admitted
	var each []counting.Verdict
	for _, key := range keys {
		v := c.judge(now, key, cost, coin)
		each = append(each, v)
		if verdict.Admitted() {
			verdict = v
		}
	}
	for i, key := range keys {
		k, admitted := c.key(key), each[i].Admitted()
		if admitted && !verdict.Admitted() && c.config.ChargeNone {
			admitted = false
			if k.level != nil {
				k.level.Add(k.level, big.NewRat(cost, 1))
			}
		}
		counts := big.NewRat(cost, 1)
		if s := c.config.Sample; s.Num < s.Den {
			u := new(big.Int).SetUint64(coin.Uint64())
			if u.Rsh(u.Mul(u, big.NewInt(s.Den)), 64).Int64() >= s.Num {
				continue
			}
			counts.Quo(counts, big.NewRat(s.Num, s.Den))
		}
		if k.hits == 0 && k.rejected == 0 {
			c.order = append(c.order, key)
		}
		if admitted {
			k.hits += k.whole(counts, &k.hitsOver)
		} else {
			k.rejected += k.whole(counts, &k.rejectedOver)
		}
	}
	return verdict
}

// whole returns the whole part of n plus the remainder before, and keeps the rest.
func (k *modelKey) whole(n *big.Rat, over **big.Rat) int64 {
	if *over == nil {
		*over = new(big.Rat)
	}
	n.Add(n, *over)
	q := new(big.Int).Quo(n.Num(), n.Denom())
	*over = n.Sub(n, new(big.Rat).SetInt(q))
	return q.Int64()
}

func (c *modelClient) judge(now int64, key int32, cost int64, coin Coin) counting.Verdict {
	k := c.key(key)
	if c.config.Pessimistic && (k.answer == nil || k.unknown) {
		return counting.Rejected
	}
	if a := k.answer; a != nil {
		until, clock := a.Reject, now+c.skew
		if c.config.AsDuration {
			until, clock = k.arrived+a.Reject, now
		}
		if a.Reject != 0 && clock < until {
			return counting.Rejected
		}
		if c.config.RejectionRate && a.RejectionRate > 0 && now < k.arrived+c.config.RateTTL {
			reject := false
			if c.config.Diffusion {
				k.due.Add(k.due, big.NewRat(int64(a.RejectionRate), 1<<32))
				if reject = k.due.Cmp(big.NewRat(1, 1)) >= 0; reject {
					k.due.Sub(k.due, big.NewRat(1, 1))
				}
			} else {
				reject = coin.Uint64()>>32 < uint64(a.RejectionRate)
			}
			if reject {
				return counting.Rejected
			}
		}
	}
	l := c.local(key)
	if l == nil {
		return counting.Admitted
	}
	k.refill(now, l)
	if k.level.Cmp(big.NewRat(cost, 1)) < 0 {
		return counting.MakeVerdict(false, counting.ByLocal)
	}
	k.level.Sub(k.level, big.NewRat(cost, 1))
	return counting.Admitted
}

func (c *modelClient) local(key int32) *counting.Limit {
	if f := c.config.Further; f != nil && key >= f[0].From {
		return f[0].Local
	}
	return c.config.Local
}

// refill adds what the local bucket has earned by now.
func (k *modelKey) refill(now int64, l *counting.Limit) {
	if k.level == nil {
		k.level, k.last = big.NewRat(l.Burst, 1), now
	}
	earned := max(0, now-k.last)
	k.level.Add(k.level, new(big.Rat).Mul(big.NewRat(l.Count, l.Window), big.NewRat(earned, 1)))
	if k.level.Cmp(big.NewRat(l.Burst, 1)) > 0 {
		k.level.SetInt64(l.Burst)
	}
	k.last = now
}

// unanswered forgets keys, unless a report that left at the same time or later has
// been answered.
func (c *modelClient) unanswered(leftAt int64, rows []ReportRow) {
	for _, row := range rows {
		newer := func(answered int64) bool { return answered >= leftAt }
		if k := c.key(row.Key); !slices.ContainsFunc(k.answered, newer) {
			k.unknown = true
		}
	}
}

func (c *modelClient) flush() (rows []ReportRow) {
	for _, key := range c.order {
		k := c.keys[key]
		rows = append(rows, ReportRow{Key: key, Hits: k.hits, Rejected: k.rejected})
		k.hits, k.rejected = 0, 0
	}
	c.order = nil
	return rows
}

func (c *modelClient) resend(rows []ReportRow) {
	for _, row := range rows {
		k := c.key(row.Key)
		if k.hits == 0 && k.rejected == 0 {
			c.order = append(c.order, row.Key)
		}
		k.hits += row.Hits
		k.rejected += row.Rejected
	}
}

func (c *modelClient) apply(now int64, a *Answer) {
	for _, row := range a.Rows {
		if k := c.key(row.Key); k.answer == nil || k.computed <= a.ComputedAt {
			k.answer, k.computed, k.arrived, k.unknown = &row, a.ComputedAt, now, false
			k.answered = append(k.answered, a.LeftAt)
		}
	}
}

func TestClientAgainstReferenceModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := steady()
		c.Pessimistic = rapid.Bool().Draw(t, "pessimistic")
		c.AsDuration = rapid.Bool().Draw(t, "as duration")
		c.RejectionRate = rapid.Bool().Draw(t, "rejection rate")
		c.Diffusion = rapid.Bool().Draw(t, "diffusion")
		c.RateTTL = rapid.Int64Range(1, 500).Draw(t, "rate_ttl")
		skew := rapid.Int64Range(-300, 300).Draw(t, "skew")
		if rapid.Bool().Draw(t, "local") {
			c.Local = &counting.Limit{Count: rapid.Int64Range(1, 9).Draw(t, "count"), Window: rapid.Int64Range(1, 99).Draw(t, "window"),
				Burst: rapid.Int64Range(1, 9).Draw(t, "burst")}
		}
		if rapid.Bool().Draw(t, "sampled") {
			c.Sample = units.Fraction{Num: rapid.Int64Range(1, 3).Draw(t, "num"), Den: rapid.Int64Range(3, 7).Draw(t, "den")}
		}
		if rapid.Bool().Draw(t, "several") {
			c.ChargeNone = rapid.Bool().Draw(t, "charge none")
			c.Further = []Policy{{From: 4, Limit: c.Limit}}
			if rapid.Bool().Draw(t, "further local") {
				c.Further[0].Local = &counting.Limit{Count: 1, Window: 30, Burst: 3}
			}
		}
		client := NewClient(&c, 0)
		client.SetClock(skew)
		client.Expect(rapid.Int32Range(0, 20).Draw(t, "expected"))
		model := &modelClient{config: c, skew: skew, keys: map[int32]*modelKey{}}
		coin, modelCoin := splitMix(1), splitMix(1)
		key := rapid.Int32Range(-1, 40)
		someCost := rapid.OneOf(rapid.Int64Range(0, 4), rapid.Int64Range(1, 2*mostCounted), rapid.Int64Range(1<<31, 1<<33)) // whose sums a key has room for or not
		now := int64(0)
		var lost []*Report
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			now += rapid.Int64Range(0, 60).Draw(t, "dt")
			switch rapid.IntRange(0, 10).Draw(t, "op") {
			case 0:
				reports := []*Report{}
				client.Flush(now, oneServer, func(int32) *Report {
					reports = append(reports, &Report{})
					return reports[0]
				})
				var rows []ReportRow
				for _, r := range reports {
					rows = append(rows, r.Rows...)
				}
				if diff := cmp.Diff(model.flush(), rows, cmpopts.IgnoreFields(ReportRow{}, "Slot")); diff != "" {
					t.Fatalf("report at %d (-model +client):\n%s", now, diff)
				}
				if len(rows) > 0 && reports[0].LeftAt != now {
					t.Fatalf("a report of %d says that it left at %d", now, reports[0].LeftAt)
				}
				if len(rows) > 0 && rapid.Bool().Draw(t, "lost") {
					lost = append(lost, reports[0])
				}
			case 3:
				for _, r := range lost {
					client.Unanswered(r)
					model.unanswered(r.LeftAt, r.Rows)
				}
				for _, r := range lost {
					client.Resend(r)
					model.resend(r.Rows)
				}
				lost = nil
			case 1, 2:
				// Usually one answer, sometimes more answers than a client has
				// numbers for.
				for range rapid.OneOf(rapid.Just(1), rapid.IntRange(1, 2*numbers)).Draw(t, "answers") {
					now++
					row := AnswerRow{Key: key.Draw(t, "key"), RejectionRate: rapid.Uint32().Draw(t, "rate") >> rapid.IntRange(0, 32).Draw(t, "shift")}
					if rapid.Bool().Draw(t, "til") {
						row.Reject = rapid.OneOf(rapid.Int64Range(1, 200), rapid.Int64Range(farAway-200, farAway+200)).Draw(t, "for")
						if !c.AsDuration {
							row.Reject += now
						}
					}
					computed := now - rapid.Int64Range(0, 100).Draw(t, "way")
					a := &Answer{ComputedAt: computed, LeftAt: computed - rapid.Int64Range(0, 200).Draw(t, "way there"), Rows: []AnswerRow{row}}
					client.Apply(now, a)
					model.apply(now, a)
				}
			case 4, 5, 6:
				keys := rapid.SliceOfNDistinct(rapid.Int32Range(-1, 9), 0, 3, rapid.ID).Draw(t, "keys")
				cost := someCost.Draw(t, "cost")
				got, want := client.DecideAll(now, keys, cost, &coin), model.decideAll(now, keys, cost, &modelCoin)
				if got != want || coin != modelCoin {
					t.Fatalf("keys %d, cost %d at %d: admitted %v by %v, model %v by %v", keys, cost, now,
						got.Admitted(), got.Cause(), want.Admitted(), want.Cause())
				}
			default:
				k, cost := key.Draw(t, "key"), someCost.Draw(t, "cost")
				got, want := counting.Verdict(0), model.decide(now, k, cost, &modelCoin)
				if client.Plain() && rapid.Bool().Draw(t, "in two steps") {
					slot := client.Slot(k)
					got, _ = client.Judge(now, slot, cost)
					client.Count(slot, cost, got)
				} else {
					got = client.Decide(now, k, cost, &coin)
				}
				if got != want || coin != modelCoin {
					t.Fatalf("key %d, cost %d at %d: admitted %v by %v, model %v by %v", k, cost, now,
						got.Admitted(), got.Cause(), want.Admitted(), want.Cause())
				}
			}
		}
	})
}

// modelServer keeps every report and computes each answer from all of them.
type modelServer struct {
	config   Config
	received []modelReport
	levels   map[int32]*big.Rat // tokens
	last     map[int32]int64    // of which time the level is
	resumed  map[int32]int64    // when a report came after an idle time
	pending  map[int32]int64    // hits that arrived since
}

type modelReport struct {
	at, sentAt int64
	row        ReportRow
}

// settle returns the level of a key at now by the formula of the order, from the
// hits of all reports that have arrived at now. The state is the level as of a time up to
// which all refill has been cut.
func (s *modelServer) settle(key int32, now int64) *big.Rat {
	rate := big.NewRat(s.config.Limit.Count, s.config.Limit.Window)
	full := big.NewRat(s.config.Bucket.Burst, 1)
	if s.levels[key] == nil {
		s.levels[key] = full
	}
	plus := func(level *big.Rat, ns int64) *big.Rat {
		return new(big.Rat).Add(level, new(big.Rat).Mul(rate, big.NewRat(ns, 1)))
	}
	refill := func(to int64) {
		to = max(to, s.last[key])
		s.levels[key], s.last[key] = plus(s.levels[key], to-s.last[key]), to
		if s.levels[key].Cmp(full) > 0 {
			s.levels[key] = full
		}
	}
	idle := false
	switch {
	case s.config.RefillFirst:
		refill(now)
	case !s.config.Literal:
		idle = s.last[key] < now-2*s.config.Interval || s.resumed[key] == now
		if idle {
			s.resumed[key] = now
		}
		refill(now - s.config.Interval)
	}
	s.levels[key] = new(big.Rat).Sub(s.levels[key], big.NewRat(s.pending[key], 1))
	s.pending[key] = 0
	if s.config.Literal || idle {
		refill(now)
	}
	return plus(s.levels[key], now-s.last[key])
}

func (s *modelServer) receive(now int64, r *Report) {
	for _, row := range r.Rows {
		s.received = append(s.received, modelReport{now, r.SentAt, row})
		s.pending[row.Key] += row.Hits
	}
}

// total adds what was reported for a key in [from, to).
func (s *modelServer) total(key int32, from, to int64) (n int64) {
	for _, r := range s.received {
		if r.row.Key == key && r.at >= from && r.at < to {
			n += r.row.Hits
			if s.config.CountRejected {
				n += r.row.Rejected
			}
		}
	}
	return n
}

// estimate is the demand per second in units of 2^-16.
func (s *modelServer) estimate(key int32, now int64) *big.Int {
	sec := now / second * second
	n := new(big.Int)
	switch s.config.Estimate.Kind {
	case PreviousSecond:
		n.SetInt64(s.total(key, sec-second, sec))
	case TrailingSecond:
		n.SetInt64(s.total(key, now-second+1, now+1))
	case Ewma:
		w := s.config.Estimate.Weight
		e := new(big.Rat)
		for at := int64(0); at < sec; at += second {
			e.Mul(e, big.NewRat(w.Den-w.Num, w.Den))
			e.Add(e, big.NewRat(w.Num*s.total(key, at, at+second), w.Den))
		}
		e.Mul(e, big.NewRat(1<<16, 1))
		return n.Quo(e.Num(), e.Denom())
	}
	return n.Lsh(n, 16)
}

func (s *modelServer) answer(now int64, r *Report) (rows []AnswerRow) {
	l := s.config.Limit
	for _, row := range r.Rows {
		out := AnswerRow{Key: row.Key}
		until := int64(0)
		if s.config.Bucket == nil {
			start := now / l.Window * l.Window
			var count int64
			for _, r := range s.received {
				if r.row.Key == row.Key && r.at >= start && (!s.config.CountSent || r.sentAt >= r.at/l.Window*l.Window) {
					count += r.row.Hits
				}
			}
			if count >= l.Count {
				until = start + l.Window
			}
		} else {
			if level := s.settle(row.Key, now); level.Sign() < 0 {
				wait := new(big.Rat).Quo(new(big.Rat).Neg(level), big.NewRat(l.Count, l.Window))
				up := new(big.Int).Add(wait.Num(), new(big.Int).Sub(wait.Denom(), big.NewInt(1)))
				until = now + up.Quo(up, wait.Denom()).Int64()
			}
		}
		if until > 0 && s.config.AsDuration {
			out.Reject = until - now
		} else {
			out.Reject = until
		}
		if s.config.RejectionRate {
			if e := s.estimate(row.Key, now); e.Sign() > 0 {
				demand := new(big.Rat).SetFrac(e, big.NewInt(1<<16))
				share := new(big.Rat).Sub(demand, new(big.Rat).Mul(big.NewRat(l.Count, l.Window), big.NewRat(second, 1)))
				if share.Quo(share, demand).Sign() > 0 {
					share.Mul(share, big.NewRat(1<<32, 1))
					out.RejectionRate = uint32(new(big.Int).Quo(share.Num(), share.Denom()).Int64())
				}
			}
		}
		rows = append(rows, out)
	}
	return rows
}

func TestServerAgainstReferenceModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := steady()
		c.Limit = counting.Limit{Count: rapid.Int64Range(1, 2000).Draw(t, "limit"), Window: rapid.Int64Range(100*ms, 3*second).Draw(t, "window")}
		if rapid.Bool().Draw(t, "bucket") {
			c.Bucket = &counting.TokenBucketOptions{Debt: true, Burst: rapid.Int64Range(0, 500).Draw(t, "burst")}
			c.Interval = rapid.Int64Range(1, second).Draw(t, "interval")
			c.RefillFirst = rapid.Bool().Draw(t, "refill-debit")
			c.Literal = !c.RefillFirst && rapid.Bool().Draw(t, "literal")
		}
		c.CountSent = rapid.Bool().Draw(t, "sent")
		c.AsDuration = rapid.Bool().Draw(t, "duration")
		c.RejectionRate = rapid.Bool().Draw(t, "rate")
		c.CountRejected = rapid.Bool().Draw(t, "count_rejected")
		// Powers of two keep the reference model's rationals and our 2^-32 the same; an
		// ewma of a quarter still rounds down after 8 folds, so stop before.
		c.Estimate = Estimate{Kind: EstimateKind(rapid.IntRange(0, 2).Draw(t, "estimate")), Weight: units.Fraction{Num: 1, Den: 4}}
		server := NewServer(&c, 0, 0)
		model := &modelServer{config: c, levels: map[int32]*big.Rat{}, last: map[int32]int64{}, resumed: map[int32]int64{}, pending: map[int32]int64{}}
		var now int64
		for range rapid.IntRange(1, 60).Draw(t, "instants") {
			now += rapid.Int64Range(1, 1<<rapid.IntRange(1, 28).Draw(t, "scale")).Draw(t, "dt")
			if now >= 8*second {
				break
			}
			var reports []*Report
			for range rapid.IntRange(1, 3).Draw(t, "reports") {
				r := &Report{SentAt: now + rapid.Int64Range(-200*ms, 50*ms).Draw(t, "sent")}
				first := rapid.Int32Range(0, 2).Draw(t, "key")
				for key := first; key < 3; key++ {
					r.Rows = append(r.Rows, ReportRow{key, 0, rapid.Int64Range(0, 600).Draw(t, "hits"), rapid.Int64Range(0, 600).Draw(t, "rejected")})
				}
				server.Receive(now, r)
				model.receive(now, r)
				reports = append(reports, r)
			}
			for _, r := range reports {
				var a Answer
				server.Answer(now, r, &a)
				if diff := cmp.Diff(model.answer(now, r), a.Rows); diff != "" {
					t.Fatalf("answer at %d (-model +server):\n%s", now, diff)
				}
			}
		}
	})
}
