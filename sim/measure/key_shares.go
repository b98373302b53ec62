package measure

import (
	"slices"

	"github.com/limitgauge/limitgauge/sim/measure/demands"
)

// keyShares divides what is admitted under every key among its flows, for all rows of
// which the flows have the same demand.
type keyShares struct {
	demands *demands.Demands
	meters  []*fairnessMeter // of the rows; the first one adds the demand
	divided bool
}

// ShareDemands joins the recorders of rows whose requests are all decided on arrival, so
// that their flows have the same demand: the first recorder counts it for all of them.
// It must be called before the trial, and all recorders must be closed before results
// are read. They must have the same configuration.
func ShareDemands(rows []*Recorder) {
	for _, r := range rows[min(1, len(rows)):] {
		r.tenants.join(rows[0].tenants)
		r.clients.join(rows[0].clients)
	}
}

// join makes the meter use the demands that another one counts.
func (m *fairnessMeter) join(first *fairnessMeter) {
	if m.byKey != nil {
		m.byKey = first.byKey
		m.byKey.meters = append(m.byKey.meters, m)
	}
	if m.pairs != nil {
		m.pairs.Reader = first.pairs.Follow()
	}
}

// add adds the demand of a block. Of rows before the span, only the cost that waits
// counts.
func (s *keyShares) add(f *Flow, ids []int32) {
	if !f.early {
		s.demands.Add(f.Key, ids, f.Offered)
		return
	}
	for i := range f.Rejected {
		if net := f.Offered[i] - f.Admitted[i] - f.Rejected[i]; net != 0 {
			s.demands.Change(f.Key[i], ids[i], net)
		}
	}
}

// divide sets the shares of the flows of all rows, once these are closed. Where nothing
// is rejected, the share of a flow is its demand.
func (s *keyShares) divide() {
	if s.divided || s.demands.Reason() != "" {
		return
	}
	s.divided = true
	var limited []*fairnessMeter
	for _, m := range s.meters {
		m.shares = make([]float64, m.size())
		if m.windows.summary.limited > 0 {
			limited = append(limited, m)
			continue
		}
		for id := range m.shares {
			m.shares[id] = float64(m.totals(id).demand())
		}
	}
	if limited == nil {
		return
	}
	var d keyDivider
	s.demands.ByKey(func(key int32, flows []int32, demands []int64) {
		d.set(flows, demands)
		for _, m := range limited {
			t := m.windows.keys.totals(key)
			d.divide(t.admitted, t.reference, m.shares)
		}
	})
}

// keyDivider divides what is admitted under one key among its flows. It reuses its
// memory.
type keyDivider struct {
	flows   []int32
	demands []int64 // of the flows
	sum     int64   // of the demands
	least   int64   // of the demands
	sorted  []int64 // the demands, or empty
}

// set sets the flows with demand under the key.
func (k *keyDivider) set(flows []int32, demands []int64) {
	k.flows, k.demands, k.sum, k.least, k.sorted = flows, demands, 0, demands[0], k.sorted[:0]
	for _, d := range demands {
		k.sum += d
		k.least = min(k.least, d)
	}
}

// divide adds the fair share of each flow to shares. A flow that is alone has the limit
// of the key for itself: its share is what the reference admits. Flows that share the
// key divide what is admitted. Few keys need a level: under most, all demand is admitted,
// or every flow has the same share.
func (k *keyDivider) divide(admitted, reference int64, shares []float64) {
	n := int64(len(k.flows))
	switch {
	case n == 1:
		shares[k.flows[0]] += float64(reference)
	case k.sum <= admitted:
		for i, flow := range k.flows {
			shares[flow] += float64(k.demands[i])
		}
	case k.least > admitted/n:
		share := ratio(1, admitted, n)
		for _, flow := range k.flows {
			shares[flow] += share
		}
	default:
		level := k.level(admitted)
		for i, flow := range k.flows {
			shares[flow] += level.of(k.demands[i])
		}
	}
}

// level is demandGroups.level for the demands of the key.
func (k *keyDivider) level(total int64) fairLevel {
	if len(k.sorted) == 0 {
		k.sorted = append(k.sorted, k.demands...)
		slices.Sort(k.sorted)
	}
	for i, d := range k.sorted {
		left := int64(len(k.sorted) - i)
		if d > total/left {
			return newFairLevel(total, left)
		}
		total -= d
	}
	return allMet
}
