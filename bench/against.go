package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/bench/process"
)

// leastPairs are enough for an interval of 98.8 % for the median.
const leastPairs = 11

// slower is the ratio that a row must not be above beyond chance.
const slower = 1.05

// against runs each row by limitgauge as it is and as it was at a revision, in turn, and
// prints the ratios of their processor times.
func against(ctx context.Context, w io.Writer, rows []row, o options) (err error) {
	dir, err := os.MkdirTemp("", "limitgauge-against")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	then, now := filepath.Join(dir, "then"), filepath.Join(dir, "now")
	if err := buildAt(ctx, o.against, then); err != nil {
		return err
	}
	if err := process.Build(ctx, now, "../cmd/limitgauge"); err != nil {
		return err
	}
	file := filepath.Join(dir, "row.yaml")
	run := func(program string) func(row) (process.Used, error) {
		return func(r row) (process.Used, error) {
			if err := os.WriteFile(file, []byte(r.scenario), 0o600); err != nil {
				return process.Used{}, err
			}
			return process.Run(ctx, filepath.Join(program, "limitgauge"), "run", file, "--no-plots", "-q")
		}
	}
	return pairs(w, rows, max(o.rounds, leastPairs), o.against, run(then), run(now))
}

// buildAt builds limitgauge of a revision into dir.
func buildAt(ctx context.Context, revision, dir string) error {
	source := dir + "-source"
	if err := os.MkdirAll(source, 0o755); err != nil {
		return err
	}
	archive := exec.CommandContext(ctx, "git", "-C", "..", "-c", "safe.directory=*", "archive", "--format=tar", "-o", source+".tar", revision)
	unpack := exec.CommandContext(ctx, "tar", "-xf", source+".tar", "-C", source)
	for _, c := range []*exec.Cmd{archive, unpack} {
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, out)
		}
	}
	return process.Build(ctx, dir, filepath.Join(source, "cmd/limitgauge"))
}

// pairs runs each row by both programs in turn and prints a line for it. The first pair
// warms up and does not count. It fails if a row is slower beyond chance, and
// if the revision runs none of them.
func pairs(w io.Writer, rows []row, count int, revision string, then, now func(row) (process.Used, error)) error {
	fmt.Fprintf(w, "processor time of limitgauge run, one core, medians of %d pairs; then is %s\n", count, revision)
	fmt.Fprintf(w, "%8s  %8s  %7s  %15s  %8s  %8s\n", "then ms", "now ms", "ratio", "interval", "then MB", "now MB")
	var slow []string
	compared := 0
	for _, r := range rows {
		var ratios, before, after, peakBefore, peakAfter []float64
		for pair := range count + 1 {
			a, errThen := then(r)
			b, errNow := now(r)
			if errThen != nil {
				fmt.Fprintf(w, "%s: %s does not run it: %v\n", r, revision, errThen)
				break
			}
			if errNow != nil {
				return fmt.Errorf("%s: %w", r, errNow)
			}
			if pair > 0 {
				ratios = append(ratios, float64(b.Processor)/float64(a.Processor))
				before, after = append(before, milliseconds(a)), append(after, milliseconds(b))
				peakBefore, peakAfter = append(peakBefore, a.PeakMB), append(peakAfter, b.PeakMB)
			}
		}
		if len(ratios) == 0 {
			continue
		}
		compared++
		lo, hi := ofMedian(ratios)
		fmt.Fprintf(w, "%8.0f  %8.0f  %7.3f  [%.3f, %.3f]  %8.0f  %8.0f  %s\n", median(before), median(after), median(ratios), lo, hi, median(peakBefore), median(peakAfter), r)
		if lo > slower {
			slow = append(slow, r.String())
		}
	}
	if compared == 0 {
		return fmt.Errorf("%s runs none of the rows", revision)
	}
	if len(slow) > 0 {
		return fmt.Errorf("more than %.0f %% slower than %s: %s", 100*(slower-1), revision, strings.Join(slow, "; "))
	}
	return nil
}

func milliseconds(u process.Used) float64 { return float64(u.Processor) / float64(time.Millisecond) }

// ofMedian returns the interval between two values of a sample that contains the median
// of its distribution with a probability of at least 95 %: below the lower value are
// so few others that fewer fall on one side of the median by chance in at most 2.5 %
// of samples. It needs 6 values.
func ofMedian(values []float64) (lo, hi float64) {
	n := len(values)
	chance := 1.0 // of k values below the median: binomial(n, k) / 2^n
	for range n {
		chance /= 2
	}
	cut, below := 0, chance
	for k := 0; below+chance*float64(n-k)/float64(k+1) <= 0.025; k++ {
		chance *= float64(n-k) / float64(k+1)
		below += chance
		cut = k + 1
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[cut], sorted[n-1-cut]
}
