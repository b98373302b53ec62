package figure

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"

	"github.com/limitgauge/limitgauge/sim/results"
)

// uneven is the ratio of the largest to the least cost admitted for a client from
// which on there is a picture of the clients' shares.
const uneven = 1.5

// clientShares shows the cost admitted per client (gateway or shard), one panel for
// each algorithm, from the client with the least to the one with the most, with the
// fair shares as a line. There is a picture if clients get different shares
// of some algorithm. clientShares returns nil if there is one client.
func clientShares(part *results.Document, m Medium) *Figure {
	all := part.ClientShares
	if len(all) == 0 {
		return nil
	}
	referenceFirst(part, all, func(s results.ClientShares) string { return s.Algorithm })
	all, more := atMost(all, m.panels())
	top, most, even := 1.0, 0, true
	for _, one := range all {
		n := len(one.Clients)
		for _, c := range one.Clients {
			top = max(top, float64(c.Admitted), min(c.Fair, largestDraw))
		}
		most = max(most, n)
		even = even && float64(one.Clients[n-1].Admitted) < uneven*float64(one.Clients[0].Admitted)
	}
	f := &Figure{
		Title:    "What each client got",
		Subtitle: "first replication" + more,
		Note:     "Cost admitted in the measured span for each gateway or shard, the one with the least first. All panels have the same axes.",
		Legend:   []Entry{{"admitted", Admitted, Area}, {"fair share", FairShare, LineSample}},
		Shared:   true, Columns: min(4, shareColumns(len(all))), Width: 360, Height: 180, PageOnly: even,
	}
	for _, one := range all {
		p := Panel{
			Title: one.Algorithm + firstText(part, one.Algorithm, "client_share_max_over_min", ": max/min "),
			Alt:   fmt.Sprintf("%s: cost admitted for each of %s, the least first, with its fair share", one.Algorithm, format.Count(len(one.Clients), "client")),
			X:     Axis{Label: "clients, the one with the least first", Hi: float64(most)},
			Y:     Axis{Label: "cost admitted", Hi: 1.05 * top, Grid: true},
		}
		if one.Clients[0].Admitted == 0 {
			p.Title = one.Algorithm + ": a client got nothing"
		}
		p.X.tick(4)
		p.Y.tick(5)
		heights := make([]float64, len(one.Clients))
		var fair []Point
		for i, c := range one.Clients {
			heights[i] = float64(c.Admitted)
			if c.Fair > 0 {
				fair = append(fair, Point{float64(i), c.Fair}, Point{float64(i + 1), c.Fair})
			}
		}
		p.Marks = append(p.Marks, Mark{Shapes: []Shape{Steps{Admitted, 1, heights}}})
		if fair != nil {
			p.Marks = append(p.Marks, Mark{Shapes: []Shape{Line{FairShare, fair}}})
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}
