package batchreported

// Keys refer to answers by small numbers: two special ones, and those of the
// latest answers. Before half of the numbers is reused, keys that still have one
// of them store the time of their answer separately. So do all keys of answers
// that are too short to be worth a number.
const (
	apart       = iota // the time is in Client.old
	unanswered         // no answer yet
	firstNumber        // of an answer
	numbers     = 1 << numberBits
)

// numberOf returns the number of an answer for its keys.
func (c *Client) numberOf(a *Answer) int {
	times := &c.times
	switch {
	case times[c.latest] == a.ComputedAt:
		return c.latest
	case len(a.Rows)*numbers/2 < len(c.keys):
		return apart // otherwise storeSeparately would visit more keys than the answer has rows
	}
	switch c.latest++; c.latest {
	case numbers:
		c.latest = firstNumber
		c.storeSeparately(firstNumber, numbers/2)
	case numbers / 2:
		c.storeSeparately(numbers/2, numbers)
	}
	times[c.latest] = a.ComputedAt
	return c.latest
}

// storeSeparately stores the answer times of those keys separately whose number
// is at least from and below to.
func (c *Client) storeSeparately(from, to int) {
	for slot := range c.keys {
		k := &c.keys[slot]
		if number := k.number(); number >= from && number < to {
			*k = k.withAnswer(apart, k.span())
			c.keepApart(int32(slot), c.times[number])
		}
	}
}

// keepApart stores the time of a key's answer separately.
func (c *Client) keepApart(slot int32, computedAt int64) {
	if len(c.old) < len(c.keys) {
		c.old = append(c.old, make([]int64, len(c.keys)-len(c.old))...)
	}
	c.old[slot] = computedAt
}
