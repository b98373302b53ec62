package measure

import (
	"math"

	"github.com/limitgauge/limitgauge/algorithms/perkey"
)

// flowCost is what one tenant or client asked for and was let through.
type flowCost struct{ offered, admitted int64 }

// flowCosts adds up the cost of each tenant or client. The table that is written
// for each row counts in 32 bits, which with a million flows takes half the
// memory and three quarters of the time; before any sum could overflow, all are
// moved to a table of 64 bits.
type flowCosts struct {
	recent []recentCost
	room   int64      // by how much any of them may still grow
	moved  []flowCost // nil until they first were

	touched int64 // what perkey.Touch has read
}

type recentCost struct{ offered, admitted uint32 }

func newFlowCosts(flows int) flowCosts {
	return flowCosts{recent: make([]recentCost, flows), room: math.MaxUint32}
}

// add takes a block's rows, of which the sum is known.
func (c *flowCosts) add(ids []int32, offered, admitted []int64, sum Sums) {
	most := max(sum.Offered, sum.Admitted)
	if most > c.room {
		c.move()
	}
	if most > c.room { // all of it, and still too little
		for i, id := range ids {
			c.moved[id].offered += offered[i]
			c.moved[id].admitted += admitted[i]
		}
		return
	}
	c.room -= most
	recent := c.recent
	if len(recent) > perkey.Many {
		c.touched = perkey.Touch(ids, func(id int32) int64 { return int64(recent[id].offered) })
	}
	offered, admitted = offered[:len(ids)], admitted[:len(ids)]
	for i, id := range ids {
		t := &recent[id]
		t.offered += uint32(offered[i])
		t.admitted += uint32(admitted[i])
	}
}

func (c *flowCosts) move() {
	if c.moved == nil {
		c.moved = make([]flowCost, len(c.recent))
	}
	for id, t := range c.recent {
		c.moved[id].offered += int64(t.offered)
		c.moved[id].admitted += int64(t.admitted)
	}
	clear(c.recent)
	c.room = math.MaxUint32
}

// of is the cost of a flow so far.
func (c *flowCosts) of(id int) flowCost {
	t := c.recent[id]
	cost := flowCost{int64(t.offered), int64(t.admitted)}
	if c.moved != nil {
		cost.offered += c.moved[id].offered
		cost.admitted += c.moved[id].admitted
	}
	return cost
}
