// Package process runs the programs that bench measures as whole processes, on
// one core.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"time"
)

// Measure builds the commands in folders into a temporary folder and calls bench with it.
// It ends this program if that fails. An interrupt ends bench.
func Measure(bench func(ctx context.Context, dir string) error, folders ...string) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "limitgauge-bench")
	if err == nil {
		if err = Build(ctx, dir, folders...); err == nil {
			err = bench(ctx, dir)
		}
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// Build builds the commands in folders, each by the module that it is in, into dir, which
// it makes if it is not there.
func Build(ctx context.Context, dir string, folders ...string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, folder := range folders {
		build := exec.CommandContext(ctx, "go", "build", "-o", dir, ".")
		build.Dir = folder
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("go build in %s: %w: %s", folder, err, out)
		}
	}
	return nil
}

// Used is what a run of a program took.
type Used struct {
	Wall, Processor time.Duration
	PeakMB          float64 // the largest resident set; NaN if the system does not say
}

// Run runs a program on one core.
func Run(ctx context.Context, program string, args ...string) (Used, error) {
	c := exec.CommandContext(ctx, program, args...)
	c.Env = append(os.Environ(), "GOMAXPROCS=1")
	start := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		return Used{}, fmt.Errorf("%w: %s", err, out)
	}
	p := c.ProcessState
	return Used{time.Since(start), p.UserTime() + p.SystemTime(), peakMB(p)}, nil
}
