package batchreported

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// report makes one row of key 1.
func report(sentAt, hits, rejected int64) *Report {
	return &Report{SentAt: sentAt, Rows: []ReportRow{{Key: 1, Hits: hits, Rejected: rejected}}}
}

// Steps of one server: reports with one timestamp and their answers.
func TestServerSteps(t *testing.T) {
	type step struct {
		at, sentAt, hits, rejected int64
		until                      int64 // 0: not rejected
	}
	sent, refillFirst, literal, empty, deep := steady(), debt(), debt(), debt(), debt()
	sent.CountSent = true
	refillFirst.RefillFirst = true
	literal.Literal = true
	empty.Bucket = &counting.TokenBucketOptions{Debt: true, Burst: 100, Initial: counting.Empty}
	deep.Bucket = &counting.TokenBucketOptions{Debt: true, Burst: 50}
	thirds := debt()
	thirds.Limit = counting.Limit{Count: 3, Window: 10, Burst: 3}
	for name, x := range map[string]struct {
		config Config
		steps  []step
	}{
		"fixed window": {steady(), []step{
			{100 * ms, 100 * ms, 999, 5000, 0},
			{200 * ms, 200 * ms, 1, 0, second},
			{300 * ms, 300 * ms, 0, 10, second},
			{second, second, 0, 10, 0},
			{second + 1, second, 1000, 0, 2 * second},
		}},
		"counted on arrival": {steady(), []step{
			{second + 5*ms, second - 5*ms, 1000, 0, 2 * second},
		}},
		"counted as sent": {sent, []step{
			{second + 5*ms, second - 5*ms, 1000, 0, 0},          // expired on the way
			{second + 6*ms, second, 1000, 0, 2 * second},        // sent just inside
			{3*second - ms, 3*second + ms, 1000, 0, 3 * second}, // a clock ahead counts now
		}},
		"debit then refill": {debt(), []step{
			{100 * ms, 0, 300, 0, 300 * ms},
			{200 * ms, 0, 0, 300, 300 * ms},
			{300 * ms, 0, 0, 300, 0},
			{400 * ms, 0, 100, 0, 0},           // just what came in
			{900 * ms, 0, 101, 0, 900*ms + ms}, // one more; of the idle time only the last interval pays
			{10 * second, 0, 5000, 0, 14*second + 900*ms},
			{10 * second, 0, 1, 0, 14*second + 901*ms},        // at the same time: nothing more is earned
			{10*second + 50*ms, 0, 10, 0, 14*second + 911*ms}, // less than an interval later: no time counts twice
			{14*second + 911*ms, 0, 0, 0, 0},
		}},
		"literal": {literal, []step{
			{100 * ms, 0, 300, 0, 300 * ms},
			{400 * ms, 0, 100, 0, 0},
			{900 * ms, 0, 501, 0, 900*ms + ms},
			{10 * second, 0, 5000, 0, 0},           // idle time pays for its own debits
			{10 * second, 0, 1, 0, 10*second + ms}, // and is not kept
		}},
		"refill then debit": {refillFirst, []step{
			{100 * ms, 0, 300, 0, 400 * ms},
			{400 * ms, 0, 1, 0, 401 * ms},
		}},
		"initially empty": {empty, []step{
			{10 * ms, 0, 20, 0, 20 * ms},
		}},
		"a burst": {deep, []step{
			{10 * ms, 0, 60, 0, 0},
			{10 * ms, 0, 51, 0, 61 * ms},
			{5 * second, 0, 151, 0, 5*second + ms}, // the depth and one interval
		}},
		"rounded up": {thirds, []step{
			{10, 0, 4, 0, 14}, // one token in debt: 10 units at 3 a nanosecond
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := x.config.Check(); err != nil {
				t.Fatal(err)
			}
			s := NewServer(&x.config, 0, 0)
			for i, st := range x.steps {
				r := report(st.sentAt, st.hits, st.rejected)
				var a Answer
				s.Receive(st.at, r)
				s.Answer(st.at, r, &a)
				if got := a.Rows[0].Reject; got != st.until || a.ComputedAt != st.at {
					t.Errorf("step %d: reject until %d, want %d", i, got, st.until)
				}
			}
		})
	}
}

// Shares that 2^-32 can represent are exact, and others are rounded down.
func TestRejectionRates(t *testing.T) {
	for reported, want := range map[int64]uint32{
		999: 0, 1000: 0, 1001: 4290676, 1500: 1431655765, 2000: 1 << 31, 3000: 2863311530, 4000: 3 << 30, 1 << 45: 1<<32 - 1,
	} {
		c := steady()
		c.RejectionRate = true
		s := NewServer(&c, 0, 0)
		r := report(0, 900, reported-900)
		s.Receive(0, r)
		var a Answer
		if s.Answer(second, r, &a); a.Rows[0].RejectionRate != want {
			t.Errorf("of %d/s the share %d/2^32 is rejected, want %d", reported, a.Rows[0].RejectionRate, want)
		}
	}
}

// Sums of absurd counts stay within 64 bits.
func TestLargestEstimates(t *testing.T) {
	for _, kind := range []EstimateKind{PreviousSecond, Ewma} {
		est, e := &Estimate{Kind: kind, Weight: units.Fraction{Num: 1, Den: 1}}, estimate{}
		for range 1 << 18 {
			est.add(&e, 0, 1<<60)
		}
		if got := est.perSecond(&e, second); got != counted(maxReported) {
			t.Errorf("estimate %d of kind %d, want the largest", got, kind)
		}
	}
}

// All reports with one timestamp count before any of them is answered.
func TestReportsOfAnInstantCountTogether(t *testing.T) {
	c := steady()
	s := NewServer(&c, 0, 0)
	a, b := report(0, 500, 0), report(0, 500, 0)
	s.Receive(100, a)
	s.Receive(100, b)
	var answer Answer
	if s.Answer(100, a, &answer); answer.Rows[0].Reject != second {
		t.Error("the first report is answered as if it had come alone")
	}
}

// Clock skew: the client compares an absolute time with its own clock, but not a
// duration.
func TestClockSkew(t *testing.T) {
	for _, x := range []struct {
		duration bool
		ahead    int64
		until    int64 // by the true clock
	}{
		{false, 50 * ms, 950 * ms}, {false, -50 * ms, 1050 * ms},
		{true, 50 * ms, 1010 * ms}, {true, -50 * ms, 1010 * ms},
	} {
		c := steady()
		c.AsDuration = x.duration
		s, cl := NewServer(&c, 0, 0), NewClient(&c, 3)
		cl.SetClock(x.ahead)
		r := report(0, 1000, 0)
		s.Receive(400*ms, r)
		var a Answer
		s.Answer(400*ms, r, &a)
		cl.Apply(410*ms, &a) // 10 ms on the way
		if cl.Decide(x.until-1, 1, 1, nil).Admitted() || !cl.Decide(x.until, 1, 1, nil).Admitted() {
			t.Errorf("%+v: the rejection does not end at %d", x, x.until)
		}
		cl.Flush(second, oneServer, func(int32) *Report { return r })
		if want := second + x.ahead; r.SentAt != want {
			t.Errorf("%+v: sent at %d by the client's clock, want %d", x, r.SentAt, want)
		}
	}
}

func TestSkewedShare(t *testing.T) {
	c := Conditions{SkewBy: 5, SkewShare: units.Fraction{Num: 3, Den: 10}, SkewSign: AheadAndBehind}
	var got []int64
	for i := range int32(10) {
		got = append(got, c.Skew(i))
	}
	if want := []int64{0, 0, 0, 5, 0, 0, -5, 0, 0, 5}; !slices.Equal(got, want) {
		t.Errorf("skews are %v, want %v", got, want)
	}
}

// An answer replaces an earlier one, and a late answer is ignored.
func TestAnswersReplaceAndLateOnesDoNot(t *testing.T) {
	c := steady()
	cl := NewClient(&c, 0)
	answer := func(computedAt, until int64) *Answer {
		return &Answer{ComputedAt: computedAt, Rows: []AnswerRow{{Key: 1, Reject: until}}}
	}
	for i, x := range []struct {
		answer *Answer
		admits bool
	}{
		{answer(10, 100), false},
		{answer(5, 0), false},
		{answer(20, 0), true},
		{answer(15, 100), true},
		{answer(20, 100), false},
	} {
		cl.Apply(30, x.answer)
		if until := cl.RejectUntil(1); until > 30 == x.admits {
			t.Errorf("after answer %d rejects until %d", i, until)
		}
		if got := cl.Decide(30, 1, 1, nil).Admitted(); got != x.admits {
			t.Errorf("after answer %d admitted is %v", i, got)
		}
	}
	if at, ok := cl.LatestAnswer(); at != 20 || !ok {
		t.Errorf("the answer in use is of %d", at)
	}
	if until := cl.RejectUntil(2); until != 0 {
		t.Errorf("a key never seen is rejected until %d", until)
	}
}

// Rows are in order of first touch, with one report per owner and no duplicates.
func TestFlush(t *testing.T) {
	c := steady()
	cl := NewClient(&c, 4)
	for _, key := range []int32{9, 3, 9, 12, 3, 40, 41} {
		cl.Decide(0, key, 2, nil)
	}
	cl.Decide(0, 77, 0, nil) // costs nothing, says nothing
	var got []*Report
	flush := func(servers int) {
		got = nil
		cl.Flush(50, func(key int32) int32 { return routing.Owner(key, servers) }, func(int32) *Report {
			got = append(got, &Report{Rows: make([]ReportRow, 3)})
			return got[len(got)-1]
		})
	}
	flush(1)
	want := []ReportRow{{9, 0, 4, 0}, {3, 1, 4, 0}, {12, 2, 2, 0}, {40, 3, 2, 0}, {41, 4, 2, 0}}
	if len(got) != 1 || !slices.Equal(got[0].Rows, want) || got[0].Client != 4 || got[0].SentAt != 50 {
		t.Fatalf("the report is %+v, want rows %v", got, want)
	}
	lost := got[0]
	if flush(1); len(got) != 0 {
		t.Fatalf("a second report without news: %+v", got)
	}
	cl.Decide(60, 12, 1, nil)
	cl.Resend(lost)
	flush(3)
	hits := map[int32]int64{}
	for _, r := range got {
		for _, row := range r.Rows {
			if routing.Owner(row.Key, 3) != r.Server {
				t.Errorf("key %d goes to server %d, not %d", row.Key, r.Server, routing.Owner(row.Key, 3))
			}
			hits[row.Key] += row.Hits
		}
	}
	if len(got) < 2 || len(hits) != 5 || hits[12] != 3 || hits[9] != 4 {
		t.Errorf("after the resend %d reports hold %v", len(got), hits)
	}
}

// A pessimistic client that gives up a report keeps its key if a later report has
// been answered. If the report left after all answered ones, its key becomes
// unknown, even if an older report's answer has arrived in the meantime.
func TestGivingUpAnOlderReport(t *testing.T) {
	c := steady()
	c.Pessimistic = true
	s, client := NewServer(&c, 0, 0), NewClient(&c, 0)
	flush := func(now int64) *Report {
		r := &Report{}
		client.Decide(now, 7, 1, nil)
		client.Flush(now, oneServer, func(int32) *Report { return r })
		return r
	}
	answer := func(now int64, r *Report) {
		var a Answer
		s.Receive(now, r)
		s.Answer(now, r, &a)
		client.Apply(now, &a)
	}
	known := func(now int64, want bool, when string) {
		t.Helper()
		if got := client.Decide(now, 7, 1, nil).Admitted(); got != want {
			t.Errorf("%s: admitted %v, want %v", when, got, want)
		}
	}
	lost, kept := flush(100*ms), flush(200*ms)
	known(201*ms, false, "no answer yet")
	answer(202*ms, kept)
	client.Unanswered(lost)
	known(250*ms, true, "a later report has been answered")
	late, last := flush(300*ms), flush(400*ms)
	answer(410*ms, late)
	client.Unanswered(last)
	known(450*ms, false, "the latest report has been given up")
	answer(500*ms, flush(500*ms))
	known(501*ms, true, "the next report has been answered")
}

func TestTicks(t *testing.T) {
	c := steady()
	c.Clients, c.Interval = 4, 1001
	coin := splitMix(5)
	first := func(p ticks.Phase) []int64 { c.Phase = p; return c.Ticks(&coin) }
	if got := first(ticks.Aligned); !slices.Equal(got, []int64{0, 0, 0, 0}) {
		t.Errorf("aligned: %v", got)
	}
	if got := first(ticks.Staggered); !slices.Equal(got, []int64{125, 375, 625, 875}) {
		t.Errorf("staggered: %v", got)
	}
	c.Offsets = []int64{1, 500, 1000}
	if got := c.Ticks(nil); !slices.Equal(got, []int64{1, 500, 1000, 1}) {
		t.Errorf("offsets: %v", got)
	}
	c.Offsets = nil
	if got := first(ticks.CommonRandom); got[0] != got[3] || got[0] < 0 || got[0] >= 1001 {
		t.Errorf("common-random: %v", got)
	}
	c.Clients = 10_000
	var total int64
	for _, at := range first(ticks.Random) {
		if total += at; at < 0 || at >= 1001 {
			t.Fatalf("random: %d is outside the interval", at)
		}
	}
	if mean := total / 10_000; mean < 485 || mean > 515 {
		t.Errorf("random: mean %d of 0..1000", mean)
	}
}

// The estimates of a demand of 100 reported at 0.25 s, 1.25 s, … for three
// seconds and then never again, in units of 2^-16.
func TestEstimates(t *testing.T) {
	half := units.Fraction{Num: 1, Den: 2}
	for _, x := range []struct {
		name string
		rule Estimate
		want map[int64]float64 // at ms
	}{
		{"previous", Estimate{Kind: PreviousSecond}, map[int64]float64{999: 0, 1000: 100, 3999: 100, 4000: 0}},
		{"trailing", Estimate{Kind: TrailingSecond}, map[int64]float64{250: 100, 1249: 100, 1250: 100, 3249: 100, 3250: 0}},
		{"ewma", Estimate{Kind: Ewma, Weight: half}, map[int64]float64{999: 0, 1000: 50, 2500: 75, 3000: 87.5, 4000: 43.75, 13000: 87.5 / 1024}},
	} {
		for at, want := range x.want {
			rule := x.rule
			var e estimate
			for _, reported := range []int64{250, 1250, 2250} {
				if reported <= at {
					rule.add(&e, reported*ms, 60)
					rule.add(&e, reported*ms, 40)
				}
			}
			if got := rule.perSecond(&e, at*ms); got != uint64(want*(1<<16)) {
				t.Errorf("%s at %d ms is %d/2^16, want %g", x.name, at, got, want)
			}
		}
	}
	rule := &Estimate{Kind: Ewma, Weight: units.Fraction{Num: 1, Den: 1000}}
	e := estimate{closed: 1 << 61}
	if got := rule.perSecond(&e, 1_700_000_000*second); got != 0 {
		t.Errorf("after half a century an estimate of %d is left", got)
	}
}

func TestDecideDoesNotAllocate(t *testing.T) {
	c := steady()
	c.RejectionRate = true
	c.Local = &counting.Limit{Count: 10, Window: second, Burst: 10}
	cl := NewClient(&c, 0)
	coin := splitMix(1)
	r := &Report{}
	var now int64
	cycle := func() {
		for key := range int32(500) {
			cl.Decide(now, key*7, 1, &coin)
			now += 1000
		}
		cl.Flush(now, oneServer, func(int32) *Report { return r })
	}
	cycle()
	if n := testing.AllocsPerRun(10, cycle); n != 0 {
		t.Errorf("500 decisions and a report allocate %.0f times", n)
	}
}

func BenchmarkDecide(b *testing.B) {
	for _, keys := range []int32{1, 1000, 100_000} {
		b.Run(map[int32]string{1: "1 key", 1000: "1k keys", 100_000: "100k keys"}[keys], func(b *testing.B) {
			c := steady()
			cl := NewClient(&c, 0)
			coin := splitMix(1)
			var now int64
			key := int32(0)
			for b.Loop() {
				cl.Decide(now, key, 1, &coin)
				now += 1000
				if key++; key == keys {
					key = 0
				}
			}
		})
	}
}
