package logs

import "github.com/limitgauge/limitgauge/logs/text"

// settle decides on the sample how the times of the current file are written,
// before rows are added.
func (b *builder) settle(in *input) error {
	c := &b.timer.clock
	var sample seen
	first := int64(0)
	in.eachStamp(func(l *layout, stamp []byte, line int64) {
		c.state(l.notation)
		c.take(l.zone)
		if sample.name == "" && l.stamp >= 0 {
			sample.name = l.names[l.stamp]
		}
		if sample.add(stamp) && first == 0 {
			first = line
		}
	})
	if why := c.settle(&sample); why != "" {
		return &text.Error{Reason: text.BadInput, File: in.file, Line: first, Message: why}
	}
	return nil
}
