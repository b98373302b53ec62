package bounds

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/live/exchange"
)

// virtual is a run against a limiter in virtual time that logs its decisions.
type virtual struct {
	exchanges []exchange.Exchange
	decisions []decision // in the order of their times
	phase     int64      // of the limiter's calendar windows
}

type decision struct {
	at, cost int64
	of       int // the exchange
	admitted bool
}

// setup is what a virtual run is like.
type setup struct {
	algorithm string // fixed-window, first-hit-window, sliding-log, token-bucket or gcra
	fault     string // none, 5% over, double, two copies, forgets, counts rejected or 10% under
	limit     counting.Limit
	ratePct   int64 // of sending, in percent of the limit
	windows   int64 // length of the run
	even      bool  // sent at constant distances instead of a Poisson process
	pairs     bool  // sent in two bursts around the same place of each window
	sparse    bool  // pairs of twice as many requests around the same place of each second window
	maxCost   int64
	oneWayNs  int64 // mean latency of each way
	lostPct   uint64
	stalls    int   // of 100 ms
	giveUpNs  int64 // after which the sender takes a request for failed
	seed      uint64
	phase     int64 // of calendar windows, plus 1, or 0 for a random one
}

func exponential(stream *random.Stream, mean int64) int64 {
	return int64(float64(mean) * float64(stream.Exponential()) / (1 << random.ExponentialBits))
}

// arrivals returns the planned times of the requests.
func (s setup) arrivals(stream *random.Stream) (at []int64) {
	width := s.limit.Window
	gap := width * 100 * (1 + s.maxCost) / 2 / (s.limit.Count * s.ratePct)
	if s.sparse {
		for k := int64(0); 2*k < s.windows; k++ {
			for i := range int64(400) {
				at = append(at, 2*k*width+width/2+i*(width/1250)+i/200*(width/50))
			}
		}
		return at
	}
	for now := int64(0); now < s.windows*width; {
		switch {
		case s.pairs && len(at)%100 == 0:
			now = int64(len(at)/200)*width + width/2 + int64(len(at)/100%2)*(width/50)
		case s.pairs:
			now += 10e3
		case s.even:
			now += gap
		default:
			now += exponential(stream, gap)
		}
		at = append(at, now)
	}
	return at
}

// run sends requests and decides them.
func (s setup) run() virtual {
	stream := random.New(s.seed, 0, "virtual")
	exponential := func(mean int64) int64 { return exponential(&stream, mean) }
	width := s.limit.Window
	v := virtual{phase: int64(stream.Below(uint64(width)))}
	if s.phase > 0 {
		v.phase = s.phase - 1
	}
	var stalls []int64
	for range s.stalls {
		stalls = append(stalls, int64(stream.Below(uint64(s.windows*width))))
	}
	var at []int64
	for _, now := range s.arrivals(&stream) {
		e := exchange.Exchange{Request: exchange.Request{Number: int64(len(at)), Cost: 1 + int64(stream.Below(uint64(s.maxCost)))}}
		e.RetryAfterNs = exchange.Unstated
		// The sender is late by some microseconds.
		e.SentNs = now + exponential(5e3)
		reached := e.SentNs + exponential(s.oneWayNs)
		for _, begin := range stalls {
			if reached >= begin && reached < begin+100e6 {
				reached = begin + 100e6 + int64(len(at))%1000*100 // in order, 0.1 us each
			}
		}
		at = append(at, reached)
		e.AnsweredNs = reached + exponential(s.oneWayNs)
		v.exchanges = append(v.exchanges, e)
	}
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	take := s.limiter(&stream, v.phase)
	for _, i := range order {
		e := &v.exchanges[i]
		admitted := take(at[i], e.Cost).Admitted()
		v.decisions = append(v.decisions, decision{at[i], e.Cost, i, admitted})
		e.Verdict = exchange.Rejected
		if admitted {
			e.Verdict, e.Admit = exchange.Admitted, true
		}
		if stream.Below(100) < s.lostPct || e.AnsweredNs-e.SentNs > s.giveUpNs {
			e.Verdict, e.Admit, e.AnsweredNs = exchange.Failed, false, e.SentNs+s.giveUpNs
		}
	}
	return v
}

type taker func(now, cost int64) counting.Verdict

// exactly returns the exact limiter of an algorithm. It starts full, and its calendar
// windows begin at the phase.
func exactly(algorithm string, limit counting.Limit, phase int64, o counting.WindowOptions) taker {
	shift := limit.Window - phase
	switch algorithm {
	case "fixed-window":
		c := counting.NewFixedWindow(limit, o)
		return func(now, cost int64) counting.Verdict { return c.Take(now+shift, cost) }
	case "first-hit-window":
		c := counting.NewFirstHitWindows(limit, counting.FirstHitOptions{}, 1)
		return func(now, cost int64) counting.Verdict { return c.Take(0, now, cost) }
	case "sliding-log":
		c := counting.NewSlidingLog(limit, o)
		return c.Take
	case "token-bucket":
		c := counting.NewTokenBucket(limit, counting.TokenBucketOptions{Burst: limit.Burst})
		return c.Take
	default:
		c := counting.NewGCRAs(limit, 1)
		return func(now, cost int64) counting.Verdict { return c.Take(0, now, cost) }
	}
}

// limiter returns the limiter of a run with its fault.
func (s setup) limiter(stream *random.Stream, phase int64) taker {
	limit := s.limit
	scale := func(pct int64) {
		limit.Count = limit.Count * pct / 100
		limit.Burst = limit.Burst * pct / 100
	}
	var o counting.WindowOptions
	switch s.fault {
	case "5% over":
		scale(105)
	case "double":
		scale(200)
	case "10% under":
		scale(90)
	case "counts rejected":
		o.CountRejected = true
	case "two copies":
		copies := []taker{exactly(s.algorithm, limit, phase, o), exactly(s.algorithm, limit, phase, o)}
		return func(now, cost int64) counting.Verdict {
			copies[0], copies[1] = copies[1], copies[0]
			return copies[0](now, cost)
		}
	case "forgets":
		take := exactly(s.algorithm, limit, phase, o)
		at := int64(stream.Below(uint64(limit.Window)))
		return func(now, cost int64) counting.Verdict {
			if now >= at {
				take = exactly(s.algorithm, limit, phase, o)
				at = now + limit.Window + int64(stream.Below(uint64(2*limit.Window)))
			}
			return take(now, cost)
		}
	}
	return exactly(s.algorithm, limit, phase, o)
}
