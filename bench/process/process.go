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

// Measure builds commands of limitgauge's module into a temporary folder and
// calls bench with it. It ends this program if that fails. An interrupt ends
// bench.
func Measure(bench func(ctx context.Context, dir string) error, packages ...string) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "limitgauge-bench")
	if err == nil {
		if err = build(ctx, dir, packages); err == nil {
			err = bench(ctx, dir)
		}
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func build(ctx context.Context, dir string, packages []string) error {
	build := exec.CommandContext(ctx, "go", append([]string{"build", "-o", dir}, packages...)...)
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
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
