package traffic

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/limitgauge/limitgauge/sim/traffic/patterns"
)

// Plan is the prepared traffic of a scenario: what all seeds and replications
// have in common. It is immutable and safe for concurrent use.
type Plan struct {
	entrySources []*entrySource
	crews        []*Crew // the entries of workers
	keys         *names
	tenants      *names
	tenantsGiven bool // an entry selects tenants of its own
	multiPolicy  bool
	keySpaces    []*keySpace // by policy; keys are the names of the first
	largest      largest
	random       bool
	settles      bool
	steps        []patterns.Step
	first, last  int64
	traced       bool
}

// SharedKey is the name of the key of a policy that all requests share.
const SharedKey = "all"

// Keys returns the number of keys. Their ids are 0 to Keys-1.
func (p *Plan) Keys() int {
	last := p.keySpaces[len(p.keySpaces)-1]
	return int(last.base) + last.count()
}

// KeyName returns the name of a key as results show it, in multi-policy scenarios
// with the name of its policy before it.
func (p *Plan) KeyName(id int) string { return p.keyName(id, (*names).shown) }

// KeyWritten returns the name of a key as the traffic has it, also if results show
// another one.
func (p *Plan) KeyWritten(id int) string { return p.keyName(id, (*names).Name) }

// KeyCalled returns the key with a name: that of the traffic, or else the one that
// results show. ok is false if there is none.
func (p *Plan) KeyCalled(name string) (id int, ok bool) {
	for _, find := range []func(*names, string) (int32, bool){(*names).find, (*names).findShown} {
		for _, s := range p.keySpaces {
			own := name
			if p.multiPolicy {
				var ok bool
				if own, ok = strings.CutPrefix(name, s.Name+"/"); !ok {
					continue
				}
			}
			switch {
			case !s.Shared:
				if id, ok := find(s.names, own); ok {
					return int(s.base + id), true
				}
			case own == SharedKey:
				return int(s.base), true
			}
		}
	}
	return 0, false
}

func (p *Plan) keyName(id int, of func(*names, int) string) string {
	s := p.spaceOf(id)
	name := SharedKey
	if !s.Shared {
		name = of(s.names, id-int(s.base))
	}
	if p.multiPolicy {
		name = s.Name + "/" + name
	}
	return name
}

// Tenants returns the number of tenants. Their ids are 0 to Tenants-1.
func (p *Plan) Tenants() int { return p.tenants.Count() }

// TenantName returns the name of a tenant as results show it.
func (p *Plan) TenantName(id int) string { return p.tenants.shown(id) }

// TenantIsKey reports whether the tenant of every arrival has the id of its
// key.
func (p *Plan) TenantIsKey() bool {
	return !p.keySpaces[0].Shared && !p.tenantsGiven && (!p.multiPolicy || p.OneKey())
}

// MaxCost returns the largest cost of an arrival, 0 if there are no arrivals.
func (p *Plan) MaxCost() int64 { return p.largest.cost }

// MaxEstimate returns the largest estimate of the cost of an arrival. The estimate of a
// cost that is known on arrival is the cost.
func (p *Plan) MaxEstimate() int64 { return p.largest.estimate }

// Settles reports whether costs become known with the answer: blocks then have
// estimates. Otherwise they are known on arrival.
func (p *Plan) Settles() bool { return p.settles }

// Random reports whether times, keys, tenants, clients or costs depend on
// random draws. If not, all replications are the same.
func (p *Plan) Random() bool { return p.random }

// First returns the time in ns of the first recorded request that is sent, 0
// without a recording.
func (p *Plan) First() int64 { return p.first }

// Last returns the time in ns of the last recorded request that is sent, 0
// without a recording.
func (p *Plan) Last() int64 { return p.last }

// HasVerdicts reports whether every arrival has a verdict of the limiter that
// wrote the log.
func (p *Plan) HasVerdicts() bool {
	return !slices.ContainsFunc(p.entrySources, func(s *entrySource) bool { return !s.hasVerdicts() })
}

// SomeVerdicts reports whether some arrivals have such a verdict.
func (p *Plan) SomeVerdicts() bool {
	return slices.ContainsFunc(p.entrySources, (*entrySource).hasVerdicts)
}

func (s *entrySource) hasVerdicts() bool { return s.recording != nil && s.recording.HasVerdicts() }

// Steps returns the declared steps of all entries in time order. The rates of a
// step are those of its entry alone.
func (p *Plan) Steps() []patterns.Step { return p.steps }

func (p *Plan) addSteps(pattern patterns.Pattern) {
	if stepper, ok := pattern.(patterns.Stepper); ok {
		p.steps = append(p.steps, stepper.Steps()...)
	}
	sort.SliceStable(p.steps, func(i, j int) bool { return p.steps[i].At < p.steps[j].At })
}

// traceSpan extends the time span of recorded requests.
func (p *Plan) traceSpan(first, last int64) {
	if !p.traced {
		p.first, p.last = math.MaxInt64, 0
	}
	p.traced = true
	p.first, p.last = min(p.first, first), max(p.last, last)
}
