package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/live/database/calibrate"
)

func (a *app) calibrateCommand() *cobra.Command {
	return commandOf("calibrate", "measure a real system and print the options that simulate it", a.calibrateSQLCommand())
}

func (a *app) calibrateSQLCommand() *cobra.Command {
	var server databaseFlags
	var processors int
	o := calibrate.Options{}
	c := &cobra.Command{
		Use:   "sql --target DSN",
		Short: "measure a PostgreSQL server for the enforcement sql",
		Long: `Measure a PostgreSQL server and print the options of the enforcement sql that
simulate it, as YAML: the times of a statement, of a commit and of an abort with
callers that do not meet, fitted to how callers of one row are served.

It takes about a minute and loads the server fully. It works in a schema of its
own, which it removes, also after an interrupt; it reads and changes nothing else.
Other work on the machine changes the result.

The server must be on this machine unless --allow-remote is set. Keep its password
in PGPASSWORD or in a password file.`,
		Args: usage.Arguments(0, 0),
	}
	server.add(c)
	c.Flags().IntVar(&processors, "processors", 0, "`NUMBER` of processors that the server has (default: those of this machine)")
	c.Flags().IntVar(&o.Rounds, "rounds", 5, "`NUMBER` of measurements of each figure, of which the median counts")
	c.Flags().DurationVar(&o.Each, "each", 200*time.Millisecond, "`TIME` of a measurement; those of callers that meet take twice as long")
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch {
		case o.Rounds < 1 || o.Rounds > 1000:
			return usage.Errorf("--rounds %d: want 1 to 1000", o.Rounds)
		case o.Each < 10*time.Millisecond || o.Each > time.Minute:
			return usage.Errorf("--each %s: want 10ms to 1m", o.Each)
		}
		s, err := server.server()
		if err != nil {
			return err
		}
		if o.Processors, err = processorsOf(s, processors); err != nil {
			return err
		}
		o.Progress = func(step string) { fmt.Fprintln(a.Err, step) }
		r, err := calibrate.Run(c.Context(), s, o)
		if err != nil {
			return err
		}
		for _, warning := range r.Warnings() {
			fmt.Fprintf(a.Err, "limitgauge: warning: %s\n", warning)
		}
		return r.WriteYAML(a.Out)
	}
	return c
}
