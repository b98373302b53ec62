package table

import (
	"strconv"

	"github.com/limitgauge/limitgauge/sim/results"
)

// Rejections returns the table of the keys of a part with one scenario that were
// rejected most, without rows if no key had anything rejected. Keys are in the
// order of the reference, followed by those that only other algorithms rejected.
// Figures are rejected cost.
func Rejections(part *results.Document) Table {
	t := Table{Title: part.Scenarios[0].Name + ": keys rejected most", Columns: []Column{{Header: "key"}, {Header: "offered", Right: true}}}
	var keys []results.KeyTotals
	byRow := []map[string]int64{}
	listed := map[string]bool{}
	for _, r := range part.Rejections {
		t.Columns = append(t.Columns, Column{Header: r.Algorithm, Right: true})
		row := map[string]int64{}
		for _, k := range r.Keys {
			row[k.Key] = k.Rejected
			if !listed[k.Key] {
				listed[k.Key] = true
				keys = append(keys, k)
			}
		}
		byRow = append(byRow, row)
	}
	const most = 10
	for _, k := range keys[:min(len(keys), most)] {
		cells := []string{k.Key, strconv.FormatInt(k.Offered, 10)}
		for _, row := range byRow {
			cell := "·"
			if n, ok := row[k.Key]; ok {
				cell = strconv.FormatInt(n, 10)
			}
			cells = append(cells, cell)
		}
		t.Rows = append(t.Rows, cells)
	}
	t.Notes = append(t.Notes, "Rejected cost by key; · is a key that is not among the ten that a row rejected most.")
	return t
}
