package traffic

import (
	"slices"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/sim/traffic/patterns"
	"github.com/limitgauge/limitgauge/sim/traffic/selectors"
)

// entrySource is a prepared traffic entry: its pattern and the selectors of
// key, tenant, client and cost. All seeds and replications share it.
type entrySource struct {
	name      string
	pattern   patterns.Pattern
	recording *logs.Recording // of the pattern trace
	overrides *overrides      // of a list or a recording
	keys      selectors.Ids
	keyCount  int64         // of keys that can be selected
	tenants   selectors.Ids // nil: the tenant is the key, by tenantOf
	spread    selectors.Spread
	costs     selectors.Costs
	estimated *selectors.Estimated // used instead of costs; nil if costs are known on arrival
	answers   *selectors.Answers   // if estimated
	settles   bool                 // an entry of the plan is estimated
	to        int64                // end of the pattern's span, in ns
	rows      int64                // of the recording

	tenantOf   []int32      // key to tenant; nil if they are the same
	crew       *Crew        // the entry is one of workers; otherwise nil
	oneKey     bool         // all keys become key 0 after all selections
	policyKeys []policyKeys // in multi-policy scenarios, by policy
}

// random reports whether anything of the entry depends on random draws.
func (s *entrySource) random() bool {
	return slices.ContainsFunc(s.policyKeys, policyKeys.random) || s.pattern.Random() || s.keys.Random() || s.spread.Random() || s.costs.Random() ||
		s.crew != nil && s.crew.ThinkDraws() || s.settles && s.answers.Random() || s.estimated != nil && s.estimated.Random() ||
		s.tenants != nil && s.tenants.Random()
}

// open starts the arrivals of the entry. Each column has its own random stream,
// named after the entry, so that changing one selection does not change the
// draws of others.
func (s *entrySource) open(seed uint64, replication int) *source {
	draws := func(column string) random.Stream { return random.New(seed, replication, s.name+"/"+column) }
	l := &source{
		entrySource: s, clock: s.pattern.Open(draws("times")),
		keyDraws: draws("keys"), tenantDraws: draws("tenants"), clientDraws: draws("clients"), costDraws: draws("costs"),
		estimateDraws: draws("estimates"), answerDraws: draws("answers"),
	}
	if c, ok := l.clock.(*patterns.SourcesClock); ok {
		l.sources, l.choose = c, func(keys []int32) { l.keys.Fill(&l.keyDraws, keys) }
	}
	for i := range s.policyKeys {
		l.policyKeySource = append(l.policyKeySource, s.policyKeys[i].open(draws))
	}
	return l
}

// source produces the arrivals of one entry in one replication.
type source struct {
	*entrySource
	clock patterns.Clock
	sent  int64

	sources *patterns.SourcesClock // the clock, if arrivals depend on their keys
	choose  func(keys []int32)     // writes the keys of its candidates

	policyKeySource                               []policyKeySource
	keyDraws, tenantDraws, clientDraws, costDraws random.Stream
	estimateDraws, answerDraws                    random.Stream
}

// Err returns why the source ended before its arrivals did, or nil.
func (l *source) Err() error {
	if c, ok := l.clock.(*logs.Cursor); ok {
		return c.Err()
	}
	return nil
}

// Fill writes the next arrivals to b. It fills all rows unless the source ends.
func (l *source) Fill(b *Block) {
	if l.sources != nil {
		b.N = l.sources.FillKeys(b.Time, b.Key, l.keyCount, l.choose)
	} else {
		b.N = l.clock.Fill(b.Time)
		l.keys.Fill(&l.keyDraws, b.Key[:b.N])
	}
	n := b.N
	keys, tenants, clients, costs := b.Key[:n], b.Tenant[:n], b.Client[:n], b.Cost[:n]
	var w rowValues
	if l.overrides != nil {
		w = l.rowValues()
		resolve(l.overrides.keyID, w.key, keys)
	}
	switch {
	case l.tenants != nil:
		l.tenants.Fill(&l.tenantDraws, tenants)
	case l.tenantOf != nil:
		for i, key := range keys {
			tenants[i] = l.tenantOf[key]
		}
	default:
		copy(tenants, keys)
	}
	l.spread.Fill(&l.clientDraws, l.sent, keys, tenants, clients)
	if l.settles {
		b.settle()
	}
	if l.estimated == nil {
		l.costs.Fill(&l.costDraws, costs)
	} else {
		l.estimated.Fill(&l.costDraws, &l.estimateDraws, costs, b.Estimate[:n])
	}
	if l.overrides != nil {
		resolve(l.overrides.clientID, w.client, clients)
		l.overrides.writeCosts(&w, costs)
	}
	if l.settles {
		l.estimate(&w, costs, b.Estimate[:n], b.Answer[:n])
	}
	if l.policyKeySource != nil {
		l.carry(b)
	}
	if l.oneKey {
		clear(keys)
	}
	if c, ok := l.clock.(*logs.Cursor); ok {
		b.Rejected = append(b.Rejected[:0], c.Rejected()...)
	}
	l.sent += int64(n)
}
