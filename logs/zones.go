package logs

import (
	"fmt"
	"strings"

	"github.com/limitgauge/limitgauge/logs/times"
)

// clock returns the clock of a file that has not been read.
func (o *Options) clock() times.Clock {
	c := times.NewClock(o.TimeFormat, o.TimeLayout)
	if o.TimeZone != "" {
		c.SetZone(o.TimeZone)
	}
	return c
}

// zoneMix lists the files whose times have a zone and those whose times have
// none.
type zoneMix struct{ zoned, without []string }

// note adds a file that has been read.
func (m *zoneMix) note(file string, c *times.Clock) {
	if c.Zoned() {
		m.zoned = append(m.zoned, file)
	}
	if c.Unzoned() {
		m.without = append(m.without, file)
	}
}

// warnZones warns about files that are merged although only some of them have a
// zone.
func (b *builder) warnZones() {
	m := b.zones
	if len(b.o.Files) < 2 || len(m.zoned) == 0 || len(m.without) == 0 || len(b.noted.Choices) == 0 {
		return
	}
	last := &b.noted.Choices[len(b.noted.Choices)-1]
	last.Warnings = append(last.Warnings, fmt.Sprintf("times have a zone in %s and none in %s, which are read as UTC and merged with the others: --time-zone names their zone",
		listFiles(m.zoned), listFiles(m.without)))
}

// listFiles names the first files of a list.
func listFiles(files []string) string {
	const most = 3
	if len(files) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(files[:most], ", "), len(files)-most)
	}
	return strings.Join(files, ", ")
}
