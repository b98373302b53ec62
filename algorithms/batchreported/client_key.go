package batchreported

// clientKey is what a client knows of one key. The keys of a fleet are more than
// caches hold, so it takes no more than it must: counts and times that are
// larger than usual are kept elsewhere. It holds, from the lowest bit on:
//
//   - what is to be reported, in cost: what was let through and what was
//     rejected, each with a spare bit above it that a sum may run into
//   - the number of the latest answer, by which the client knows when it was
//     computed
//   - how long after that the key is to be rejected, in ns: 0 is not at all,
//     farAway until Client.far
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
	farAway     = 1<<(64-spanAt) - 1 // some four minutes
)

// keysPerLine is how many share a line of the processor's cache.
const keysPerLine = 8

func (k clientKey) hits() int64     { return int64(k & mostCounted) }
func (k clientKey) rejected() int64 { return int64(k >> rejectedAt & mostCounted) }
func (k clientKey) number() int     { return int(k >> numberAt & (numbers - 1)) }

// isApart is number() == apart.
func (k clientKey) isApart() bool { return k&((numbers-1)<<numberAt) == 0 }

func (k clientKey) span() int64 { return int64(k >> spanAt) }

// untouched is 1 where there is nothing to report, else 0.
func (k clientKey) untouched() int { return int((k&bothCounts - 1) >> 63) }

// with is the key with other counts.
func (k clientKey) with(hits, rejected int64) clientKey {
	return k&^bothCounts | clientKey(rejected)<<rejectedAt | clientKey(hits)
}

// going is the key when it goes by an answer and is rejected for so long.
func (k clientKey) going(by int, span int64) clientKey {
	return k&bothCounts | clientKey(by)<<numberAt | clientKey(span)<<spanAt
}

// computedAt is when the latest answer was computed, or NoAnswer.
func (c *Client) computedAt(slot int32) int64 {
	if number := c.keys[slot].number(); number != apart {
		return c.times[number]
	}
	return c.old[slot]
}

// rejectUntil is the key's reject-until time, or none: by the client's clock, by
// now where spans travel.
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

// reject sets the key's reject-until time, after that of its answer.
func (c *Client) reject(slot int32, until int64) {
	c.goBy(slot, c.keys[slot].number(), c.computedAt(slot), until)
}

// goBy lets a key go by an answer.
func (c *Client) goBy(slot int32, number int, computedAt, until int64) {
	k := &c.keys[slot]
	span := until - computedAt
	switch {
	case until == none:
		span = 0
	case span <= 0 || span >= farAway:
		if len(c.far) < len(c.keys) {
			c.far = append(c.far, make([]int64, len(c.keys)-len(c.far))...)
		}
		c.far[slot] = until
		span, number = farAway, apart
	}
	*k = k.going(number, span)
	if number == apart {
		c.keepApart(slot, computedAt)
	}
}
