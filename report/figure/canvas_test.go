package figure

// plain is a canvas that records all calls.
type plain struct {
	fills, strokes map[Paint]int
	circles        []Point
	texts          []Text
	titles         []string
}

func newPlain() *plain { return &plain{fills: map[Paint]int{}, strokes: map[Paint]int{}} }

func (c *plain) Fill(p Paint, _ []Point)             { c.fills[p]++ }
func (c *plain) Stroke(p Paint, lines ...[]Point)    { c.strokes[p] += len(lines) }
func (c *plain) Circle(_ Paint, at Point, _ float64) { c.circles = append(c.circles, at) }
func (c *plain) Write(t Text)                        { c.texts = append(c.texts, t) }
func (c *plain) Width(_ Font, words string) float64  { return 6 * float64(len([]rune(words))) }
func (c *plain) Group(title string, _ Box, draw func()) {
	c.titles = append(c.titles, title)
	draw()
}

// wrote reports whether text was written, and where.
func (c *plain) wrote(words string) (Point, bool) {
	for _, t := range c.texts {
		if t.Words == words {
			return t.At, true
		}
	}
	return Point{}, false
}
