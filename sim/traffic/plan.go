package traffic

import (
	"math"
	"sort"

	"github.com/limitgauge/limitgauge/sim/traffic/patterns"
)

// Plan is a scenario's traffic made ready: what is the same for every seed and
// replication. It is not changed by use and may be opened any number of times,
// also by several goroutines.
type Plan struct {
	entrySources []*entrySource
	keys         *names
	tenants      *names
	tenantsGiven bool        // some entry has tenants of its own
	shared       bool        // all keys are one
	keySpaces    []*keySpace // of several policies; keys is the first one's names
	maxCost      int64
	random       bool
	steps        []patterns.Step
	first, last  int64
	traced       bool
}

// SharedKey is the name of the only key of a policy that is shared by all.
const SharedKey = "all"

// Keys returns how many keys there are; their ids are 0 to Keys-1.
func (p *Plan) Keys() int {
	if p.MultiPolicy() {
		last := p.keySpaces[len(p.keySpaces)-1]
		return int(last.base) + last.count()
	}
	if p.shared {
		return 1
	}
	return p.keys.Count()
}

// KeyName returns the name of a key; of several policies', after its policy.
func (p *Plan) KeyName(id int) string {
	if p.MultiPolicy() {
		s := p.spaceOf(id)
		return s.keyName(id - int(s.base))
	}
	if p.shared {
		return SharedKey
	}
	return p.keys.Name(id)
}

// Tenants returns how many tenants there are; their ids are 0 to Tenants-1.
func (p *Plan) Tenants() int { return p.tenants.Count() }

// TenantName returns the name of a tenant.
func (p *Plan) TenantName(id int) string { return p.tenants.Name(id) }

// TenantIsKey reports whether every arrival's tenant has the id of its key.
func (p *Plan) TenantIsKey() bool { return !p.shared && !p.tenantsGiven && !p.MultiPolicy() }

// MaxCost returns the largest cost an arrival may have; 0 when there are none.
func (p *Plan) MaxCost() int64 { return p.maxCost }

// Random reports whether times, keys, tenants, clients or costs depend on
// random draws. If not, every replication is the same.
func (p *Plan) Random() bool { return p.random }

// First returns the time of the first recorded request that is sent; 0 when
// nothing is recorded.
func (p *Plan) First() int64 { return p.first }

// Last returns the time of the last recorded request that is sent; 0 when
// nothing is recorded.
func (p *Plan) Last() int64 { return p.last }

// Steps returns the declared steps of all entries in time order. The rates of a
// step are those of its entry alone.
func (p *Plan) Steps() []patterns.Step { return p.steps }

func (p *Plan) addSteps(pattern patterns.Pattern) {
	if stepper, ok := pattern.(patterns.Stepper); ok {
		p.steps = append(p.steps, stepper.Steps()...)
	}
	sort.SliceStable(p.steps, func(i, j int) bool { return p.steps[i].At < p.steps[j].At })
}

// traceSpan widens the span of recorded requests.
func (p *Plan) traceSpan(first, last int64) {
	if !p.traced {
		p.first, p.last = math.MaxInt64, 0
	}
	p.traced = true
	p.first, p.last = min(p.first, first), max(p.last, last)
}
