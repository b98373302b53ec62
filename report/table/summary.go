package table

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Summary returns a table with one line for each scenario of a document: which algorithm is
// closest to the reference, which is furthest from it, and how many expectations hold, in the
// words of held. It has no lines if fewer than two scenarios compare algorithms.
func Summary(doc *results.Document, held []string) Table {
	t := Table{Title: "summary", Columns: []Column{
		{Header: "scenario"}, {Header: "closest"}, {Header: "off by", Unit: "%", Right: true, Joined: true},
		{Header: "furthest"}, {Header: "off by", Unit: "%", Right: true, Joined: true}, {Header: "expectations held"},
	}, Notes: []string{"off by: over-admission and under-admission together, from what an exact limiter admits"}}
	compared, behind := 0, false
	for i, s := range doc.Scenarios {
		line := []string{s.Name, "-", "-", "-", "-", held[i]}
		rows := simulated(doc.Rows(s.Name))
		if names, distance, _ := closest(rows); len(rows) > 1 && names != nil {
			most, furthest, _ := largest(rows, func(r results.Result) *float64 { return r.Distance().Mean })
			off, mostOff := format.Number(distance), format.Number(most)
			copy(line[1:], []string{first(names), off})
			if mostOff != off { // else none is further than another
				copy(line[3:], []string{first(furthest), mostOff})
			}
			compared++
			behind = behind || s.BestFixed != nil
		}
		t.Rows = append(t.Rows, line)
	}
	if behind {
		t.Notes[0] += "; where the backend has a deadline, good answers lost of 100 requests against the best fixed limit"
	}
	if compared < 2 {
		t.Rows = nil
	}
	return t
}

// first writes the first of some names, and how many more there are.
func first(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
}
