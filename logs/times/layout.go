package times

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/logs/text"
)

// knownLayouts are notations of dates beside RFC 3339 and Common Log, as in package
// time: ctime (uWSGI), HTTP, gin, Kibana's CSV, ISO 8601 without separators, BIND, Go's
// Time.String (Tyk).
var knownLayouts = []string{time.ANSIC, time.RFC1123, "2006/01/02 - 15:04:05", "Jan 2, 2006 @ 15:04:05", "20060102T150405Z07:00", "02-Jan-2006 15:04:05", "2006-01-02 15:04:05 -0700 MST"}

// parseLayout reads a stamp in the layout of the option, or in a known one, first in
// that of the last stamp.
func (c *Clock) parseLayout(raw []byte) (ns int64, ok bool) {
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
			return 0, false
		}
		if c.Dated == 0 {
			c.written = &notation{name: layout}
		}
		c.Dated++
		return sec*Second + int64(t.Nanosecond()), true
	}
	return 0, false
}

// lettered reports whether a stamp is written in a known layout.
func lettered(raw []byte) bool {
	c := NewClock("auto", "")
	_, ok := c.parseLayout(raw)
	return ok
}

// strftimeWords are the words of strftime with those of package time.
var strftimeWords = strings.NewReplacer("%Y", "2006", "%y", "06", "%m", "01", "%d", "02", "%e", "_2", "%b", "Jan", "%B", "January", "%a", "Mon", "%A", "Monday", "%j", "002",
	"%H", "15", "%I", "03", "%p", "PM", "%M", "04", "%S", "05", "%f", "000000", "%L", "000", "%z", "-0700", "%Z", "MST", "%F", "2006-01-02", "%T", "15:04:05", "%D", "01/02/06", "%%", "%")

// unpadded makes a layout of package time also read 3/2/2026 for %m/%d/%Y, and any
// number of digits for %f, as strptime does.
var unpadded = strings.NewReplacer("002", "002", ".000000", "", ",000000", "", ".000", "", ",000", "", "01", "1", "02", "2", "03", "3")

// ParseLayout returns the layout of package time that a text means: one of package
// time, or one in the words of strftime.
func ParseLayout(words string) (layout string, err error) {
	layout = strftimeWords.Replace(words)
	at := time.Date(2017, 8, 19, 21, 32, 43, 0, time.UTC)
	if t, err := time.Parse(layout, at.Format(layout)); words != "" && (err != nil || !t.Equal(at)) {
		return "", text.WrongOptions("time layout %q: year to second in the words of Go (2006-01-02 15:04:05) or of strftime (%%Y-%%m-%%d %%H:%%M:%%S)", words)
	}
	return layout, nil
}
