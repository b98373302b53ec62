// Command replay measures `limitgauge replay` from end to end on one core: it
// reads a log, decides its requests with four algorithms and the reference, and
// writes the results. It generates the logs in two sizes, because memory must
// not depend on the size. The logs and the program's spool files are in the
// folder for temporary files, which needs space for one and a half logs.
//
//	cd bench && go run ./replay
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/limitgauge/limitgauge/bench/process"
)

func main() {
	sizes := flag.String("sizes", "250MB,1GB", "the `SIZES` of the logs")
	rounds := flag.Int("rounds", 5, "how often each is measured; the table shows medians")
	only := flag.String("only", "", "measure only the logs whose name contains this `WORD`")
	flag.Parse()
	process.Measure(func(ctx context.Context, dir string) error {
		return bench(ctx, dir, strings.Split(*sizes, ","), *rounds, *only)
	}, "../cmd/limitgauge", "./daylog")
}

// logs lists the logs that daylog generates.
var logs = []struct {
	name string
	args []string
}{
	{"combined", nil},
	{"combined, up to 3 s out of order", []string{"-late", "3s"}},
	{"combined, up to a day out of order", []string{"-late", "24h"}},
	{"JSON lines", []string{"-format", "json"}},
	{"CSV", []string{"-format", "csv"}},
}

func bench(ctx context.Context, dir string, sizes []string, rounds int, only string) error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "log\tsize\tMB/s\tpeak MB\t\n")
	for _, l := range logs {
		if !strings.Contains(l.name, only) {
			continue
		}
		for _, size := range sizes {
			took, peak, err := measure(ctx, dir, append([]string{"-size", size}, l.args...), rounds)
			if err != nil {
				return fmt.Errorf("%s: %w", l.name, err)
			}
			fmt.Fprintf(table, "%s\t%s\t%.0f\t%.0f\t\n", l.name, size, took, peak)
		}
	}
	return table.Flush()
}

// measure generates a log and replays it. It returns the speed in MB/s of wall
// time and the largest resident set in MB.
func measure(ctx context.Context, dir string, log []string, rounds int) (speed, peak float64, err error) {
	name := filepath.Join(dir, "log")
	size, err := write(ctx, name, filepath.Join(dir, "daylog"), log)
	if err != nil {
		return 0, 0, err
	}
	var times []time.Duration
	for range rounds {
		used, err := process.Run(ctx, filepath.Join(dir, "limitgauge"), "replay", name,
			"--limit", "30/min", "--no-plots", "-q", "-o", filepath.Join(dir, "results.json"))
		if err != nil {
			return 0, 0, err
		}
		times, peak = append(times, used.Wall), max(peak, used.PeakMB)
	}
	slices.Sort(times)
	return float64(size) / 1e6 / times[len(times)/2].Seconds(), peak, nil
}

// write runs a program with its output in a file and returns the number of
// bytes.
func write(ctx context.Context, name, program string, args []string) (size int64, err error) {
	f, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	c := exec.CommandContext(ctx, program, args...)
	c.Stdout, c.Stderr = f, os.Stderr
	if err := c.Run(); err != nil {
		return 0, err
	}
	return f.Seek(0, io.SeekCurrent)
}
