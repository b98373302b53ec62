package traffic

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/traffic/patterns"
	"github.com/limitgauge/limitgauge/sim/traffic/selectors"
)

// Config states what a plan is made of.
type Config struct {
	Entries    []scenarios.Traffic
	Clients    int                     // at least 1
	End        int64                   // ns; may be 0 if every entry has an end or replays a log
	Shared     bool                    // all requests share one key; the tenant is the original key unless selected
	Policies   []scenarios.Policy      // all policies, if requests carry descriptors; Shared applies to the first
	Recordings map[int]*logs.Recording // recordings of the entries with pattern trace, by index
}

// Prepare returns the plan of a scenario's traffic. Errors name the entry and
// the field.
func Prepare(c Config) (*Plan, error) {
	if c.Clients < 1 || c.Clients > math.MaxInt32 {
		return nil, fmt.Errorf("there must be between 1 and %d clients, not %d", math.MaxInt32, c.Clients)
	}
	b := &builder{Config: c, plan: &Plan{multiPolicy: len(c.Policies) > 0}}
	b.keySpaces()
	for i, t := range c.Entries {
		s := &entrySource{name: t.Name, oneKey: c.Shared, recording: c.Recordings[i]}
		b.plan.entrySources = append(b.plan.entrySources, s)
	}
	// Costs need all keys, and spreads the names of all keys and tenants.
	if err := b.each(b.arrivals); err != nil {
		return nil, err
	}
	if err := b.plan.numberKeys(); err != nil {
		return nil, err
	}
	if err := b.each(b.choices); err != nil {
		return nil, err
	}
	b.settle()
	b.tenants()
	return b.plan, b.each(b.spread)
}

// builder makes a plan step by step.
type builder struct {
	Config
	plan *Plan
}

// each applies a step to every entry.
func (b *builder) each(step func(t *scenarios.Traffic, s *entrySource) error) error {
	for i, s := range b.plan.entrySources {
		t := &b.Entries[i]
		if err := step(t, s); err != nil {
			return fmt.Errorf("%s (%s): %w", t.Name, t.Pattern, err)
		}
	}
	return nil
}

// keySpaces counts the synthetic keys and tenants. Entries share them, so their
// number is the largest of any entry.
func (b *builder) keySpaces() {
	var keys, tenants int64
	for i := range b.Entries {
		t := &b.Entries[i]
		keys, tenants = max(keys, selectors.Count(t.Keys)), max(tenants, selectors.Count(t.Tenants))
	}
	b.plan.keys = newNames("key-", int(keys))
	b.plan.tenants = newNames("tenant-", int(tenants))
	b.policySpaces()
}

// policySpaces adds the keys of each policy.
func (b *builder) policySpaces() {
	policies := b.Policies
	if !b.plan.multiPolicy {
		policies = []scenarios.Policy{{Shared: b.Shared}}
	}
	for i, policy := range policies {
		s := &keySpace{Policy: policy, names: b.plan.keys}
		if i > 0 {
			var most int64
			for k := range b.Entries {
				if d := b.Entries[k].Descriptors; d != nil && d[i].LogField() == "" && !d[i].First() {
					most = max(most, selectors.Count(d[i].Keys))
				}
			}
			s.names = newNames("key-", int(most))
		}
		b.plan.keySpaces = append(b.plan.keySpaces, s)
	}
}

// arrivals adds the pattern and the keys of an entry.
func (b *builder) arrivals(t *scenarios.Traffic, s *entrySource) error {
	if err := b.pattern(t, s); err != nil {
		return err
	}
	s.keyCount = max(1, selectors.Count(t.Keys))
	var err error
	if s.overrides != nil && s.overrides.allKeys {
		s.keys = selectors.One(0, BlockSize)
	} else if s.keys, err = ids(t.Keys, b.plan.keys, "key-0"); err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	return b.addPolicyKeys(t, s)
}

// pattern sets the pattern of an entry and the overrides of its rows.
func (b *builder) pattern(t *scenarios.Traffic, s *entrySource) error {
	if t.Pattern == patternTrace {
		return b.trace(t, s)
	}
	span := patterns.Span{From: t.From, To: t.To}
	if b.End > 0 && (t.To == 0 || t.To > b.End) {
		span.To = b.End
	}
	if span.To == 0 {
		return errors.New("has no end: the scenario needs a duration, or the entry a to")
	}
	span.From = min(span.From, span.To)
	s.to = span.To
	var err error
	if s.pattern, err = patterns.New(t.Pattern, t.Options, span); err != nil {
		return err
	}
	if list, ok := s.pattern.(*patterns.List); ok {
		s.overrides, err = overridesOfList(list, b.plan.keys, b.Clients)
	}
	b.plan.addSteps(s.pattern)
	return err
}

// trace makes a recording the pattern of an entry.
func (b *builder) trace(t *scenarios.Traffic, s *entrySource) error {
	r := s.recording
	if r == nil {
		return errors.New("its recording has not been read")
	}
	to := cmp.Or(t.To, math.MaxInt64)
	sent, err := r.Span(t.From, to)
	if err != nil {
		return err
	}
	if sent.Rows == 0 {
		return errors.New("no recorded request is left: none lies between from and to, or keep keeps none")
	}
	s.pattern, s.rows = recorded{r, t.From, to}, int64(sent.Rows)
	s.overrides = overridesOfRecording(r, sent, b.plan.keys, b.Clients, t.Keys.Name == "", t.Cost.Name == "", t.Options.Int("estimate_plus"))
	b.plan.traceSpan(sent.First, sent.Last)
	return nil
}

// recorded is a recording as a pattern.
type recorded struct {
	*logs.Recording
	from, to int64
}

func (recorded) Random() bool { return false }

func (r recorded) Open(random.Stream) patterns.Clock { return r.Play(r.from, r.to) }

// ids returns a selector of keys or tenants. first is the name if there is one
// without a name.
func ids(c catalog.Choice, keySpace *names, first string) (selectors.Ids, error) {
	if c.Name != "" && c.Name != "one" {
		return selectors.NewIds(c, BlockSize)
	}
	return selectors.One(keySpace.id(cmp.Or(c.Values.String("name"), first)), BlockSize), nil
}

// choices sets the tenants and costs of an entry, once all keys are known.
func (b *builder) choices(t *scenarios.Traffic, s *entrySource) (err error) {
	p := b.plan
	b.workers(t, s)
	if t.Tenants.Name != "" {
		p.tenantsGiven = true
		if s.tenants, err = ids(t.Tenants, p.tenants, "tenant-0"); err != nil {
			return fmt.Errorf("tenants: %w", err)
		}
	}
	cost := t.Cost
	if cost.Name == "estimated" {
		s.estimated, err = selectors.NewEstimated(cost.Values, BlockSize)
		cost = catalog.Choice{}
	}
	if s.overrides != nil && s.overrides.allCosts {
		cost = catalog.Choice{}
	}
	if err == nil {
		s.costs, err = selectors.NewCosts(cost, BlockSize)
	}
	if err != nil {
		return fmt.Errorf("cost: %w", err)
	}
	if s.answers, err = selectors.NewAnswers(t.Answer); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	most := largest{s.maxCost(), s.maxEstimate()}
	p.largest.include(most)
	for i := range s.policyKeys {
		if c := &s.policyKeys[i]; c.applies.Num > 0 {
			c.keySpace.largest.include(most)
		}
	}
	return nil
}

// spread sets how an entry selects clients, once all keys and tenants are
// known.
func (b *builder) spread(t *scenarios.Traffic, s *entrySource) (err error) {
	p := b.plan
	spread := t.Spread
	if s.overrides != nil && s.overrides.allClient {
		spread = catalog.Choice{}
	}
	if s.spread, err = selectors.NewSpread(spread, b.Clients, p.keys, p.tenants); err != nil {
		return fmt.Errorf("spread: %w", err)
	}
	if s.crew != nil {
		s.crew.keep(t)
	}
	p.random = p.random || s.random()
	return nil
}

// tenants sets the tenants of entries that select none: they are the keys. If
// other entries select tenants, keys become tenants by name.
func (b *builder) tenants() {
	p := b.plan
	if !p.tenantsGiven {
		p.tenants = p.keys
		return
	}
	var tenantOf []int32
	for _, s := range p.entrySources {
		if s.tenants != nil {
			continue
		}
		if tenantOf == nil {
			tenantOf = make([]int32, p.keys.Count())
			for id := range tenantOf {
				tenantOf[id] = p.tenants.id(p.keys.Name(id))
			}
		}
		s.tenantOf = tenantOf
	}
}
