package batchreported

import "github.com/limitgauge/limitgauge/internal/lists"

// clientKey is what a client knows of one key, in one word: the keys of a fleet
// do not fit the processor's caches, so the state is as small as possible.
// Larger counts and times are stored elsewhere. From the lowest bit on it holds:
//
//   - the admitted and the rejected cost to report, each with a spare bit above
//     it into which a sum can overflow
//   - the number of the latest answer, which tells when it was computed
//   - for how long after that time to reject the key, in ns: 0 means not at all,
//     farAway means until the time in Client.far
type clientKey uint64

const (
	countBits   = 9
	mostCounted = 1<<countBits - 1
	rejectedAt  = countBits + 1
	numberAt    = 2 * rejectedAt
	bothCounts  = 1<<numberAt - 1
	spareBits   = 1<<countBits | 1<<(rejectedAt+countBits)
	numberBits  = 6
	spanAt      = numberAt + numberBits
	farAway     = 1<<(64-spanAt) - 1 // about four minutes
)

// keysPerLine is the number of keys in one cache line.
const keysPerLine = 8

func (k clientKey) hits() int64     { return int64(k & mostCounted) }
func (k clientKey) rejected() int64 { return int64(k >> rejectedAt & mostCounted) }
func (k clientKey) number() int     { return int(k >> numberAt & (numbers - 1)) }

// isApart reports whether number() == apart.
func (k clientKey) isApart() bool { return k&((numbers-1)<<numberAt) == 0 }

func (k clientKey) span() int64 { return int64(k >> spanAt) }

// untouched returns 1 if there is nothing to report, else 0.
func (k clientKey) untouched() int { return int((k&bothCounts - 1) >> 63) }

// with returns the key with other counts.
func (k clientKey) with(hits, rejected int64) clientKey {
	return k&^bothCounts | clientKey(rejected)<<rejectedAt | clientKey(hits)
}

// withAnswer returns the key with another answer and another time to reject.
func (k clientKey) withAnswer(by int, span int64) clientKey {
	return k&bothCounts | clientKey(by)<<numberAt | clientKey(span)<<spanAt
}

// computedAt returns when the latest answer was computed, or NoAnswer.
func (c *Client) computedAt(slot int32) int64 {
	if number := c.keys[slot].number(); number != apart {
		return c.times[number]
	}
	return c.old[slot]
}

// rejectUntil returns the key's reject-until time, or none. It is by the client's
// clock, or by now if answers carry durations.
func (c *Client) rejectUntil(slot int32) int64 {
	switch span := c.keys[slot].span(); span {
	case 0:
		return none
	case farAway:
		return c.far[slot]
	default:
		return c.computedAt(slot) + span
	}
}

// reject sets the key's reject-until time and keeps its answer.
func (c *Client) reject(slot int32, until int64) {
	c.setAnswer(slot, c.keys[slot].number(), c.computedAt(slot), until)
}

// setAnswer sets the answer and the reject-until time of a key.
func (c *Client) setAnswer(slot int32, number int, computedAt, until int64) {
	k := &c.keys[slot]
	span := until - computedAt
	switch {
	case until == none:
		span = 0
	case span <= 0 || span >= farAway:
		c.far = lists.Reach(c.far, len(c.keys)-1)
		c.far[slot] = until
		span, number = farAway, apart
	}
	*k = k.withAnswer(number, span)
	if number == apart {
		c.keepApart(slot, computedAt)
	}
}

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
	c.old = lists.Reach(c.old, len(c.keys)-1)
	c.old[slot] = computedAt
}
