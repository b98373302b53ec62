package bounds

import (
	"fmt"
	"sort"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/random"
)

const (
	minEdgeWindows = 4   // windows whose edges must agree
	maxEdges       = 256 // edges that are looked at
	trials         = 999 // of limiters without calendar windows
	maxChancePct   = 1.0 // of such a limiter to agree as well
)

// Finding is what the refusals say about the phase of calendar windows.
type Finding struct {
	// Phase is the phase of the target's calendar windows, or nil if none is known.
	Phase *Phase
	// Read states that Phase is from the target's clock.
	Read bool
	// Edges is the number of edges, of which Agreeing agree on a phase; they are in
	// Windows different windows.
	Edges, Agreeing, Windows int
	// ChancePct is the share of limiters without calendar windows, in percent, whose
	// edges agree as well at the same times of sending. It is 100 if it was not computed.
	ChancePct float64
	// Reason states why no phase was found.
	Reason string
}

// findPhase looks for calendar windows in the edges of all keys.
//
// The edges must be in at least four windows, and all but one, or all but a tenth,
// must agree. The null hypothesis is a window that begins with the first request
// after the one before has ended, as in a first-hit window, and as the admitted
// requests of a saturated log leave it: its first phase is random, and each window
// begins later than the one before by the gap in the traffic. The null is tried on the
// times of sending of the run, so that a pattern of the traffic that repeats with
// the windows yields no phase.
func findPhase(records []*record, s *Settings) Finding {
	width := s.Limit.Window
	var edges []edge
	for _, r := range records {
		edges = append(edges, edgesOf(r, s.ResolutionNs)...)
	}
	sort.SliceStable(edges, func(i, j int) bool { return edges[i].after < edges[j].after })
	edges = edges[:min(len(edges), maxEdges)]
	f := Finding{Edges: len(edges), ChancePct: 100}
	arcs := make([]arc, len(edges))
	for i, e := range edges {
		arcs[i] = e.arc(width)
	}
	if s.Phase != nil {
		f.Phase, f.Read = s.Phase, true
		f.count(edges, width)
		return f
	}
	slack := max(1, len(edges)/10)
	place, most, ok := agreement(arcs, width, slack)
	f.Agreeing = most
	if ok {
		f.Phase = &place
		f.count(edges, width)
	}
	switch {
	case len(edges) < minEdgeWindows:
		f.Reason = fmt.Sprintf("%s after %d or more refusals; %d are needed", format.Count(len(edges), "edge"), minRefusals, minEdgeWindows)
	case !ok:
		f.Reason = fmt.Sprintf("no calendar windows: %d of %d edges agree", most, len(edges))
	case f.Windows < minEdgeWindows:
		f.Reason = fmt.Sprintf("the edges are in %s; %d are needed", format.Count(f.Windows, "window"), minEdgeWindows)
	default:
		f.ChancePct = chancePct(edges, width, slack, most)
		if f.ChancePct > maxChancePct {
			f.Reason = fmt.Sprintf("no calendar windows: %.1f %% of limiters without them show such edges in this traffic", f.ChancePct)
		}
	}
	if f.Reason != "" {
		f.Phase = nil
	}
	return f
}

// count counts the edges that agree with the phase and their windows.
func (f *Finding) count(edges []edge, width int64) {
	windows := map[int64]bool{}
	f.Agreeing = 0
	for _, e := range edges {
		// The first window that can begin after the edge's earliest time.
		k := integers.FloorDiv(e.after-f.Phase.LatestNs, width) + 1
		if f.Phase.EarliestNs+k*width <= e.upTo {
			f.Agreeing++
			windows[k] = true
		}
	}
	f.Windows = len(windows)
}

// chancePct returns how often the edges of the null hypothesis agree as well.
func chancePct(edges []edge, width int64, slack, most int) float64 {
	hits := 0
	keys := chainsOf(edges, width)
	stream := random.New(1, 0, "phase")
	arcs := make([]arc, 0, len(edges))
	for range trials {
		arcs = arcs[:0]
		for i := range keys {
			arcs = keys[i].draw(arcs, width, int64(stream.Below(uint64(width))))
		}
		if _, n, _ := agreement(arcs, width, slack); n >= most {
			hits++
		}
	}
	return 100 * float64(1+hits) / float64(1+trials)
}

// chain is what the null hypothesis needs of one key: the sorted times of sending
// and of answering, and the windows in which the key has edges, counted from its
// first edge.
type chain struct {
	sent, answered []int64
	begin          int64 // of the time in which the first edge is drawn
	windows        []int64
}

func chainsOf(edges []edge, width int64) []chain {
	var chains []chain
	place := map[*record]int{}
	for _, e := range edges {
		i, ok := place[e.key]
		if !ok {
			i = len(chains)
			place[e.key] = i
			c := chain{begin: e.upTo - width/2}
			for _, a := range e.key.asked {
				c.sent = append(c.sent, a.SentNs)
				c.answered = append(c.answered, a.AnsweredNs)
			}
			chains = append(chains, c)
		}
		c := &chains[i]
		c.windows = append(c.windows, integers.FloorDiv(e.upTo-c.begin, width))
	}
	return chains
}

// draw appends the arcs of one limiter whose first edge is at a phase after begin. A
// window that has no request after it agrees with everything.
func (c *chain) draw(arcs []arc, width, phase int64) []arc {
	ends := c.begin + phase
	window := int64(0)
	for _, w := range c.windows {
		i := after(c.sent, ends-1)
		for ; window < w && i < len(c.sent); window++ {
			ends = c.sent[i] + width
			i = after(c.sent, ends-1)
		}
		if i == 0 || i == len(c.sent) {
			arcs = append(arcs, arc{0, width})
			continue
		}
		arcs = append(arcs, edge{after: c.sent[i-1], upTo: c.answered[i]}.arc(width))
	}
	return arcs
}
