package traffic

import (
	"fmt"

	"github.com/limitgauge/limitgauge/sim/trace"
	"github.com/limitgauge/limitgauge/sim/traffic/patterns"
)

// given is what the rows of a list or a trace say themselves; it takes the
// place of what the entry's choosers chose. A column that nobody wrote is nil.
type given struct {
	key       []int32 // row to index into keyID
	keyID     []int32 // -1 where the row leaves it to the chooser
	client    []int32 // row to index into clientID
	clientID  []int32 // -1 where the row leaves it to the spread
	cost      []int64 // by row; unsetCost where the row leaves it to the chooser
	allKeys   bool    // no row leaves its key to the chooser
	allClient bool    // nor its client to the spread
	allCosts  bool    // nor its cost to the chooser
}

const unsetCost = -1

// givenByTrace resolves a recording. Keys and costs that the entry was given
// in the scenario override the recorded ones.
func givenByTrace(r *trace.Recording, keys *names, clients int, ownKeys, ownCosts bool) *given {
	g := &given{allKeys: ownKeys, allCosts: ownCosts}
	if ownKeys {
		g.key, g.keyID = r.Key, make([]int32, len(r.KeyNames))
		for i, name := range r.KeyNames {
			g.keyID[i] = keys.id(name)
		}
	}
	if r.Client != nil {
		g.allClient = true
		g.client, g.clientID = r.Client, make([]int32, len(r.ClientNames))
		for i := range g.clientID {
			g.clientID[i] = int32(i % clients)
		}
	}
	if ownCosts {
		g.cost = r.Cost
		g.allCosts = r.Cost != nil
	}
	return g
}

// givenByList resolves the events of a list.
func givenByList(events []patterns.Event, keys *names, clients int) (*given, error) {
	n := len(events)
	g := &given{
		key: make([]int32, n), keyID: make([]int32, n), client: make([]int32, n), clientID: make([]int32, n), cost: make([]int64, n),
		allKeys: true, allClient: true, allCosts: true,
	}
	for i, e := range events {
		g.key[i], g.client[i] = int32(i), int32(i)
		g.keyID[i], g.clientID[i], g.cost[i] = -1, -1, unsetCost
		if e.Key != "" {
			g.keyID[i] = keys.id(e.Key)
		}
		if e.Client >= int64(clients) {
			return nil, fmt.Errorf("events: client %d is asked for, but clients are numbered 0 to %d", e.Client, clients-1)
		}
		if e.Client >= 0 {
			g.clientID[i] = int32(e.Client)
		}
		if e.Cost > 0 {
			g.cost[i] = e.Cost
		}
		g.allKeys = g.allKeys && e.Key != ""
		g.allClient = g.allClient && e.Client >= 0
		g.allCosts = g.allCosts && e.Cost > 0
	}
	return g, nil
}

func (g *given) keys(rows, column []int32) {
	if g.key == nil {
		return
	}
	for i, row := range rows {
		if id := g.keyID[g.key[row]]; id >= 0 {
			column[i] = id
		}
	}
}

func (g *given) clients(rows, column []int32) {
	if g.client == nil {
		return
	}
	for i, row := range rows {
		if id := g.clientID[g.client[row]]; id >= 0 {
			column[i] = id
		}
	}
}

func (g *given) costs(rows []int32, column []int64) {
	if g.cost == nil {
		return
	}
	for i, row := range rows {
		if c := g.cost[row]; c != unsetCost {
			column[i] = c
		}
	}
}

// maxCost is the largest cost of rows [lo, hi).
func (g *given) maxCost(lo, hi int) int64 {
	largest := int64(0)
	if g.cost != nil {
		for _, c := range g.cost[lo:hi] {
			largest = max(largest, c)
		}
	}
	return largest
}
