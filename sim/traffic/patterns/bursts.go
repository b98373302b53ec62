package patterns

import "github.com/limitgauge/limitgauge/internal/random"

// bursts is a sequence of rounds of bursts. A burst is a number of arrivals at
// once or within a short time.
type bursts struct {
	span   Span
	count  func(round int64, burst int) int64 // arrivals of a burst of the round that begins at this time, at least 1
	width  int64                              // arrival j of a burst comes floor(j*width/count) after its first
	first  int64                              // start of the first round
	begins []int64                            // start of each burst after the start of the round; ascending, at least width apart
	every  int64                              // from one round to the next; 0 for a single round
	offset offset                             // of all rounds
}

// always returns the same count for all bursts.
func always(count int64) func(int64, int) int64 {
	return func(int64, int) int64 { return count }
}

func (v *bursts) Random() bool { return v.offset.random }

func (v *bursts) Open(draws random.Stream) Clock {
	c := &burstClock{bursts: v, round: v.first}
	if v.offset.set && v.every > 0 {
		later, _ := v.offset.of(v.every, 1, draws)
		c.round += later
	}
	c.load()
	return c
}

type burstClock struct {
	*bursts
	round  int64
	burst  int   // index in this round
	left   int64 // arrivals left in this burst
	spaced spaced
}

// load prepares the current burst.
func (c *burstClock) load() {
	c.left = c.count(c.round, c.burst)
	c.spaced = newSpaced(c.round+c.begins[c.burst], exactRate{c.left, c.width})
}

func (c *burstClock) Fill(times []int64) int {
	n := 0
	for n < len(times) && c.left > 0 {
		room := min(c.left, int64(len(times)-n))
		k := c.spaced.fill(nil, times[n:n+int(room)], c.span.To)
		n += k
		c.left -= int64(k)
		if int64(k) < room {
			c.left = 0 // the span is over
		} else if c.left == 0 {
			c.advance()
		}
	}
	return n
}

// advance goes to the next burst, if there is one before the end of the span.
func (c *burstClock) advance() {
	c.burst++
	if c.burst == len(c.begins) {
		if c.every == 0 || c.every >= c.span.To-c.round {
			return
		}
		c.round += c.every
		c.burst = 0
	}
	c.load()
}
