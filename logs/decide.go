package logs

import (
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// settle decides on the sample how the times of the current file are written,
// before rows are added.
func (b *builder) settle(in *input) error {
	c := &b.timer.clock
	var sample times.Seen
	first := int64(0)
	in.eachStamp(func(l *layout, stamp []byte, line int64) {
		c.State(l.notation)
		c.Take(l.zone)
		if sample.Name == "" && l.stamp >= 0 {
			sample.Name = l.names[l.stamp]
		}
		if sample.Add(stamp) && first == 0 {
			first = line
		}
	})
	if why := c.Settle(&sample); why != "" {
		return &text.Error{Reason: text.BadInput, File: in.file, Line: first, Message: why}
	}
	return nil
}
