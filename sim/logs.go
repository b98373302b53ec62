package sim

import (
	"context"
	"io"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/trace"
)

// logReader reads the logs that traffic entries name.
type logReader struct {
	dir      string
	stdin    io.Reader
	progress func(done, total int64)
}

func (l *logReader) read(ctx context.Context, t *scenarios.Traffic) (*trace.Recording, error) {
	o, err := trace.OptionsFrom(t.Options, l.dir)
	if err != nil {
		return nil, err
	}
	o.Stdin = l.stdin
	o.Progress = l.progress
	return trace.Read(ctx, o)
}
