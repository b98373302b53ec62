package traffic

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/sim/traffic/patterns"
)

// overrides holds what the rows of a list or a recording state themselves. It
// takes precedence over the entry's selectors. Columns that no row states are
// nil.
type overrides struct {
	keyID        []int32 // by the code of a row's key; -1 if the selector decides
	clientID     []int32 // by the code of a row's client; -1 if the spread decides
	cost         []int64 // of a list, by row; unsetCost if the selector decides; nil if no row states it
	costs        bool    // of a recording: its rows have costs
	estimates    bool    // of a recording: its rows state what was known of their costs on arrival
	estimatePlus int64   // tokens to add to these
	estimate     []int64 // of a list, by row; unsetCost if the selector decides; nil if no row states it
	answer       []int64 // of a list, by row, in ns; unsetCost if the selector decides; nil if no row states it
	maxCost      int64   // largest cost of the rows that are sent, if they state it
	maxEstimate  int64   // likewise
	allKeys      bool    // every row states its key
	allClient    bool    // every row states its client
	allCosts     bool    // every row states its cost
}

const unsetCost = -1

// overridesOfRecording returns the overrides of a recording. Keys and costs
// that the scenario gives for the entry take precedence over recorded ones.
func overridesOfRecording(r *logs.Recording, sent logs.Span, keys *names, clients int, ownKeys, ownCosts bool, plus int64) *overrides {
	g := &overrides{allKeys: ownKeys}
	if ownKeys {
		recorded := r.Keys()
		g.keyID = make([]int32, len(recorded.Of))
		for _, code := range recorded.Order {
			g.keyID[code] = keys.id(recorded.Of[code])
		}
	}
	if recorded := r.Clients(); recorded.Of != nil {
		g.allClient = true
		g.clientID = make([]int32, len(recorded.Of))
		for i, code := range recorded.Order {
			g.clientID[code] = int32(i % clients)
		}
	}
	if ownCosts && r.Weighed() {
		g.costs, g.allCosts, g.maxCost = true, true, sent.MaxCost
	}
	if g.estimates = ownCosts && r.Estimated(); g.estimates {
		g.estimatePlus = plus
		g.maxEstimate = sent.MaxEstimate + plus
	}
	return g
}

// overridesOfList returns the overrides of a list. The codes of its rows are
// the indexes of its events.
func overridesOfList(l *patterns.List, keys *names, clients int) (*overrides, error) {
	n := len(l.Events)
	g := &overrides{
		keyID: make([]int32, n), clientID: make([]int32, n), allKeys: true, allClient: true, allCosts: true,
	}
	lo, hi := l.Rows()
	for i, e := range l.Events {
		g.keyID[i], g.clientID[i] = -1, -1
		if e.Key != "" {
			g.keyID[i] = keys.id(e.Key)
		}
		if e.Client >= int64(clients) {
			return nil, fmt.Errorf("events: client %d is asked for, but clients are numbered 0 to %d", e.Client, clients-1)
		}
		if e.Client >= 0 {
			g.clientID[i] = int32(e.Client)
		}
		g.allKeys = g.allKeys && e.Key != ""
		g.allClient = g.allClient && e.Client >= 0
		g.allCosts = g.allCosts && e.Cost > 0
		g.cost = stated(g.cost, n, i, e.Cost, e.Cost > 0)
		g.estimate = stated(g.estimate, n, i, e.Estimate, e.Estimate > 0)
		g.answer = stated(g.answer, n, i, e.Answer, e.Answer >= 0)
		if lo <= i && i < hi {
			g.maxCost, g.maxEstimate = max(g.maxCost, e.Cost), max(g.maxEstimate, e.Estimate)
		}
	}
	return g, nil
}

// stated returns a column of n rows with the value of row i, if it has one. The column
// is nil before its first value.
func stated(column []int64, n, i int, value int64, has bool) []int64 {
	if !has {
		return column
	}
	if column == nil {
		column = slices.Repeat([]int64{unsetCost}, n)
	}
	column[i] = value
	return column
}

// rowValues holds what the rows of the last arrivals state, as columns.
type rowValues struct {
	key, client []int32 // codes
	row         []int32 // of a list
	cost        []int64 // of a recording
	estimate    []int64 // of a recording; nil if costs are known on arrival
	answer      []int64 // of a recording; nil if it has no answer times
}

// rowValues returns the values of the rows of the last fill.
func (l *source) rowValues() (w rowValues) {
	switch clock := l.clock.(type) {
	case *patterns.ListClock:
		rows := clock.Sent()
		w.key, w.client, w.row = rows, rows, rows
	case *logs.Cursor:
		w.key, w.client, w.cost = clock.Keys(), clock.Clients(), clock.Costs()
		w.estimate, w.answer = clock.Estimates(), clock.Answers()
	}
	return w
}

// resolve writes the ids of codes, where these have one.
func resolve(ids, codes, column []int32) {
	if ids == nil {
		return
	}
	for i, code := range codes {
		if id := ids[code]; id >= 0 {
			column[i] = id
		}
	}
}

func (g *overrides) writeCosts(w *rowValues, column []int64) {
	if g.costs {
		copy(column, w.cost)
	} else {
		ofRows(g.cost, w.row, column)
	}
}

// ofRows writes the values that a list states.
func ofRows(values []int64, rows []int32, column []int64) {
	if values == nil {
		return
	}
	for i, row := range rows {
		if v := values[row]; v != unsetCost {
			column[i] = v
		}
	}
}
