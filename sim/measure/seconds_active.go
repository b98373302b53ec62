package measure

import "github.com/limitgauge/limitgauge/algorithms/perkey"

// touch prefetches the flows that will be processed next.
func (m *secondsMeter) touch(ids []int32) {
	if flows := m.flows; len(flows) > perkey.Many {
		m.touched = perkey.Touch(ids, func(id int32) int64 { return flows[id].offered })
	}
}

// add adds rows [lo, hi), which are in the current second.
func (m *secondsMeter) add(f *Flow, lo, hi int) {
	ids := m.column(f)[lo:hi]
	n := len(ids)
	offered, admitted := f.Offered[lo:hi][:n], f.Admitted[lo:hi][:n]
	for flows, i := m.flows, 0; i < n; i++ {
		s := &flows[ids[i]]
		if s.offered|s.admitted == 0 { // the flow may not be listed yet
			m.list(ids[i])
		}
		s.offered += offered[i]
		s.admitted += admitted[i]
	}
	if m.references != nil {
		for i, id := range ids {
			m.addReference(id, f.Reference[lo+i])
		}
	}
	if m.pairs != nil {
		m.pairs.add(f, m.column(f), lo, hi)
	}
}

// addReference adds cost that the reference admits.
func (m *secondsMeter) addReference(id int32, cost int64) {
	if cost > 0 {
		m.list(id)
		m.references[id] += cost
	}
}

// wait updates the waiting cost, before and in the span.
func (m *secondsMeter) wait(f *Flow, lo, hi int) {
	for id, net := range f.waits(m.column(f), lo, hi) {
		m.list(id)
		if w := m.waits.add(len(m.flows), id, net); f.early {
			w.start = w.now
		}
	}
	if m.pairs != nil {
		m.pairs.wait(f, m.column(f), lo, hi)
	}
}

// list adds a flow to the active ones, which are in the order of their first
// rows.
func (m *secondsMeter) list(id int32) {
	if !m.listed[id] {
		m.listed[id] = true
		m.active = append(m.active, id)
	}
}

// keep leaves the flows active that wait at the end of a second.
func (m *secondsMeter) keep() {
	kept := m.active[:0]
	for _, id := range m.active {
		waits := false
		if m.waits != nil {
			w := &m.waits[id]
			w.start, waits = w.now, w.now > 0
		}
		if m.listed[id] = waits; waits {
			kept = append(kept, id)
		}
	}
	m.active = kept
}
