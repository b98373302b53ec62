package step

import (
	"encoding/json"
	"math/rand/v2"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
)

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
		text := required(c, "coin", "a number from 0 to below 1", func(field any) (json.Number, bool) {
			text, _ := field.(json.Number)
			_, ok := batchreported.ParseRate(text.String())
			return text, ok
		})
		draw.value, _ = batchreported.ParseRate(text.String())
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
