package measure

import (
	"fmt"

	"github.com/limitgauge/limitgauge/sim/measure/demands"
)

// pairSeconds divides what is admitted under each key in a second among its flows.
type pairSeconds struct {
	flows    int
	table    demands.Table // index in active of each pair of the second, plus 1
	active   []pairSecond
	first    []int32         // by key: index in active of its first pair in the second, plus 1
	keys     []int32         // with pairs in the second, in the order of their first rows
	waits    map[int64]int64 // cost that waits, by pair, without pairs of which none does
	shares   []float64       // by flow: its fair share of the second that has ended
	memory   int64
	exceeded bool

	// Scratch space of turn.
	divider keyDivider
	ids     []int32
	demands []int64
	touched int64
}

// pairSecond is the cost of a flow under a key in a second.
type pairSecond struct {
	key, flow, next                       int32 // next: of the same key, plus 1
	waiting, offered, admitted, reference int64 // waiting: at the start
}

const pairSecondBytes = 48

func newPairSeconds(c *Config, flows int) *pairSeconds {
	return &pairSeconds{flows: flows, first: make([]int32, c.Keys), shares: make([]float64, flows), waits: map[int64]int64{}, memory: c.Memory}
}

func (p *pairSeconds) reason() string {
	return fmt.Sprintf("needs more than %d MiB of measure_memory", p.memory>>20)
}

func (p *pairSeconds) pair(key, flow int32) int64 { return int64(key)*int64(p.flows) + int64(flow) }

// at returns the state of a pair in the current second, until the next call.
func (p *pairSeconds) at(key, flow int32) *pairSecond {
	at := p.table.At(p.pair(key, flow))
	if *at == 0 {
		if p.first[key] == 0 {
			p.keys = append(p.keys, key)
		}
		p.active = append(p.active, pairSecond{key: key, flow: flow, next: p.first[key]})
		*at = int64(len(p.active))
		p.first[key] = int32(len(p.active))
	}
	return &p.active[*at-1]
}

// add adds rows [lo, hi) of a block, which are in the current second.
func (p *pairSeconds) add(f *Flow, flows []int32, lo, hi int) {
	if p.exceeded = p.exceeded || int64(len(p.active))*(pairSecondBytes+2*demands.SlotBytes) > p.memory; p.exceeded {
		return
	}
	p.touched = p.table.Touch(f.Key[lo:hi], flows[lo:hi], int64(p.flows))
	for i := lo; i < hi; i++ {
		if f.Offered[i]|f.Admitted[i]|f.Reference[i] != 0 {
			s := p.at(f.Key[i], flows[i])
			s.offered += f.Offered[i]
			s.admitted += f.Admitted[i]
			s.reference += f.Reference[i]
		}
	}
}

// wait updates the waiting cost by rows [lo, hi). Before the span, it waits at the
// start of the first second.
func (p *pairSeconds) wait(f *Flow, flows []int32, lo, hi int) {
	if f.Rejected == nil {
		return
	}
	for i := lo; i < hi; i++ {
		net := f.Offered[i] - f.Admitted[i] - f.Rejected[i]
		if net == 0 {
			continue
		}
		pair := p.pair(f.Key[i], flows[i])
		if p.waits[pair] += net; p.waits[pair] == 0 {
			delete(p.waits, pair)
		}
		if f.early {
			p.at(f.Key[i], flows[i]).waiting += net
		}
	}
}

// turn sets the shares of the second that ends, and begins the next one with the
// pairs that wait.
func (p *pairSeconds) turn() {
	clear(p.shares)
	for _, key := range p.keys {
		p.ids, p.demands = p.ids[:0], p.demands[:0]
		admitted, reference := int64(0), int64(0)
		for i := p.first[key]; i > 0; i = p.active[i-1].next {
			s := &p.active[i-1]
			admitted += s.admitted
			reference += s.reference
			if d := s.waiting + s.offered; d > 0 {
				p.ids, p.demands = append(p.ids, s.flow), append(p.demands, d)
			}
		}
		if len(p.ids) > 0 {
			p.divider.set(p.ids, p.demands)
			p.divider.divide(admitted, reference, p.shares)
		}
		p.first[key] = 0
	}
	before := p.active
	p.table.Clear()
	p.keys, p.active = p.keys[:0], nil
	if len(p.waits) == 0 {
		p.active = before[:0]
		return
	}
	for i := range before {
		s := &before[i]
		if waits := p.waits[p.pair(s.key, s.flow)]; waits > 0 {
			p.at(s.key, s.flow).waiting = waits
		}
	}
}
