package patterns

import "github.com/limitgauge/limitgauge/sim/random"

// volleys is a number of arrivals at once, or within a short time, again and
// again.
type bursts struct {
	span   Span
	count  func(round int64, volley int) int64 // arrivals of a volley of the round that begins so, at least 1
	width  int64                               // arrival j of a volley comes floor(j*width/count) after its first
	first  int64                               // the beginning of the first round
	begins []int64                             // of the volleys of a round, after the round's beginning; rising, at least width apart
	every  int64                               // from one round to the next; 0 for a single round
}

// always is the count of volleys that are all the same.
func always(count int64) func(int64, int) int64 {
	return func(int64, int) int64 { return count }
}

func (v *bursts) Random() bool { return false }

func (v *bursts) Open(random.Stream) Clock {
	c := &burstClock{bursts: v, round: v.first}
	c.load()
	return c
}

type burstClock struct {
	*bursts
	round  int64
	volley int   // in this round
	left   int64 // arrivals left of this volley
	spaced spaced
}

// load makes the current volley ready.
func (c *burstClock) load() {
	c.left = c.count(c.round, c.volley)
	c.spaced = newSpaced(c.round+c.begins[c.volley], exactRate{c.left, c.width})
}

func (c *burstClock) Fill(times []int64) int {
	n := 0
	for n < len(times) && c.left > 0 {
		room := min(c.left, int64(len(times)-n))
		k := c.spaced.fill(times[n:n+int(room)], c.span.To)
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

// advance goes to the next volley, if there is one before the span's end.
func (c *burstClock) advance() {
	c.volley++
	if c.volley == len(c.begins) {
		if c.every == 0 || c.every >= c.span.To-c.round {
			return
		}
		c.round += c.every
		c.volley = 0
	}
	c.load()
}
