package batch

// clientKey is what a client knows of one key. The keys of a fleet are more than
// caches hold, so it takes no more than it must: counts and times that are
// larger than usual are kept elsewhere.
type clientKey struct {
	computedAt int64 // of the latest answer, or NoAnswer
	// told is, from the lowest bit on, what is to be reported, in cost: what was
	// let through and what was rejected; and how long after computedAt the key
	// is to be rejected, in ns: 0 is not at all, farAway until Client.far.
	told uint64
}

const (
	countBits   = 14
	mostCounted = 1<<countBits - 1
	bothCounts  = 1<<(2*countBits) - 1
	farAway     = 1<<(64-2*countBits) - 1 // over a minute
)

// keysPerLine is how many share a line of the processor's cache.
const keysPerLine = 4

func (k *clientKey) span() int64 { return int64(k.told >> (2 * countBits)) }

// until is the reject-until time, unless it isFar: by the client's clock, by now
// where spans travel.
func (k *clientKey) until() int64 { return k.computedAt + k.span() }

func (k *clientKey) isFar() bool { return k.told >= farAway<<(2*countBits) }

// rejects is negative where there is a reject-until time.
func (k *clientKey) rejects() int64 { return -k.span() }

// rejectUntil is the key's reject-until time, or none.
func (c *Client) rejectUntil(slot int32) int64 {
	switch k := &c.keys[slot]; {
	case k.span() == 0:
		return none
	case k.isFar():
		return c.far[slot]
	default:
		return k.until()
	}
}

// reject sets the key's reject-until time, after that of its answer.
func (c *Client) reject(slot int32, until int64) {
	k := &c.keys[slot]
	span := until - k.computedAt
	switch {
	case until == none:
		span = 0
	case span <= 0 || span >= farAway:
		if len(c.far) < len(c.keys) {
			c.far = append(c.far, make([]int64, len(c.keys)-len(c.far))...)
		}
		c.far[slot] = until
		span = farAway
	}
	k.told = k.told&bothCounts | uint64(span)<<(2*countBits)
}
