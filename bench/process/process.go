// Package process runs the programs that bench measures as whole processes, on
// one core.
package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Build builds commands of limitgauge's module into a folder.
func Build(ctx context.Context, dir string, packages ...string) error {
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
