package bounds

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/exchange"
)

const ms = int64(1e6)

// burst returns n requests of a key that are sent 10 us after one another from at on.
func burst(key string, n int, at, took int64, v exchange.Verdict) []exchange.Exchange {
	var list []exchange.Exchange
	for i := range n {
		e := exchange.Exchange{
			Request: exchange.Request{Key: key, Cost: 1}, Answer: exchange.Plain(v == exchange.Admitted),
			SentNs: at + int64(i)*1e4, Verdict: v,
		}
		e.AnsweredNs = e.SentNs + took
		list = append(list, e)
	}
	return list
}

func join(parts ...[]exchange.Exchange) (all []exchange.Exchange) {
	for _, p := range parts {
		all = append(all, p...)
	}
	for i := range all {
		all[i].Number = int64(i)
	}
	return all
}

// windows returns ten bursts of 150 requests, more than a second apart, of which n
// are admitted.
func windows(n int, took int64) (all []exchange.Exchange) {
	for w := range int64(10) {
		all = append(all, burst("a", n, w*1100*ms, took, exchange.Admitted)...)
		all = append(all, burst("a", 150-n, w*1100*ms+10*ms, took, exchange.Rejected)...)
	}
	return all
}

func TestVerdicts(t *testing.T) {
	limit := counting.Limit{Count: 100, Window: 1000 * ms, Burst: 20}
	for _, c := range []struct {
		name        string
		exchanges   []exchange.Exchange
		kind        Kind
		set         func(*Settings)
		want, under string
	}{
		{
			name:      "two bursts at a boundary",
			exchanges: join(burst("a", 100, 990*ms, ms, exchange.Admitted), burst("a", 100, 1010*ms, ms, exchange.Admitted)),
			want:      "over the limit (certified: 200 requests admitted in a window, limit 100)",
			under:     "could not be evaluated (the demand reached the limit in 1 window; 3 are needed: send 2s more)",
		},
		{
			name: "two bursts at a boundary that the clock of the target states",
			kind: Calendar, set: func(s *Settings) { s.Phase, s.MinSaturated = &Phase{0, ms}, 2 },
			exchanges: join(burst("a", 100, 990*ms, ms, exchange.Admitted), burst("a", 100, 1010*ms, ms, exchange.Admitted)),
			want:      "keeps the limit (possible maximum 100 requests)",
			under:     "not under the limit (at most 0 requests fewer than an exact limiter)",
		},
		{
			name:      "an exact limiter",
			exchanges: windows(100, ms),
			want:      "keeps the limit (possible maximum 100 requests)",
			under:     "not under the limit (at most 0 requests fewer than an exact limiter)",
		},
		{
			name:      "a limiter that admits half",
			exchanges: windows(50, ms),
			want:      "keeps the limit (possible maximum 50 requests)",
			under:     "under the limit (certified: admitted 500 requests fewer than the 1000 that an exact limiter admits at least)",
		},
		{
			name:      "a frozen store",
			exchanges: join(windows(100, ms), burst("a", 102, 12_000*ms, 1500*ms, exchange.Failed)),
			want: "unknown (between 100 and 102 requests admitted in a window, limit 100: no answer came for 1.5s, " +
				"102 requests without a verdict, at most 100 if the limiter admitted none of them)",
			under: "unknown (between 0 and 102 requests fewer than an exact limiter)",
		},
		{
			name:      "a limiter that never answers",
			exchanges: burst("a", 102, 0, 0, exchange.Failed),
			want:      "unknown (between 0 and 102 requests admitted in a window, limit 100: none of 102 requests got a verdict)",
			under:     "unknown (between 0 and 102 requests fewer than an exact limiter)",
		},
		{
			name:      "too many failures",
			exchanges: join(burst("a", 90, 0, ms, exchange.Rejected), burst("a", 10, 5*ms, ms, exchange.Failed)),
			want:      "could not be evaluated (10 of 100 requests failed; at most 5 % may)",
			under:     "under the limit (certified: admitted 80 requests fewer than the 90 that an exact limiter admits at least)",
		},
		{
			name: "a target that dies",
			exchanges: join(burst("a", 120, 0, ms, exchange.Rejected), burst("a", 3, ms, 0, exchange.NotSent),
				lists.Map(burst("a", 300, 1000*ms, 0, exchange.NotSent), func(e exchange.Exchange) exchange.Exchange { e.Failure = "connection refused"; return e })),
			want:  "could not be evaluated (the demand reached the limit in 1 window; 3 are needed: first mend what kept 300 of 423 requests from being sent: connection refused)",
			under: "under the limit (certified: admitted 100 requests fewer than the 100 that an exact limiter admits at least)",
		},
		{
			name: "a window that is short by less than the target's clock resolves",
			set:  func(s *Settings) { s.ResolutionNs = ms },
			exchanges: join(burst("a", 100, 0, 1e3, exchange.Admitted), burst("a", 1, 1000*ms-ms/2, 1e3, exchange.Admitted),
				burst("a", 99, 1010*ms, 1e3, exchange.Admitted)),
			want:  "over by less than its clock's resolution (certified: 101 requests admitted in a window, limit 100; resolution 1ms)",
			under: "could not be evaluated (the demand reached the limit in 1 window; 3 are needed: send 4s more)",
		},
		{
			name: "a bucket with a token too many", kind: Bucket,
			exchanges: join(burst("a", 22, 0, 1e3, exchange.Admitted), burst("a", 200, 5*ms, 1e3, exchange.Rejected)),
			want:      "over the limit (certified: 1.97 requests admitted beyond rate and burst)",
			under:     "could not be evaluated (the demand reached the limit in 1 window; 3 are needed: send 2s more)",
		},
		{
			name: "a bucket", kind: Bucket,
			exchanges: join(burst("a", 20, 0, 1, exchange.Admitted), burst("a", 200, 5*ms, 1, exchange.Rejected)),
			set:       func(s *Settings) { s.MinSaturated = 1 },
			want:      "keeps the limit (possible maximum 0 requests admitted beyond rate and burst)",
			under:     "not under the limit (at most 0 requests fewer than an exact limiter)",
		},
		{
			name:      "two keys",
			exchanges: join(windows(100, ms), burst("b", 101, 500*ms, ms, exchange.Admitted)),
			want:      `over the limit (certified: 101 requests admitted in a window, limit 100; key "b")`,
			under:     "not under the limit (at most 0 requests fewer than an exact limiter)",
		},
		{
			name: "nothing was sent",
			want: "could not be evaluated (no request was sent)", under: "could not be evaluated (no request was sent)",
			exchanges: []exchange.Exchange{{Request: exchange.Request{Cost: 1}}},
		},
	} {
		s := NewSettings(limit, c.kind)
		if c.set != nil {
			c.set(&s)
		}
		rep, err := Judge(c.exchanges, s)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if rep.Judgement.Text != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, rep.Judgement.Text, c.want)
		}
		if rep.Under.Text != c.under {
			t.Errorf("%s, under:\n%s, want\n%s", c.name, rep.Under.Text, c.under)
		}
		rand.Shuffle(len(c.exchanges), func(i, j int) { c.exchanges[i], c.exchanges[j] = c.exchanges[j], c.exchanges[i] })
		if again, _ := Judge(c.exchanges, s); !reflect.DeepEqual(again, rep) {
			t.Errorf("%s: another order of the exchanges changes the report", c.name)
		}
	}
}

// A certified figure is rounded down and a possible one up, so that a text claims no more
// than is known.
func TestRounding(t *testing.T) {
	for _, c := range []struct {
		x               float64
		atLeast, atMost string
	}{
		{0, "0", "0"}, {0.004, "0", "0.01"}, {0.07, "0.07", "0.07"}, {0.29, "0.29", "0.29"}, {99.506, "99.5", "99.51"}, {101, "101", "101"},
		{12345678.123, "12345678.12", "12345678.13"},
	} {
		if least, most := atLeast(c.x), atMost(c.x); least != c.atLeast || most != c.atMost {
			t.Errorf("%v is at least %s and at most %s, want %s and %s", c.x, least, most, c.atLeast, c.atMost)
		}
	}
}

// What waits is judged when it is dispatched.
func TestWaitsShiftWhatIsJudged(t *testing.T) {
	all := burst("a", 40, 0, ms, exchange.Admitted)
	for i := range all {
		all[i].WaitNs = int64(i) * 10 * ms
	}
	rep, err := Judge(all, NewSettings(counting.Limit{Count: 10, Window: 100 * ms}, Sliding))
	if err != nil {
		t.Fatal(err)
	}
	if w := rep.Keys[0].Sliding; w.Certified.Cost != 10 || w.Possible.Cost != 11 {
		t.Errorf("certified %d, possible %d, want 10 and 11", w.Certified.Cost, w.Possible.Cost)
	}
}

func TestKeysUsedBeforeOweNothing(t *testing.T) {
	limit := counting.Limit{Count: 100, Window: 1000 * ms, Burst: 100}
	all := burst("a", 150, 0, ms, exchange.Rejected)
	for _, kind := range []Kind{Sliding, Calendar, Bucket} {
		s := NewSettings(limit, kind)
		s.Phase = &Phase{500 * ms, 500 * ms}
		for _, c := range []struct {
			used bool
			want int64
		}{{false, 100}, {true, 0}} {
			s.UsedBefore = c.used
			rep, err := Judge(all, s)
			if err != nil {
				t.Fatal(err)
			}
			if got := rep.Shortfall.Certified; got != c.want {
				t.Errorf("kind %d, used %v: %d fewer than an exact limiter, want %d", kind, c.used, got, c.want)
			}
		}
	}
}

// The first request can fail: what a bucket had left before it is unknown all the same.
func TestKeysUsedBeforeAFailureOweNothing(t *testing.T) {
	s := NewSettings(counting.Limit{Count: 100, Window: 1000 * ms, Burst: 100}, Bucket)
	s.UsedBefore = true
	rep, err := Judge(join(burst("a", 1, 0, ms, exchange.Failed), burst("a", 150, 10*ms, ms, exchange.Rejected)), s)
	if err != nil {
		t.Fatal(err)
	}
	if got := rep.Shortfall.Certified; got != 0 {
		t.Errorf("%d fewer than an exact limiter, want 0", got)
	}
}

func TestContradictionsAreErrors(t *testing.T) {
	limit := counting.Limit{Count: 100, Window: 1000 * ms, Burst: 20}
	one := func(change func(*exchange.Exchange)) []exchange.Exchange {
		all := join(burst("a", 1, 0, ms, exchange.Admitted), burst("a", 1, 0, ms, exchange.Admitted))
		change(&all[1])
		return all
	}
	same := func(*exchange.Exchange) {}
	for _, c := range []struct {
		exchanges []exchange.Exchange
		set       func(*Settings)
		want      string
	}{
		{one(func(e *exchange.Exchange) { e.Cost = latest }), nil, "request 1: the sum of all costs"},
		{one(func(e *exchange.Exchange) { e.Cost = math.MaxInt64 }), nil, "request 1: the sum of all costs"},
		{one(func(e *exchange.Exchange) { e.WaitNs = latest }), func(s *Settings) { s.Kind = Bucket; s.Limit.Count = 99 }, "cannot be judged exactly"},
		{one(same), func(s *Settings) { s.Limit.Count = 0 }, "limit of 0 requests"},
		{one(same), func(s *Settings) { s.Kind, s.Limit.Burst = Bucket, 0 }, "a burst of 0"},
		{one(same), func(s *Settings) { s.Tolerance = -1 }, "tolerance of -1"},
		{one(same), func(s *Settings) { s.Phase = &Phase{5, 4} }, "phase from 5 to 4 ns"},
	} {
		s := NewSettings(limit, Sliding)
		if c.set != nil {
			c.set(&s)
		}
		if _, err := Judge(c.exchanges, s); err == nil || !strings.HasPrefix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// Hints name the true cause and the next step.
func TestHints(t *testing.T) {
	limit := counting.Limit{Count: 100, Window: 1000 * ms, Burst: 100}
	// A bucket that begins empty, and admits half of what is asked.
	var empty []exchange.Exchange
	for i := range 50 {
		v := exchange.Rejected
		if i >= 25 {
			v = exchange.Admitted
		}
		empty = append(empty, burst("a", 4, int64(i)*20*ms, ms, v)...)
	}
	failing := func(class string) []exchange.Exchange {
		failed := burst("a", 9, 12_000*ms, ms, exchange.Failed)
		failed[4].Failure = class
		return join(windows(100, ms), failed)
	}
	for _, c := range []struct {
		name      string
		kind      Kind
		exchanges []exchange.Exchange
		set       func(*Settings)
		over, sub string // of the hints
	}{
		{name: "not used before", kind: Bucket, exchanges: empty, set: func(s *Settings) { s.UsedBefore, s.MinSaturated = true, 0 }, sub: "if nothing used the keys before, add --unused, which certifies 97 requests fewer"},
		{name: "slow answers", kind: Sliding, exchanges: join(windows(100, ms), burst("a", 3, 12_000*ms, 1200*ms, exchange.Admitted), burst("a", 99, 12_900*ms, 300*ms, exchange.Admitted)),
			over: "the bounds differ by what is sent while an answer is under way, up to 1.2s: shorter round trips or fewer requests per second narrow them; --tolerance 2 accepts the difference"},
		{name: "answers that failed", kind: Sliding, exchanges: failing("status 503"),
			sub: "each request without a verdict widens the bounds by its cost"},
		{name: "answers that did not come", kind: Sliding, exchanges: failing("timeout"),
			sub: "each request without a verdict widens the bounds by its cost; a longer --timeout lets slow answers count"},
		{name: "unknown windows", kind: Calendar, exchanges: join(burst("a", 100, 900*ms, ms, exchange.Admitted), burst("a", 100, 1100*ms, ms, exchange.Admitted)),
			over: "when calendar windows begin is not established: in 1 window of 1 no key was first refused 20 times in a row and then admitted; send at least 140 requests per window to one key; if the windows follow the wall clock, add --clock"},
	} {
		s := NewSettings(limit, c.kind)
		if c.set != nil {
			c.set(&s)
		}
		rep, err := Judge(c.exchanges, s)
		if err != nil {
			t.Fatal(err)
		}
		if c.over != "" && rep.Judgement.Hint != c.over || rep.Under.Hint != c.sub {
			t.Errorf("%s: %s; %s\nhints %q\nand   %q", c.name, rep.Judgement.Text, rep.Under.Text, rep.Judgement.Hint, rep.Under.Hint)
		}
	}
	rep, err := Judge(burst("a", 50, 0, ms, exchange.Admitted), NewSettings(limit, Sliding))
	if err != nil {
		t.Fatal(err)
	}
	if want := "the demand reached the limit in 0 windows; 3 are needed: send at least 121 requests per window to one key"; rep.Reason != want {
		t.Errorf("%q, want %q", rep.Reason, want)
	}
}
