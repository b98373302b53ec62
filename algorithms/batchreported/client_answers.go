package batchreported

// Keys refer to answers by numbers, of which there are few: two that mean
// something else, and those of the latest answers. Before a half of the numbers
// is given out again, keys that still go by one of them are set apart, and so
// are all keys of answers that are too short to be worth a number.
const (
	apart       = iota // in Client.old
	unanswered         // no answer yet
	firstNumber        // of an answer
	numbers     = 1 << numberBits
)

// numberOf is the number that an answer has for its keys.
func (c *Client) numberOf(a *Answer) int {
	times := &c.times
	switch {
	case times[c.latest] == a.ComputedAt:
		return c.latest
	case len(a.Rows)*numbers/2 < len(c.keys):
		return apart // lest there be more keys to look through than rows
	}
	switch c.latest++; c.latest {
	case numbers:
		c.latest = firstNumber
		c.vacate(firstNumber, numbers/2)
	case numbers / 2:
		c.vacate(numbers/2, numbers)
	}
	times[c.latest] = a.ComputedAt
	return c.latest
}

// vacate sets keys apart that go by one of the numbers from one on and before
// another.
func (c *Client) vacate(from, to int) {
	for slot := range c.keys {
		k := &c.keys[slot]
		if number := k.number(); number >= from && number < to {
			*k = k.going(apart, k.span())
			c.keepApart(int32(slot), c.times[number])
		}
	}
}

// keepApart keeps the time of the answer by which a key goes that is apart.
func (c *Client) keepApart(slot int32, computedAt int64) {
	if len(c.old) < len(c.keys) {
		c.old = append(c.old, make([]int64, len(c.keys)-len(c.old))...)
	}
	c.old[slot] = computedAt
}
