package simtest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// QueueCase is a small input for a limiter whose callers wait: the policy, the
// options of the limiter, the backend and the arrivals. Times are in ns.
type QueueCase struct {
	Count, Window, Burst int64
	Counter              string // options of the algorithm, as YAML
	Threshold            int64
	Grid                 int64 // interval of the replenish timer; 0 if callers replenish
	LookFirst            bool  // callers replenish before they claim
	OnWait               bool  // only callers that wait replenish; they sleep for whole microseconds
	NoRefund             bool
	Exact, Full, Capped  bool
	MaxWait              int64
	Guard                bool
	Concurrency, Service int64
	SlowFrom, SlowTo     int64
	Factor               int64
	Arrivals             []Arrival
	End                  int64

	Settle  string // how claims are settled; "" if costs are known on arrival
	Debt    bool   // a settlement claims tokens that are not available
	Expires int64  // 0: never
}

// Arrival is one request at a time in ns, with its answer that long after its dispatch.
type Arrival struct {
	At, Cost         int64
	Key              int
	Estimate, Answer int64
}

// YAML returns the scenario file of the case. Its algorithm is named tested.
func (c *QueueCase) YAML() string {
	var b strings.Builder
	options := c.Counter
	if c.Settle != "" {
		options += fmt.Sprintf(", settle: %s, settlement_debt: %v, expires_after: %dns", c.Settle, c.Debt, c.Expires)
	}
	fmt.Fprintf(&b, "version: 1\nduration: %dns\nreplications: 1\nalgorithms:\n  tested: {enforcement: central, %s}\n", c.End, options)
	fmt.Fprintf(&b, "scenarios:\n  - name: model\n    policy: {limit: %d/%dns, burst: %d}\n", c.Count, c.Window, c.Burst)
	if c.Guard {
		fmt.Fprintf(&b, "    guard: {concurrency: %d, service_time: %dns, slow: [{from: %dns, to: %dns, factor: %d}]}\n",
			c.Concurrency, c.Service, c.SlowFrom, c.SlowTo, c.Factor)
	}
	b.WriteString("    algorithms: [tested]\n    traffic:\n")
	if c.Settle != "" {
		for _, a := range c.Arrivals {
			fmt.Fprintf(&b, "      - {pattern: list, events: [{at: %dns, key: k%d}], cost: {estimate: %d, actual: %d}, answer: %dns}\n", a.At, a.Key, a.Estimate, a.Cost, a.Answer)
		}
		return b.String()
	}
	b.WriteString("      - pattern: list\n        events:\n")
	for _, a := range c.Arrivals {
		fmt.Fprintf(&b, "          - {at: %dns, cost: %d, key: k%d}\n", a.At, a.Cost, a.Key)
	}
	return b.String()
}

// DrawArrivals draws 1 to 40 arrivals in time order, and the end. Gaps are
// multiples of unit or up to a few units long; many arrivals share an instant.
func (c *QueueCase) DrawArrivals(t *rapid.T, span, unit int64, keys int, maxCost int64) {
	at := int64(0)
	for range rapid.IntRange(1, 40).Draw(t, "arrivals") {
		switch rapid.IntRange(0, 9).Draw(t, "gap") {
		case 0, 1, 2: // at the same instant
		case 3, 4: // on the grid
			at = (at/unit + int64(rapid.IntRange(0, 4).Draw(t, "units"))) * unit
			at = max(at, c.last())
		case 5: // long idle
			at += rapid.Int64Range(0, span/4).Draw(t, "idle")
		default:
			at += rapid.Int64Range(0, 3*unit).Draw(t, "ns")
		}
		c.Arrivals = append(c.Arrivals, Arrival{
			At: at, Cost: rapid.Int64Range(1, maxCost).Draw(t, "cost"), Key: rapid.IntRange(0, keys-1).Draw(t, "key"),
		})
	}
	c.End = (at/c.Window + 1 + rapid.Int64Range(0, 2).Draw(t, "windows more")) * c.Window
}

func (c *QueueCase) last() int64 {
	if len(c.Arrivals) == 0 {
		return 0
	}
	return c.Arrivals[len(c.Arrivals)-1].At
}

// Compare checks that the engine ends every attempt of the case as in want.
func (c *QueueCase) Compare(t *rapid.T, want []Outcome) {
	got := Outcomes(t, c.YAML(), "tested")
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("attempt %d at %d: %+v, want %+v\n%s", i, c.Arrivals[i].At, got[i], want[i], c.YAML())
		}
	}
}
