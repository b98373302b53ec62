package measure

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// pairDemands sums the demand of each tenant or client under each key: the cost
// offered in the span and the cost that waits when it begins. It counts in one byte
// for each pair, because with a million keys memory size decides the speed; what
// does not fit is carried to a table. If there are too many pairs for that, all of
// it is in the table.
type pairDemands struct {
	keys, flows int
	counts      []uint8 // by key*flows + flow; nil if there are too many pairs
	table       pairTable
	memory      int64 // bytes that all of it may take
	exceeded    bool  // it takes more, and the demands are lost

	touched int64 // keeps the result of touch alive
}

func newPairDemands(keys, flows int, memory int64) *pairDemands {
	p := &pairDemands{keys: keys, flows: flows, memory: memory}
	if pairs := PairBytes(keys, flows, memory); pairs > 0 {
		p.counts = make([]uint8, pairs)
	}
	return p
}

// PairBytes returns the bytes that a recorder with this much memory for the pairs of
// keys and tenants, or of keys and clients, allocates for them at its start.
func PairBytes(keys, flows int, memory int64) int64 {
	if pairs := int64(keys) * int64(flows); keys > 1 && flows > 1 && pairs <= memory/2 {
		return pairs
	}
	return 0
}

// reason returns why the demands are not known, or "".
func (p *pairDemands) reason() string {
	if !p.exceeded {
		return ""
	}
	return fmt.Sprintf("needs more than %d MiB of measure_memory", p.memory>>20)
}

// add adds the rows of a block. Of rows before the span, only the cost that waits
// counts.
func (p *pairDemands) add(f *Flow, flows []int32) {
	if f.early {
		for i := range f.Rejected {
			if net := f.Offered[i] - f.Admitted[i] - f.Rejected[i]; net != 0 {
				p.put(f.Key[i], flows[i], net)
			}
		}
		return
	}
	if p.counts != nil {
		p.count(f.Key, flows, f.Offered)
		return
	}
	p.touched = p.table.touch(f.Key, flows, int64(p.flows))
	for i, flow := range flows {
		if cost := f.Offered[i]; cost != 0 {
			p.put(f.Key[i], flow, cost)
		}
	}
}

// count adds the rows of a block to the counts.
func (p *pairDemands) count(keys, flows []int32, offered []int64) {
	n, count, counts := len(flows), p.flows, p.counts
	keys, offered = keys[:n], offered[:n]
	if len(counts) > perkey.Many {
		sum := int64(0)
		for i, flow := range flows { // see perkey.Touch
			sum += int64(counts[int(keys[i])*count+int(flow)])
		}
		p.touched = sum
	}
	for i, flow := range flows {
		one := &counts[int(keys[i])*count+int(flow)]
		if sum := uint64(*one) + uint64(offered[i]); sum < 256 {
			*one = uint8(sum)
		} else {
			*one = 0
			p.put(keys[i], flow, int64(sum))
		}
	}
}

// put adds cost to the table.
func (p *pairDemands) put(key, flow int32, cost int64) {
	if p.exceeded {
		return
	}
	if slots := len(p.table.slots); 4*p.table.used >= 3*slots && 4*pairSlotBytes*int64(slots) > p.memory {
		p.exceeded, p.table, p.counts = true, pairTable{}, nil // twice the slots, and as much again to sort them
		return
	}
	*p.table.at(int64(key)*int64(p.flows) + int64(flow)) += cost
}

// byKey calls f with the flows that have demand under each key, and their demands,
// in the order of the keys. It may be called once, after all rows.
func (p *pairDemands) byKey(f func(key int32, flows []int32, demands []int64)) {
	if p.counts != nil {
		p.countsByKey(f)
		return
	}
	ends := make([]int32, p.keys+1) // by key: first its number of pairs, at last the end of its list
	count := int64(p.flows)
	for _, s := range p.table.slots {
		if s.value > 0 {
			ends[(s.pair-1)/count]++
		}
	}
	total := int32(0)
	for key, n := range ends {
		ends[key] = total
		total += n
	}
	flows, demands := make([]int32, total), make([]int64, total)
	for _, s := range p.table.slots {
		if s.value > 0 {
			at := &ends[(s.pair-1)/count]
			flows[*at], demands[*at] = int32((s.pair-1)%count), s.value
			*at++
		}
	}
	from := int32(0)
	for key, to := range ends[:p.keys] {
		if from < to {
			f(int32(key), flows[from:to], demands[from:to])
		}
		from = to
	}
}

// countsByKey is byKey if there are counts.
func (p *pairDemands) countsByKey(f func(key int32, flows []int32, demands []int64)) {
	carried := slices.DeleteFunc(p.table.slots, func(s pairSlot) bool { return s.pair == 0 })
	slices.SortFunc(carried, func(a, b pairSlot) int { return cmp.Compare(a.pair, b.pair) })
	flows, demands := make([]int32, 0, p.flows), make([]int64, 0, p.flows)
	for key := range p.keys {
		from := key * p.flows
		row := p.counts[from : from+p.flows]
		flows, demands = flows[:0], demands[:0]
		for flow := 0; flow < p.flows; flow++ {
			to := min(p.nextCarried(carried, from), p.flows)
			flows, demands = listCounts(row, flow, to, flows, demands)
			if flow = to; flow < p.flows {
				if d := int64(row[flow]) + carried[0].value; d > 0 {
					flows, demands = append(flows, int32(flow)), append(demands, d)
				}
				carried = carried[1:]
			}
		}
		if len(flows) > 0 {
			f(int32(key), flows, demands)
		}
	}
}

// listCounts appends the flows in [from, to) whose count is not 0, and their counts.
// Most are 0, so it reads eight at a time.
func listCounts(row []uint8, from, to int, flows []int32, demands []int64) ([]int32, []int64) {
	for ; from+8 <= to; from += 8 {
		for eight := binary.LittleEndian.Uint64(row[from:]); eight != 0; {
			at := bits.TrailingZeros64(eight) &^ 7
			flows, demands = append(flows, int32(from+at/8)), append(demands, int64(eight>>at&255))
			eight &^= 255 << at
		}
	}
	for ; from < to; from++ {
		if row[from] > 0 {
			flows, demands = append(flows, int32(from)), append(demands, int64(row[from]))
		}
	}
	return flows, demands
}

// nextCarried returns the first flow whose demand is carried, if flow 0 has the
// number from.
func (p *pairDemands) nextCarried(carried []pairSlot, from int) int {
	if len(carried) == 0 {
		return p.flows
	}
	return int(carried[0].pair) - 1 - from
}

// keyDivider divides what is admitted under one key among its flows. It reuses its
// memory.
type keyDivider struct{ sorted []int64 }

// divide adds the fair share of each flow with demand under a key to shares. A
// flow that is alone has the limit of the key for itself: its share is what the
// reference admits. Flows that share the key divide what is admitted.
func (k *keyDivider) divide(flows []int32, demands []int64, admitted, reference int64, shares []float64) {
	if len(flows) == 1 {
		shares[flows[0]] += float64(reference)
		return
	}
	left := admitted
	for _, d := range demands {
		left -= d
	}
	num, den := int64(0), int64(0)
	if left < 0 {
		k.sorted = append(k.sorted[:0], demands...)
		slices.Sort(k.sorted)
		num, den = levelOf(k.sorted, admitted)
	}
	for i, flow := range flows {
		shares[flow] += fairShare(demands[i], num, den)
	}
}

// levelOf is demandGroups.level for a few demands in increasing order.
func levelOf(demands []int64, total int64) (num, den int64) {
	for i, d := range demands {
		left := int64(len(demands) - i)
		if d > total/left {
			return total, left
		}
		total -= d
	}
	return 0, 0
}
