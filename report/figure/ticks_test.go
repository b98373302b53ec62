package figure

import (
	"strings"
	"testing"
	"time"
)

func TestTimeTicks(t *testing.T) {
	at := func(text string) int64 {
		when, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return when.UnixNano()
	}
	for _, c := range []struct {
		start, end   int64
		labels, axis string
	}{
		{0, 60e9, "0 10 20 30 40 50 60", "time, s"},
		{5e9, 65e9, "10 20 30 40 50 60", "time, s"},
		{0, 600e9, "0 2 4 6 8 10", "time, min"},
		{0, 250e6, "0 50 100 150 200 250", "time, ms"},
		{0, 86400e9, "0 6 12 18 24", "time, h"},
		{at("2023-11-14T00:00:00Z"), at("2023-11-14T06:00:00Z"), "00:00 01:00 02:00 03:00 04:00 05:00 06:00", "time, UTC on 2023-11-14"},
		{at("2023-11-14T20:00:00Z"), at("2023-11-15T08:00:00Z"), "Nov 14 20:00 | Nov 14 22:00 | Nov 15 00:00 | Nov 15 02:00 | Nov 15 04:00 | Nov 15 06:00 | Nov 15 08:00", "time in 2023, UTC"},
		{at("2023-11-14T06:00:00Z"), at("2023-11-23T00:00:00Z"), "Nov 15 | Nov 17 | Nov 19 | Nov 21 | Nov 23", "date in 2023, UTC"},
		{at("2021-02-01T00:00:00Z"), at("2022-02-01T00:00:00Z"), "2021-04 2021-07 2021-10 2022-01", "month, UTC"},
		{at("1990-01-01T00:00:00Z"), at("2030-01-01T00:00:00Z"), "1990 1998 2006 2014 2022 2030", "year, UTC"},
	} {
		ticks, axis := timeTicks(c.start, c.end, 6)
		var labels []string
		for _, tick := range ticks {
			labels = append(labels, tick.Label)
		}
		separator := " "
		if strings.Contains(c.labels, "|") {
			separator = " | "
		}
		if got := strings.Join(labels, separator); got != c.labels || axis != c.axis {
			t.Errorf("from %d to %d: %q (%s), want %q (%s)", c.start, c.end, got, axis, c.labels, c.axis)
		}
	}
}
