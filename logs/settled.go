package logs

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/logs/text"
)

// relativeBelow separates times counted from the start of a recording from
// times since 1970. It is in March 1973, before any recording that people
// replay.
const relativeBelow = int64(1e8) * second

// lastInstant is the end of the year 2199. No recorded or replayed request is
// later, so that every consumer may add delays and windows to a time.
const lastInstant = 7258118400 * second

// seen holds what a sample shows about the stamps of a file.
type seen struct {
	name    string // of the field with the stamps
	dates   int
	numbers numbers
}

// add takes in a stamp. It returns true if that is a number.
func (s *seen) add(stamp []byte) bool {
	var n text.Number
	switch {
	case dated(stamp):
		s.dates++
	case n.Split(stamp) && !n.Neg:
		s.numbers.add(stamp)
		return true
	}
	return false
}

// state fixes the notation that the documentation of a format states, unless one
// is fixed.
func (c *clock) state(notation string) {
	if c.format == "auto" && notation != "" {
		c.fix(notation)
	}
}

// settle decides by a sample how the times of a file are written. why says that
// this cannot be told.
func (c *clock) settle(s *seen) (why string) {
	switch {
	case c.format != "auto":
		return ""
	case len(s.numbers.values) <= s.dates:
		c.only = "dates"
		return ""
	}
	format, others, why := s.numbers.format(s.name)
	if why != "" {
		return why
	}
	c.fix(format)
	c.only, c.others = "numbers", others
	c.least, c.most = relativeBelow, lastInstant
	if c.relative() {
		c.least, c.most = 0, relativeBelow
	}
	return ""
}

// describe says how the stamps that were read are written.
func (c *clock) describe() string {
	var list []string
	if c.dated > 0 {
		list = append(list, c.written.name+c.zone.describe())
	}
	if c.numeric > 0 && c.format != "auto" {
		since := " since 1970"
		if c.relative() {
			since = " since the start"
		}
		unit := slices.IndexFunc(timeUnits, func(u timeUnit) bool { return u.shift == c.shift })
		list = append(list, timeUnits[unit].long+since)
	}
	return strings.Join(list, " and ")
}
