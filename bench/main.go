// Command bench compares limitgauge with bare loops of the same arithmetic,
// with event queues and simulators, and with limiter libraries. One run
// measures all of them and prints one table with ratios. Absolute times depend
// on the machine and on its other load, so compare the ratios of one run. The
// last column is the number of busy cores: goroutines that share a limiter have
// run at the same time only if it is above 1.
//
//	cd bench && go run .
//
// With -check it measures only the contestants that a file lists. It fails if
// one of them takes much longer than the file states, in multiples of the bare
// Poisson loop.
//
//	cd bench && go run . -check ratios.txt
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
)

// group is a set of contestants that are measured in turn and compared. Ratios
// are relative to the first one.
type group struct {
	name        string
	what        string // the workload
	unit        string // what one operation is
	contestants []contestant
}

// contestant runs the workload once and returns the number of operations.
type contestant struct {
	name string
	run  func(ctx context.Context) (operations int, err error)
	skip string // why it cannot run here; "" if it can
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == limiterFlag {
		if err := serveAsLimiter(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "limiter:", err)
			os.Exit(1)
		}
		return
	}
	rounds := flag.Int("rounds", 5, "how often each is measured; the table shows medians")
	only := flag.String("only", "", "run only the groups whose name contains this `WORD`")
	ratios := flag.String("check", "", "measure what this `FILE` names, and fail where it became slow")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx, os.Stdout, *rounds, *only, *ratios); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, w io.Writer, rounds int, only, ratios string) error {
	if rounds < 1 {
		return fmt.Errorf("%d rounds: want at least 1", rounds)
	}
	if ratios != "" {
		text, err := os.ReadFile(ratios)
		if err != nil {
			return err
		}
		return check(ctx, w, groups(&foreign{}), string(text), rounds)
	}
	foreign, err := newForeign()
	if err != nil {
		return err
	}
	defer foreign.close()
	return compare(ctx, w, groups(foreign), rounds, only)
}

func groups(f *foreign) []group {
	return slices.Concat(simulations(f), keyed(), scaling(), limiters(), programs(f))
}

// compare measures the groups and prints each one as soon as it is measured.
func compare(ctx context.Context, w io.Writer, groups []group, rounds int, only string) error {
	groups = slices.DeleteFunc(groups, func(g group) bool { return !strings.Contains(g.name, only) })
	if len(groups) == 0 {
		return fmt.Errorf("no group's name contains %q", only)
	}
	width := 0
	for _, g := range groups {
		for _, c := range g.contestants {
			width = max(width, len(c.name))
		}
	}
	fmt.Fprintf(w, "%-*s  %10s  %10s  %12s  %5s\n", width, "", "ns", "million/s", "of the first", "cores")
	for _, g := range groups {
		times, err := inTurn(ctx, g.contestants, rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		fmt.Fprintf(w, "\n%s: %s; per %s\n", g.name, g.what, g.unit)
		for i, c := range g.contestants {
			if c.skip != "" {
				fmt.Fprintf(w, "%-*s  %s\n", width, c.name, c.skip)
				continue
			}
			ns := median(times[i].wall)
			fmt.Fprintf(w, "%-*s  %10.1f  %10.1f  %12.2f  %5.1f\n", width, c.name, ns, 1e3/ns, ns/median(times[0].wall), median(times[i].cpu)/ns)
		}
	}
	return nil
}
