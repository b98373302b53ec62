package logs

import (
	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// settle decides on the sample how the times of the current file are written,
// before rows are added.
func (b *builder) settle(in *formats.Input) error {
	c := &b.timer.Clock
	var sample times.Seen
	first := int64(0)
	in.EachStamp(func(l *formats.Layout, stamp []byte, line int64) {
		c.State(l.Notation)
		c.Take(l.Zone)
		if sample.Name == "" && l.Stamp >= 0 {
			sample.Name = l.Names[l.Stamp]
		}
		if sample.Add(stamp) && first == 0 {
			first = line
		}
	})
	if why := c.Settle(&sample); why != "" {
		return &text.Error{Reason: text.BadInput, File: in.File, Line: first, Message: why}
	}
	return nil
}
