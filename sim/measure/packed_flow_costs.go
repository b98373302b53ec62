package measure

import "github.com/limitgauge/limitgauge/algorithms/perkey"

// flowCost is the cost of one tenant or client.
type flowCost struct{ offered, admitted int64 }

// flowCosts sums the cost of each tenant or client in one 32-bit word, because
// with a million flows memory size decides the speed. Sums that do not fit are
// carried to a table with few entries.
type flowCosts struct {
	counts []flowCounts
	wide   perkey.Table[flowCost]

	touched int64 // keeps the result of perkey.Touch alive
}

// flowCounts packs a flowCost into two fields of 15 bits. The bit above each
// field is set if a sum does not fit.
type flowCounts uint32

func newFlowCosts(flows int) flowCosts { return flowCosts{counts: make([]flowCounts, flows)} }

// add adds the rows of a block with known sums.
func (c *flowCosts) add(ids []int32, offered, admitted []int64, sums Sums) {
	counts := c.counts
	if len(counts) > perkey.Many {
		c.touched = perkey.Touch(ids, func(id int32) int64 { return int64(counts[id]) })
	}
	allFit := uint64(sums.Offered|sums.Admitted) < 1<<15
	for len(ids) > 0 {
		n := addFitting(counts, ids, offered, admitted, allFit)
		if n < len(ids) {
			c.carry(ids[n], offered[n], admitted[n])
			n++
		}
		ids, offered, admitted = ids[n:], offered[n:], admitted[n:]
	}
}

// addFitting adds rows up to the first one that does not fit, and returns their number.
// allFit states that each row fits. The loop calls nothing and is not inlined, so that it
// fits registers.
//
//go:noinline
func addFitting(counts []flowCounts, ids []int32, offered, admitted []int64, allFit bool) int {
	offered, admitted = offered[:len(ids)], admitted[:len(ids)]
	for i, id := range ids {
		o, a := offered[i], admitted[i]
		sum := counts[id] + flowCounts(o|a<<16)
		if sum&0x8000_8000 != 0 || !allFit && uint64(o|a) >= 1<<15 {
			return i
		}
		counts[id] = sum
	}
	return len(ids)
}

func (c *flowCosts) carry(id int32, offered, admitted int64) {
	cost := c.of(int(id))
	*c.wide.At(id) = flowCost{cost.offered + offered, cost.admitted + admitted}
	c.counts[id] = 0
}

// of returns the cost of a flow so far.
func (c *flowCosts) of(id int) flowCost {
	n, cost := c.counts[id], c.wide.Peek(int32(id))
	return flowCost{cost.offered + int64(n&0x7fff), cost.admitted + int64(n>>16)}
}
