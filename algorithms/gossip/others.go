package gossip

import "github.com/limitgauge/limitgauge/algorithms/integers"

// others is what a limiter knows of the values of all others, for one key. A
// limiter that receives from all others stores the latest value of each. A limiter
// that receives from a few stores a share of a sum instead, by push-sum (Kempe,
// Dobra and Gehrke, 2003): at every tick it passes on equal parts of its sum and
// of its count, and the total is N times the sum over the count.
type others struct {
	values []latestValue // of each limiter
	total  int64         // of values
	own    int64         // the own value contained in the sum
	sum    int64
	mass   int64
}

type latestValue struct {
	value  int64
	sentAt int64
}

// receive applies a row of a message. It ignores a value that was sent before the one
// already known.
func (o *others) receive(c *Config, m *Message, row *Row) {
	if c.Branching > 0 {
		o.begin()
		o.sum += row.Value
		o.mass += row.Mass
		return
	}
	if o.values == nil {
		o.values = make([]latestValue, c.Nodes)
	}
	h := &o.values[m.From]
	if m.SentAt < h.sentAt {
		return
	}
	o.total += row.Value - h.value
	*h = latestValue{row.Value, m.SentAt}
}

// forget removes the value of a limiter that no longer exists.
func (o *others) forget(id int32) {
	if o.values != nil {
		o.total -= o.values[id].value
		o.values[id] = latestValue{}
	}
}

// begin gives the limiter its own part of the count.
func (o *others) begin() {
	if o.mass == 0 {
		o.mass = 1 << massBits
	}
}

// publish records the limiter's new value. It returns the row for each limiter to
// which it sends; news reports whether there is anything to send.
func (o *others) publish(c *Config, value int64) (row Row, news bool) {
	value = min(value, maxValue/int64(c.Nodes))
	was := o.own
	o.own = value
	if c.Branching == 0 {
		return Row{Value: value}, value|was != 0
	}
	o.begin()
	o.sum += value - was
	parts := int64(c.Receivers() + 1)
	row = Row{Value: o.sum / parts, Mass: o.mass / parts}
	if row.Value|value == 0 {
		return Row{}, false
	}
	o.sum -= row.Value * (parts - 1)
	o.mass -= row.Mass * (parts - 1)
	return row, true
}

// Receivers returns the number of other limiters to which a limiter sends at a tick.
func (c *Config) Receivers() int {
	if c.Branching == 0 {
		return c.Alive - 1
	}
	return min(c.Branching, c.Alive-1)
}

// value returns the sum of the others' values.
func (o *others) value(c *Config) int64 {
	if c.Branching == 0 {
		return o.total
	}
	if o.sum <= 0 || o.mass < 1<<(massBits/2) {
		return 0
	}
	return max(integers.MulDiv(o.sum, int64(c.Alive)<<massBits, o.mass, maxValue)-o.own, 0)
}

// maxValue limits the total of values.
const maxValue = int64(1) << 61
