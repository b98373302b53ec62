package bounds

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/live/exchange"
)

const (
	trials   = 999 // of limiters without calendar windows
	perOrder = 111 // trials with the same times of decision
)

// chancePct returns how many of 1,000 limiters without calendar windows, in percent,
// have edges of which as many agree. It counts the limiter in question as one of them,
// and stops once they agree too often.
//
// Such a limiter begins a window with the first request after the one before has
// ended. First-hit windows do, and so do the admitted requests of a saturated log and
// the single tokens of a bucket. The first phase is random, and each window begins later
// than the one before by the gap in the traffic. The limiters are tried on the requests
// of the run, with random times of decision between sending and answer. So traffic
// that repeats with the windows yields no phase.
func chancePct(edges []edge, width int64, slack, most int) float64 {
	hits := 0
	keys := chainsOf(edges, width)
	stream := random.New(1, 0, "phase")
	arcs := make([]arc, 0, len(edges))
	for trial := range trials {
		arcs = arcs[:0]
		for i := range keys {
			if trial%perOrder == 0 {
				keys[i].decide(&stream)
			}
			arcs = keys[i].draw(arcs, width, int64(stream.Below(uint64(width))))
		}
		if _, n, _ := agreement(arcs, width, slack); n >= most {
			if hits++; 100*float64(1+hits) > maxChancePct*float64(1+trials) {
				return 100 * float64(1+hits) / float64(2+trial)
			}
		}
	}
	return 100 * float64(1+hits) / float64(1+trials)
}

// chain is one key under a limiter without calendar windows.
type chain struct {
	key     *record
	begin   int64   // of the time in which the first edge is drawn
	windows []int64 // that have edges in the run, counted from begin

	decided []int64 // times of decision, in order, the answers of these requests, and
	upTo    []int64
	after   []int64 // the latest sending of a request that was answered before each was sent
}

func chainsOf(edges []edge, width int64) []chain {
	var chains []chain
	place := map[*record]int{}
	for _, e := range edges {
		i, ok := place[e.key]
		if !ok {
			i = len(chains)
			place[e.key] = i
			chains = append(chains, chain{key: e.key, begin: e.upTo - width/2})
		}
		c := &chains[i]
		c.windows = append(c.windows, integers.FloorDiv(e.upTo-c.begin, width))
	}
	return chains
}

// decide draws new times of decision.
func (c *chain) decide(stream *random.Stream) {
	type request struct{ decided, upTo, after int64 }
	requests := make([]request, len(c.key.asked))
	byAnswer := lists.Map(c.key.asked, func(e *exchange.Exchange) span { return span{from: e.SentNs, to: e.AnsweredNs} })
	slices.SortFunc(byAnswer, func(a, b span) int { return cmp.Compare(a.to, b.to) })
	next, last := 0, -unset
	for i, e := range c.key.asked { // in the order of sending
		for ; next < len(byAnswer) && byAnswer[next].to < e.SentNs; next++ {
			last = max(last, byAnswer[next].from)
		}
		took := stream.Below(uint64(e.AnsweredNs-e.SentNs) + 1)
		requests[i] = request{e.SentNs + int64(took), e.AnsweredNs, last}
	}
	slices.SortFunc(requests, func(a, b request) int { return cmp.Compare(a.decided, b.decided) })
	c.decided, c.upTo, c.after = c.decided[:0], c.upTo[:0], c.after[:0]
	for _, r := range requests {
		c.decided, c.upTo, c.after = append(c.decided, r.decided), append(c.upTo, r.upTo), append(c.after, r.after)
	}
}

// draw appends the arcs of one limiter whose first edge is at a phase after begin. A
// window without a request after it or an answer before it agrees with everything.
func (c *chain) draw(arcs []arc, width, phase int64) []arc {
	ends := c.begin + phase
	window := int64(0)
	for _, w := range c.windows {
		i := after(c.decided, ends-1)
		for ; window < w && i < len(c.decided); window++ {
			ends = c.decided[i] + width
			i = after(c.decided, ends-1)
		}
		if i == len(c.decided) || c.after[i] < 0 {
			arcs = append(arcs, arc{0, width})
			continue
		}
		arcs = append(arcs, edge{after: c.after[i], upTo: c.upTo[i]}.arc(width))
	}
	return arcs
}
