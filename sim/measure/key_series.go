package measure

import "github.com/limitgauge/limitgauge/sim/results"

// keySeriesMeter sums the cost of one key by bins of time.
type keySeriesMeter struct {
	key int32
	s   results.Series
}

// followKeys replaces all meters by one for each key in Config.Follow.
func (r *Recorder) followKeys() {
	if r.cfg.Follow == nil {
		return
	}
	r.flows, r.outcomes, r.changers, r.closers = nil, nil, nil, nil
	if r.policies != nil {
		return // those of the policies follow them
	}
	for _, key := range r.cfg.Follow {
		m := &keySeriesMeter{key, newSeries(&r.cfg)}
		r.followed = append(r.followed, m)
		r.join(m)
	}
}

// KeySeries returns the cost that a key of Config.Follow was offered and
// admitted over time, once the trial is closed.
func (r *Recorder) KeySeries(key int32) results.Series {
	if r.policies != nil {
		p := r.policyOf(key)
		return p.KeySeries(key - p.cfg.From)
	}
	for _, m := range r.followed {
		if m.key == key {
			return m.s
		}
	}
	panic("measure: the key is not followed")
}

func (m *keySeriesMeter) Flow(f *Flow) {
	if f.early {
		return
	}
	for i, key := range f.Key {
		if key == m.key {
			bin := (f.Time[i] - m.s.StartNs) / m.s.BinNs
			m.s.Offered[bin] += f.Offered[i]
			m.s.Admitted[bin] += f.Admitted[i]
		}
	}
}
