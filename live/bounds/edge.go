package bounds

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/live/exchange"
)

// minRefusals is the least number of refusals in a row that end at an edge.
const minRefusals = 20

// edge is a time at which a key begins to be admitted again after refusals: after
// the last refused request was sent and not after the first admitted one was answered.
type edge struct {
	key         *record
	after, upTo int64
}

// edgesOf returns the edges of one key, in order. The first admitted request must be
// sent after the last refused one was answered, and cost as much at least: then a
// limiter of calendar windows has begun a new one between the two.
func edgesOf(r *record, resolutionNs int64) []edge {
	var edges []edge
	var refused []*exchange.Exchange
	for _, e := range r.asked {
		switch e.Verdict {
		case exchange.Rejected:
			refused = append(refused, e)
		case exchange.Admitted:
			if len(refused) >= minRefusals {
				if last := lastBefore(refused, e); last != nil {
					edges = append(edges, edge{r, last.SentNs - resolutionNs, e.AnsweredNs})
				}
			}
			refused = refused[:0]
		}
	}
	return edges
}

func lastBefore(refused []*exchange.Exchange, admitted *exchange.Exchange) *exchange.Exchange {
	for _, e := range slices.Backward(refused) {
		if e.AnsweredNs < admitted.SentNs && e.Cost <= admitted.Cost {
			return e
		}
	}
	return nil
}

// arc is the part of a circle of one window in which an edge may be: from first, 0
// or more and below the window, to last, which can pass the window.
type arc struct{ first, last int64 }

func (e edge) arc(width int64) arc {
	turn := integers.FloorDiv(e.after+1, width) * width
	return arc{e.after + 1 - turn, e.upTo - turn}
}

// agreement returns the places of the circle that all but slack arcs share, and
// how many arcs share the most common place. It returns ok false if the places are not
// in one piece, or all around the circle.
func agreement(arcs []arc, width int64, slack int) (place Phase, most int, ok bool) {
	type turn struct {
		at int64
		by int
	}
	turns := make([]turn, 0, 2*len(arcs))
	covering := 0 // at 0
	for _, a := range arcs {
		if a.last-a.first >= width-1 {
			covering++ // all around
			continue
		}
		turns = append(turns, turn{a.first, 1})
		if a.last+1 < width {
			turns = append(turns, turn{a.last + 1, -1})
		} else {
			turns = append(turns, turn{a.last + 1 - width, -1})
			covering++
		}
	}
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Compare(a.at, b.at) })
	need := len(arcs) - slack
	most = covering
	var pieces []Phase
	begin, open := int64(0), covering >= need
	for i, t := range turns {
		covering += t.by
		if i+1 < len(turns) && turns[i+1].at == t.at {
			continue
		}
		most = max(most, covering)
		switch now := covering >= need; {
		case now && !open:
			begin, open = t.at, true
		case !now && open:
			if t.at > begin {
				pieces = append(pieces, Phase{begin, t.at - 1})
			}
			open = false
		}
	}
	if open {
		pieces = append(pieces, Phase{begin, width - 1})
	}
	// A piece that ends with the circle goes on at its beginning.
	if n := len(pieces); n > 1 && pieces[0].EarliestNs == 0 && pieces[n-1].LatestNs == width-1 {
		pieces[0] = Phase{pieces[n-1].EarliestNs, width + pieces[0].LatestNs}
		pieces = pieces[:n-1]
	}
	if len(pieces) != 1 || pieces[0].LatestNs-pieces[0].EarliestNs >= width-1 {
		return Phase{}, most, false
	}
	return pieces[0], most, true
}
