// Package demands sums the demand of each pair of a key and a flow; a flow is all that
// one tenant or one client sends. A million keys and a hundred flows are a hundred
// million pairs, of which most never occur, so memory decides how it is done.
//
// The package makes no promise: it can change at any time.
package demands

import (
	"fmt"
)

// Demands sums cost by pair. Few pairs have a byte each. The cost of more pairs goes to
// a log, which adds it up part by part. What does not fit either is carried to a table.
// If there are too many pairs for the memory, all of it is in the table.
type Demands struct {
	keys, flows int
	counts      []uint8  // by key*flows + flow, or nil
	log         *costLog // or nil
	table       Table
	memory      int64 // bytes that all of it may take
	begun       bool  // the memory is allocated
	exceeded    bool  // it takes more than memory, and the demands are lost

	touched int64 // keeps the result of touch alive
}

// New returns the demands of keys 0 to keys-1 and flows 0 to flows-1, which may take
// about this many bytes of memory. Nothing is allocated until there is some demand.
func New(keys, flows int, memory int64) *Demands {
	return &Demands{keys: keys, flows: flows, memory: memory}
}

// fewPairs is the number of pairs whose bytes fit a cache next to a processor. Tests set
// smaller ones.
var fewPairs = int64(1 << 18)

func (d *Demands) begin() {
	d.begun = true
	pairs := int64(d.keys) * int64(d.flows)
	switch {
	case pairs > d.memory/2:
	case pairs > fewPairs && d.flows <= mostNumbers:
		d.log = newCostLog(d.keys, d.flows, d.put)
	default:
		d.counts = make([]uint8, pairs)
	}
}

// Reason returns why the demands are not known, or "".
func (d *Demands) Reason() string {
	if !d.exceeded {
		return ""
	}
	return fmt.Sprintf("needs more than %d MiB of measure_memory", d.memory>>20)
}

// Add adds the costs of a block of requests, none of which is negative.
func (d *Demands) Add(keys, flows []int32, costs []int64) {
	if !d.begun {
		d.begin()
	}
	switch {
	case d.exceeded:
	case d.counts != nil:
		d.count(keys, flows, costs)
	case d.log != nil:
		d.log.add(keys, flows, costs)
	default:
		d.touched = d.table.Touch(keys, flows, int64(d.flows))
		for i, flow := range flows {
			if costs[i] != 0 {
				d.put(keys[i], flow, costs[i])
			}
		}
	}
}

// Change adds cost to a pair, or takes it away if it is negative.
func (d *Demands) Change(key, flow int32, cost int64) {
	if !d.begun {
		d.begin()
	}
	d.put(key, flow, cost)
}

// count adds costs to the counts.
func (d *Demands) count(keys, flows []int32, costs []int64) {
	count, counts := d.flows, d.counts
	keys, costs = keys[:len(flows)], costs[:len(flows)]
	if int64(len(counts)) > fewPairs { // fewer are read fast enough without
		sum := int64(0)
		for i, flow := range flows { // see perkey.Touch
			sum += int64(counts[int(keys[i])*count+int(flow)])
		}
		d.touched = sum
	}
	for i, flow := range flows {
		one := &counts[int(keys[i])*count+int(flow)]
		if sum := uint64(*one) + uint64(costs[i]); sum < 256 {
			*one = uint8(sum)
		} else {
			*one = 0
			d.put(keys[i], flow, int64(sum))
		}
	}
}

// put adds cost to the table.
func (d *Demands) put(key, flow int32, cost int64) {
	if d.exceeded {
		return
	}
	if d.table.full() && d.grown() > d.memory {
		*d = Demands{memory: d.memory, begun: true, exceeded: true}
		return
	}
	*d.table.At(int64(key)*int64(d.flows) + int64(flow)) += cost
}

// grown returns the bytes that all of it may take once the table has doubled: the table,
// and as much again to list its pairs, or all parts of the log.
func (d *Demands) grown() int64 {
	table := 2 * SlotBytes * int64(len(d.table.slots))
	if d.log == nil {
		return 2 * table
	}
	return table + table/2 + d.log.logBytes() + d.log.denseBytes() // half of the table is copied
}
