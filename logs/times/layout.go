package times

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/logs/text"
)

// knownLayouts are notations of dates beside RFC 3339 and Common Log, as in package
// time: ctime (uWSGI), HTTP, gin, Kibana's CSV, ISO 8601 without separators.
var knownLayouts = []string{time.ANSIC, time.RFC1123, "2006/01/02 - 15:04:05", "Jan 2, 2006 @ 15:04:05", "20060102T150405Z07:00"}

// parseLayout reads a stamp in the layout of the option, or in a known one, first in
// that of the last stamp.
func (c *Clock) parseLayout(raw []byte, out *text.Exact) bool {
	for i, layout := range c.layouts {
		t, err := time.Parse(layout, string(raw))
		if err != nil {
			continue
		}
		if i > 0 {
			c.layouts = slices.Concat(c.layouts[i:i+1], c.layouts[:i], c.layouts[i+1:])
		}
		sec := t.Unix()
		if strings.Contains(layout, "07") || strings.Contains(layout, "MST") {
			c.zone.zoned++
		} else {
			sec -= c.zone.east(sec)
		}
		if sec < 0 || sec >= math.MaxInt64/Second {
			return false
		}
		if c.Dated == 0 {
			c.written = &notation{name: layout}
		}
		out.Ns, out.Frac = sec*Second+int64(t.Nanosecond()), out.Frac[:0]
		c.Dated++
		return true
	}
	return false
}

// lettered reports whether a stamp is written in a known layout.
func lettered(raw []byte) bool {
	c, at := NewClock("auto"), text.Exact{}
	return c.parseLayout(raw, &at)
}
