package times

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/logs/text"
)

// RelativeBelow separates times counted from the start of a recording from
// times since 1970. It is in March 1973, before any recording that people
// replay.
const RelativeBelow = int64(1e8) * Second

// LastInstant is the end of the year 2199. No recorded or replayed request is
// later, so that every consumer may add delays and windows to a time.
const LastInstant = 7258118400 * Second

// Seen holds what a sample shows about the stamps of a file.
type Seen struct {
	Name    string // of the field with the stamps
	dates   int
	numbers numbers
}

// Add takes in a stamp. It returns true if that is a number.
func (s *Seen) Add(stamp []byte) bool {
	var n text.Number
	stamp = unbracketed(stamp)
	switch {
	case dated(stamp) || !n.Split(stamp) && lettered(stamp):
		s.dates++
	case n.Split(stamp) && !n.Neg:
		s.numbers.add(stamp)
		return true
	}
	return false
}

// State fixes the notation that the documentation of a format states, unless one
// is fixed.
func (c *Clock) State(notation string) {
	if c.format == "auto" && notation != "" {
		c.fix(notation)
	}
}

// Settle decides by a sample how the times of a file are written. why says that
// this cannot be told.
func (c *Clock) Settle(s *Seen) (why string) {
	switch {
	case c.format != "auto":
		return ""
	case len(s.numbers.values) <= s.dates:
		c.only = "dates"
		return ""
	}
	format, others, why := s.numbers.format(s.Name)
	if why != "" {
		return why
	}
	c.fix(format)
	c.only, c.Others = "numbers", others
	c.least, c.most = RelativeBelow, LastInstant
	if c.relative() {
		c.least, c.most = 0, RelativeBelow
	}
	return ""
}

// Describe says how the stamps that were read are written.
func (c *Clock) Describe() string {
	var list []string
	if c.Dated > 0 {
		list = append(list, c.written.name+c.zone.describe())
	}
	if c.Numeric > 0 && c.format != "auto" {
		since := " since 1970"
		if c.relative() {
			since = " since the start"
		}
		unit := slices.IndexFunc(timeUnits, func(u timeUnit) bool { return u.shift == c.shift })
		list = append(list, timeUnits[unit].long+since)
	}
	return strings.Join(list, " and ")
}
