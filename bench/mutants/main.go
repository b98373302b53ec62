// Command mutants says which small mistakes in the product's code the tests
// notice. It draws random mutants, each of them one edit of one file such as <
// for <=, and runs the tests of the mutant's package. If these pass, it runs
// the tests of the package's nearest users. A mutant is killed if a test fails.
//
//	cd bench && go run ./mutants -seed 1
//
// The same seed draws the same mutants of the same code. The files themselves
// stay as they are: the compiler reads the edited text from elsewhere. The
// command fails if the share of killed mutants is below -least. Mutants that
// equivalent.txt lists behave like the product in all that a caller can see;
// they are printed, and are no part of the share.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

//go:embed equivalent.txt
var listed string

// options are the flags.
type options struct {
	module   string // the folder of the module under test
	packages string // patterns of go list, separated by spaces
	tags     string // build tags
	seed     uint64
	count    int
	only     string // run all mutants that contain this; "" draws
	parallel int
	least    float64 // the smallest share of killed mutants, in percent
}

func main() {
	var o options
	flag.StringVar(&o.module, "dir", "..", "the `FOLDER` of the module under test")
	flag.StringVar(&o.packages, "packages", "./...", "mutate the packages of these `PATTERNS`, separated by spaces")
	flag.StringVar(&o.tags, "tags", "network", "build with these `TAGS`")
	flag.Uint64Var(&o.seed, "seed", 1, "selects the mutants")
	flag.IntVar(&o.count, "count", 125, "the number of mutants; each package has at least one")
	flag.StringVar(&o.only, "only", "", "run all mutants whose line of output contains this `TEXT`, instead of random ones")
	flag.IntVar(&o.parallel, "parallel", 2, "the number of mutants that run at the same time")
	flag.Float64Var(&o.least, "least", 75, "fail if less than this `PERCENTAGE` is killed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := mutants(ctx, os.Stdout, os.Stderr, o, listed); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// mutants draws mutants, runs them and prints what became of them. Progress
// goes to errs. It fails if too few were killed, if the tests fail without any
// mutant, and if an equivalent mutant is listed that no longer exists.
func mutants(ctx context.Context, w, errs io.Writer, o options, listed string) error {
	dir, err := filepath.Abs(o.module)
	if err != nil {
		return err
	}
	known, err := parseEquivalent(listed)
	if err != nil {
		return err
	}
	packages, err := product(ctx, dir, o.packages, o.tags)
	if err != nil {
		return err
	}
	if err := known.exist(dir, packages); err != nil {
		return err
	}
	jobs := draw(packages, o)
	results, err := run(ctx, errs, dir, o, known, jobs)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errors.Join(err, report(w, results, o.least))
}
