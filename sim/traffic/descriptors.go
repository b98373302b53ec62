package traffic

import (
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/traffic/selectors"
)

// Descriptors holds all keys of each request of a block. The keys of request i
// are Keys[First[i]:First[i+1]], in the order of the policies. Key ids are
// unique across policies.
type Descriptors struct {
	First []int32
	Keys  []int32
}

// Of returns the keys of request i.
func (d *Descriptors) Of(i int) []int32 { return d.Keys[d.First[i]:d.First[i+1]] }

// Reset removes all rows and keeps the memory.
func (d *Descriptors) Reset() {
	if d.Keys == nil {
		d.Keys = make([]int32, 0, BlockSize) // nil would mean a request without descriptors
	}
	d.First = append(d.First[:0], 0)
	d.Keys = d.Keys[:0]
}

// Add adds the row of a request.
func (d *Descriptors) Add(keys []int32) {
	d.Keys = append(d.Keys, keys...)
	d.end()
}

// end ends the row of the present request.
func (d *Descriptors) end() { d.First = append(d.First, int32(len(d.Keys))) }

// keySpace holds the keys of one policy.
type keySpace struct {
	scenarios.Policy
	names *names
	base  int32 // id of its first key among the keys of all policies

	largest largest // of requests that the policy may apply to, if there are several
}

func (s *keySpace) count() int {
	if s.Shared {
		return 1
	}
	return s.names.Count()
}

// numberKeys assigns unique ids to the keys of all policies.
func (p *Plan) numberKeys() error {
	total := 0
	for _, s := range p.keySpaces {
		s.base = int32(total)
		if total += s.count(); total > math.MaxInt32 {
			return fmt.Errorf("the policies have more than %d keys together", math.MaxInt32)
		}
	}
	return nil
}

// MultiPolicy reports whether requests carry descriptors. A block then has all
// keys of each request in addition to the key of the first policy, which is set
// even if that policy does not apply.
func (p *Plan) MultiPolicy() bool { return p.multiPolicy }

// OneKey reports whether requests carry descriptors, and each falls under one key
// of the only policy.
func (p *Plan) OneKey() bool {
	return p.multiPolicy && len(p.keySpaces) == 1 && !slices.ContainsFunc(p.entrySources, func(s *entrySource) bool {
		c := s.policyKeys[0]
		return c.applies.Num < c.applies.Den || c.fieldID != nil || len(c.columns) > 1
	})
}

// KeysOf returns the range from <= key < to of a policy's keys.
func (p *Plan) KeysOf(policy int) (from, to int32) {
	s := p.keySpaces[policy]
	return s.base, s.base + int32(s.count())
}

// MaxCostOf returns the largest cost of a request under a policy.
func (p *Plan) MaxCostOf(policy int) int64 {
	return p.largestOf(policy).cost
}

// MaxEstimateOf returns the largest estimate of a request's cost under a policy.
func (p *Plan) MaxEstimateOf(policy int) int64 { return p.largestOf(policy).estimate }

func (p *Plan) largestOf(policy int) largest {
	if !p.multiPolicy {
		return p.largest
	}
	return p.keySpaces[policy].largest
}

// spaceOf returns the key space that a key belongs to.
func (p *Plan) spaceOf(id int) *keySpace {
	last := p.keySpaces[0]
	for _, s := range p.keySpaces[1:] {
		if id < int(s.base) {
			break
		}
		last = s
	}
	return last
}

// policyKeys describes the keys of one policy that the requests of an entry
// carry.
type policyKeys struct {
	keySpace *keySpace
	applies  units.Fraction
	columns  []selectors.Ids // by key of a request; nil for a key that is not selected
	field    int             // index of the recording's field, -1 for the key of the first policy
	fieldID  []int32         // by the field's code, or by that key; -1 if the row carries no key
	of       int32           // if requests carry several keys of the policy, their number of ids
}

// random reports whether the keys take draws of their own.
func (c policyKeys) random() bool {
	if c.applies.Num == 0 {
		return false
	}
	return c.applies.Num < c.applies.Den ||
		slices.ContainsFunc(c.columns, func(ids selectors.Ids) bool { return ids != nil && ids.Random() })
}

// addPolicyKeys adds the keys that the requests of an entry carry under each
// policy.
func (b *builder) addPolicyKeys(t *scenarios.Traffic, s *entrySource) error {
	if !b.plan.multiPolicy {
		return nil
	}
	fields := 0
	for i, keySpace := range b.plan.keySpaces {
		d := scenarios.Descriptor{Applies: units.Fraction{Num: 1, Den: 1}, Count: 1}
		if t.Descriptors != nil {
			d = t.Descriptors[i]
		}
		c := policyKeys{keySpace: keySpace, applies: d.Applies, columns: make([]selectors.Ids, d.Count)}
		if d.LogField() != "" {
			c.readField(s.recording, fields)
			s.policyKeys = append(s.policyKeys, c)
			fields++
			continue
		}
		if d.First() {
			c.field = -1
			for id := range b.plan.keys.Count() {
				c.fieldID = append(c.fieldID, keySpace.names.id(b.plan.keys.Name(id)))
			}
			s.policyKeys = append(s.policyKeys, c)
			continue
		}
		of := selectors.Count(d.Keys)
		if d.Count > 1 && int64(d.Count) > of {
			return fmt.Errorf("descriptors: %s: %d different keys are asked of %d", keySpace.Name, d.Count, of)
		}
		c.of = int32(of)
		var err error
		for k := range c.columns {
			if i == 0 && k == 0 {
				continue // the entry's own keys
			}
			if c.columns[k], err = ids(d.Keys, keySpace.names, "key-0"); err != nil {
				return fmt.Errorf("descriptors: %s: %w", keySpace.Name, err)
			}
		}
		s.policyKeys = append(s.policyKeys, c)
	}
	return nil
}

// readField takes the keys from a field of a recording.
func (c *policyKeys) readField(r *logs.Recording, field int) {
	names := r.Field(field)
	c.field, c.fieldID = field, make([]int32, len(names.Of))
	for _, code := range names.Order {
		c.fieldID[code] = -1
		if name := names.Of[code]; name != logs.NoKey {
			c.fieldID[code] = c.keySpace.names.id(name)
		}
	}
}

// policyKeySource produces the keys of one policy for an entry's requests.
// Every column has its own random stream, so that adding one does not change
// the draws of others.
type policyKeySource struct {
	*policyKeys
	applyDraws random.Stream
	keyDraws   []random.Stream
	columns    [][]int32
	applied    []bool
}

func (c *policyKeys) open(draws func(column string) random.Stream) policyKeySource {
	o := policyKeySource{policyKeys: c, applyDraws: draws("applies/" + c.keySpace.Name), applied: make([]bool, BlockSize)}
	for k, ids := range c.columns {
		name := "keys/" + c.keySpace.Name
		if k > 0 {
			name = fmt.Sprintf("%s/%d", name, k)
		}
		o.keyDraws = append(o.keyDraws, draws(name))
		var column []int32
		if ids != nil || c.fieldID != nil {
			column = make([]int32, BlockSize)
		}
		o.columns = append(o.columns, column)
	}
	return o
}

// fill produces the keys of the next rows. own holds the entry's own keys;
// played is its recording, or nil.
func (o *policyKeySource) fill(own []int32, played *logs.Cursor) {
	n := len(own)
	for k, ids := range o.policyKeys.columns {
		switch {
		case ids != nil:
			ids.Fill(&o.keyDraws[k], o.columns[k][:n])
		case o.fieldID != nil:
			codes := own
			if o.field >= 0 {
				codes = played.Field(o.field)
			}
			for i, code := range codes {
				o.columns[k][i] = o.fieldID[code]
			}
		default:
			o.columns[k] = own
		}
	}
	always := o.applies.Num == o.applies.Den
	for i := range n {
		o.applied[i] = always || o.applyDraws.Chance(uint64(o.applies.Num), uint64(o.applies.Den))
	}
}

// row appends the keys of row i.
func (o *policyKeySource) row(i int, keys []int32) []int32 {
	switch {
	case !o.applied[i] || o.fieldID != nil && o.columns[0][i] < 0:
		return keys
	case o.keySpace.Shared:
		return append(keys, o.keySpace.base)
	case len(o.columns) == 1:
		return append(keys, o.keySpace.base+o.columns[0][i])
	}
	mine := len(keys)
	for _, column := range o.columns {
		id := column[i]
		for slices.Contains(keys[mine:], o.keySpace.base+id) {
			if id++; id == o.of {
				id = 0
			}
		}
		keys = append(keys, o.keySpace.base+id)
	}
	return keys
}

// carry writes the descriptors of a block whose own keys are set.
func (l *source) carry(b *Block) {
	d := &b.Descriptors
	d.Reset()
	own := b.Key[:b.N]
	played, _ := l.clock.(*logs.Cursor)
	for k := range l.policyKeySource {
		l.policyKeySource[k].fill(own, played)
	}
	for i := range own {
		for k := range l.policyKeySource {
			d.Keys = l.policyKeySource[k].row(i, d.Keys)
		}
		d.end()
	}
}
