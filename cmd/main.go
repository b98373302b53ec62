// Package cmd makes limitgauge commands that have limiters of one's own, see [Main].
// It is apart from package gauge, whose tests then need no library of the commands.
package cmd

import (
	"fmt"
	"os"

	"github.com/limitgauge/limitgauge/cmd/cli"
	"github.com/limitgauge/limitgauge/gauge"
	"github.com/limitgauge/limitgauge/sim/outside"
)

// Main runs a limitgauge command that has rows beside the built-in limiters, with the
// arguments of the process, and exits. Scenario files and flags name the rows as they
// name built-in limiters.
//
//	func main() {
//		cmd.Main(gauge.Use("mine", func(p gauge.Policy) gauge.Limiter { return mine.New(p.Rate(), p.Burst) }))
//	}
//
// Its limiters must take their time from the argument now. Limiters that read the
// clock, and Waiters, need a bubble, which exists in tests only: a run with them ends
// with an error that says so.
func Main(rows ...gauge.Row) {
	var own cli.Own
	var err error
	if own.Make, own.Presets, err = outside.OfRows(rows); err != nil {
		fmt.Fprintf(os.Stderr, "limitgauge: %v\n", err)
		os.Exit(1)
	}
	os.Exit(cli.Process("", own))
}
