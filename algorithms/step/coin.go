package step

import "math/rand/v2"

// coin is the random draw of one decision, in units of 2^-32.
type coin struct {
	from        *rand.PCG
	value       uint32
	given, used bool
}

// coin reads the draw of a call, a share. Without it the decision draws from a
// stream.
func (c *call) coin(from *rand.PCG) *coin {
	draw := &coin{from: from, given: c.given("coin")}
	if draw.given {
		draw.value = c.share("coin")
	}
	return draw
}

// Uint64 returns the draw of the call, the same one however often it is needed.
func (c *coin) Uint64() uint64 {
	if !c.given && !c.used {
		c.value = uint32(c.from.Uint64())
	}
	c.used = true
	return uint64(c.value) << 32
}

// show writes a draw that was needed and not given.
func (c *coin) show(to *call) {
	if c.used && !c.given {
		to.setShare("coin", c.value)
	}
}
