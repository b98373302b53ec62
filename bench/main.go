// Command bench compares limitgauge with bare loops of the same arithmetic,
// with event queues and simulators, and with limiter libraries, all in one run,
// and prints one table with ratios. Absolute times wander with the machine and
// what else it does; the ratios of one run are what counts.
//
//	cd bench && go run .
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"text/tabwriter"
)

// group is what is measured in turn and compared: the first contestant is the
// one that ratios are against.
type group struct {
	name        string
	what        string // the workload
	unit        string // what one operation is
	contestants []contestant
}

// contestant does the workload once and returns how many operations that were.
type contestant struct {
	name string
	run  func(ctx context.Context) (operations int, err error)
	skip string // why it cannot run here; "" when it can
}

func main() {
	rounds := flag.Int("rounds", 5, "how often each is measured; the table shows medians")
	only := flag.String("only", "", "run only the groups whose name contains this `WORD`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := compare(ctx, *rounds, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func compare(ctx context.Context, rounds int, only string) error {
	foreign, err := newForeign()
	if err != nil {
		return err
	}
	defer foreign.close()
	for _, g := range groups(foreign) {
		if !strings.Contains(g.name, only) {
			continue
		}
		times, err := inTurn(ctx, g, rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		if err := print(g, times); err != nil {
			return err
		}
	}
	return nil
}

func groups(f *foreign) []group {
	return append(append(simulations(f), scaling()...), limiters()...)
}

func print(g group, times []timing) error {
	fmt.Printf("%s: %s\n", g.name, g.what)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\tns/%s\tmillion/s\tof the first\t\n", g.unit)
	for i, c := range g.contestants {
		if c.skip != "" {
			fmt.Fprintf(w, "%s\t-\t-\t%s\t\n", c.name, c.skip)
			continue
		}
		t := times[i].median
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%.2f\t\n", c.name, t, 1e3/t, t/times[0].median)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Println()
	return err
}
