package measure

import "github.com/limitgauge/limitgauge/sim/measure/demands"

// pairSeconds divides what is admitted under each key in a second among its flows.
type pairSeconds struct {
	*demands.Reader
	sums    []keySums // by the place of a key in the second
	shares  []float64 // by flow: its fair share of the second that has ended
	divider keyDivider
}

// keySums is the cost admitted under a key in a second, by the limiter and by the
// reference.
type keySums struct{ admitted, reference int64 }

func newPairSeconds(c *Config, flows int) *pairSeconds {
	return &pairSeconds{Reader: demands.NewSeconds(c.Keys, flows, c.Memory), shares: make([]float64, flows)}
}

// add adds rows [lo, hi) of a block, which are in the current second.
func (p *pairSeconds) add(f *Flow, flows []int32, lo, hi int) {
	admitted, reference := f.Admitted[lo:hi], f.Reference[lo:hi]
	places := p.Places(f.Key[lo:hi], flows[lo:hi], f.Offered[lo:hi], admitted, reference)
	admitted, reference = admitted[:len(places)], reference[:len(places)]
	sums := p.sums
	for i, place := range places {
		switch {
		case place < 0: // no cost
		case int(place) < len(sums):
			s := &sums[place]
			s.admitted += admitted[i]
			s.reference += reference[i]
		default: // keys whose cost waits may have places without rows
			sums = append(sums, make([]keySums, int(place)-len(sums))...)
			sums = append(sums, keySums{admitted[i], reference[i]})
		}
	}
	p.sums = sums
}

// wait updates the waiting cost by rows [lo, hi).
func (p *pairSeconds) wait(f *Flow, flows []int32, lo, hi int) {
	if f.Rejected == nil {
		return
	}
	for i := lo; i < hi; i++ {
		if net := f.Offered[i] - f.Admitted[i] - f.Rejected[i]; net != 0 {
			p.Wait(f.Key[i], flows[i], net, f.early)
		}
	}
}

// turn sets the shares of the second that ends, and begins the next one.
func (p *pairSeconds) turn() {
	clear(p.shares)
	p.Turn().Each(func(place int, flows []int32, demands []int64) {
		var sums keySums
		if place < len(p.sums) {
			sums = p.sums[place]
		}
		p.divider.set(flows, demands)
		p.divider.divide(sums.admitted, sums.reference, p.shares)
	})
	p.sums = p.sums[:0]
}
