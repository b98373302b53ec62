package bounds

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

const (
	minEdgeWindows = 4   // windows whose edges must agree
	maxEdges       = 256 // edges that are looked at
	maxChancePct   = 1.0 // of a limiter without calendar windows to agree as well
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

// Contradicted reports whether more edges than a few contradict a phase that is read from a
// clock: so the target's windows do not follow this clock.
func (f *Finding) Contradicted() bool {
	return f.Read && f.Edges >= minEdgeWindows && f.Edges-f.Agreeing > max(1, f.Edges/10)
}

// findPhase looks for calendar windows in the edges of all keys.
//
// The edges must be in at least four windows, all but one, or all but a tenth, must
// agree, and limiters without calendar windows must seldom agree as well; see
// chancePct.
func findPhase(records []*record, s *Settings) Finding {
	width := s.Limit.Window
	edges := slices.Concat(lists.Map(records, func(r *record) []edge { return edgesOf(r, s.ResolutionNs) })...)
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.after, b.after) })
	edges = edges[:min(len(edges), maxEdges)]
	f := Finding{Edges: len(edges), ChancePct: 100}
	arcs := lists.Map(edges, func(e edge) arc { return e.arc(width) })
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
	case !ok && len(edges) >= minEdgeWindows && most < len(edges)-slack:
		f.Reason = fmt.Sprintf("no calendar windows: only %d of %d ends of refusals agree on when windows begin", most, len(edges))
	case !ok || f.Windows < minEdgeWindows:
		f.Reason = notEstablished(edges, minEdgeWindows, records, s)
	default:
		f.ChancePct = chancePct(edges, width, slack, most)
		if f.ChancePct > maxChancePct {
			f.Reason = notEstablished(edges, edgesFor(f.ChancePct, f.Windows), records, s)
		}
	}
	if f.Reason != "" {
		f.Phase, f.Reason = nil, cmp.Or(s.NoClock, f.Reason)
	}
	return f
}

// edgesFor returns in how many windows edges are needed, if limiters without calendar
// windows agree in so many of them in pct percent of the cases. Each further window makes
// that less likely by the same factor.
func edgesFor(pct float64, windows int) int {
	factor := math.Log(maxChancePct/100) / math.Log(min(pct, 99)/100)
	return 1 + max(windows, int(math.Ceil(factor*float64(windows-1))))
}

// notEstablished says that edges show no phase, and what to send so that they are in as
// many windows as needed.
func notEstablished(edges []edge, needed int, records []*record, s *Settings) string {
	const what = "when calendar windows begin is not established: "
	width := s.Limit.Window
	windows := map[int64]bool{}
	for _, e := range edges {
		windows[integers.FloorDiv(e.upTo, width)] = true
	}
	ran, found := lasted(records, width), int64(len(windows))
	switch {
	case found == 0 || 4*found < ran:
		return what + fmt.Sprintf("in %s of %d no key was first refused %d times in a row and then admitted; send at least %s per window to one key",
			format.Count(ran-found, "window"), ran, minRefusals, format.Count(s.Limit.Count+2*minRefusals, "request"))
	case int64(needed) > 20*max(ran, minEdgeWindows):
		return what + "this traffic hides it, because it repeats with the windows: send Poisson traffic"
	default:
		return what + longer(int64(needed), found, ran, width)
	}
}

// lasted returns how many windows, rounded up, the requests of a run were sent in.
func lasted(records []*record, width int64) int64 {
	begin, end := latest, int64(0)
	for _, r := range records {
		begin, end = min(begin, r.asked[0].SentNs), max(end, r.asked[len(r.asked)-1].SentNs)
	}
	return (max(end-begin, 0) + width - 1) / width
}

// longer says for how much longer to send, so that what was found in some windows of a run
// is found in as many as needed.
func longer(needed, found, ran, width int64) string {
	return "send " + format.Span(max(1, ((needed-found)*ran+found-1)/found)*width) + " more"
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
