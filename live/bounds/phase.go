package bounds

import (
	"cmp"
	"fmt"
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
