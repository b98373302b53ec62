package sim

import (
	"context"
	"io"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/trace"
)

// logReader reads the logs that traffic entries name.
type logReader struct {
	dir      string
	stdin    io.Reader // nil once it was read
	progress func(done, total int64)
}

func (l *logReader) read(ctx context.Context, t *scenarios.Traffic) (*trace.Recording, error) {
	o, err := trace.OptionsFrom(t.Options, l.dir)
	if err != nil {
		return nil, err
	}
	for i := range t.Descriptors {
		if field := t.Descriptors[i].LogField(); field != "" {
			o.Fields = append(o.Fields, field)
		}
	}
	if slices.Contains(o.Files, "-") {
		if l.stdin == nil {
			return nil, &trace.Error{Reason: trace.BadOptions, Message: "standard input can be read only once, and it was"}
		}
		o.Stdin, l.stdin = l.stdin, nil
	}
	o.Progress = l.progress
	return trace.Read(ctx, o)
}
