// Command bench compares limitgauge with bare loops of the same arithmetic,
// with event queues and simulators, and with limiter libraries. One run
// measures all of them and prints one table with ratios. Absolute times depend
// on the machine and on its other load, so compare the ratios of one run. The
// last column is the number of busy cores: goroutines that share a limiter have
// run at the same time only if it is above 1.
//
//	cd bench && go run .
//
// With -check it measures only limitgauge's own simulations and compares each with
// its committed figure in ratios.txt, in multiples of the central workload. It
// fails if one of them takes much longer. -update writes the file.
//
//	cd bench && go run . -check
//
// With -against it builds limitgauge as it is and as it was at a revision of git,
// runs each simulation by both in turn, and prints the ratios of the pairs. It fails
// if a simulation has become 5 % slower beyond chance.
//
//	cd bench && go run . -against HEAD~1
package main

import (
	"context"
	"errors"
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
	name     string
	run      func(ctx context.Context) (operations int, err error)
	scenario string // what run simulates; "" if it is no simulation of limitgauge's alone
	skip     string // why it cannot run here; "" if it can
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == limiterFlag {
		if err := serveAsLimiter(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "limiter:", err)
			os.Exit(1)
		}
		return
	}
	var o options
	flag.IntVar(&o.rounds, "rounds", 5, "how often each is measured; the table shows medians. -against takes at least 11")
	flag.StringVar(&o.only, "only", "", "run only the groups whose name contains this `WORD`")
	flag.BoolVar(&o.check, "check", false, "compare each simulation with ratios.txt")
	flag.BoolVar(&o.update, "update", false, "with -check: write ratios.txt")
	flag.StringVar(&o.against, "against", "", "run each simulation in turn with the program of this `REVISION`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx, os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	rounds        int
	only          string
	check, update bool
	against       string
}

func bench(ctx context.Context, w io.Writer, o options) error {
	switch {
	case o.rounds < 1:
		return fmt.Errorf("%d rounds: want at least 1", o.rounds)
	case o.check && o.against != "" || o.update && !o.check:
		return errors.New("want one of -check, -check -update and -against")
	case o.check:
		return check(ctx, w, simulated(groups(&foreign{}), o.only), o)
	case o.against != "":
		return against(ctx, w, simulated(groups(&foreign{}), o.only), o)
	}
	foreign, err := newForeign()
	if err != nil {
		return err
	}
	defer foreign.close()
	return compare(ctx, w, groups(foreign), o.rounds, o.only)
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
