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

// Measure builds the commands in folders, each by the module that it is in, into a
// temporary folder and calls bench with it. It ends this program if that fails. An
// interrupt ends bench.
func Measure(bench func(ctx context.Context, dir string) error, folders ...string) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "limitgauge-bench")
	if err == nil {
		if err = build(ctx, dir, folders); err == nil {
			err = bench(ctx, dir)
		}
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func build(ctx context.Context, dir string, folders []string) error {
	for _, folder := range folders {
		build := exec.CommandContext(ctx, "go", "build", "-o", dir, ".")
		build.Dir = folder
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("go build in %s: %w: %s", folder, err, out)
		}
	}
	return nil
}

// Run runs a program. It returns the wall time and the largest resident set in
// MB.
func Run(ctx context.Context, program string, args ...string) (took time.Duration, peak float64, err error) {
	c := exec.CommandContext(ctx, program, args...)
	c.Env = append(os.Environ(), "GOMAXPROCS=1")
	start := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		return 0, 0, fmt.Errorf("%w: %s", err, out)
	}
	return time.Since(start), peakMB(c.ProcessState), nil
}
