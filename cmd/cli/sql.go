package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/live/database/check"
	"github.com/limitgauge/limitgauge/live/database/functions"
)

func (a *app) sqlCommand() *cobra.Command {
	return commandOf("sql", "print or check the token bucket in a row of a SQL table", a.sqlPrintCommand(), a.sqlCheckCommand())
}

// commandOf returns a command that holds others and does nothing itself.
func commandOf(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: usage.OnlyCommands, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(commands...)
	return c
}

// functionFlags select a function.
type functionFlags struct{ variant, ties string }

// all stands for every value of a flag.
const all = "all"

func (f *functionFlags) add(c *cobra.Command, variant, ties string) {
	c.Long += "\n\nThe functions:\n"
	for _, v := range functions.Variants() {
		c.Long += fmt.Sprintf("\n  %-11s %s", v.Name, v.About)
	}
	c.Flags().StringVar(&f.variant, "variant", variant, "`NAME` of the function")
	c.Flags().StringVar(&f.ties, "ties", ties, "`RULE` by which halves of a token round: away (from zero) or even (as before PostgreSQL 14)")
	c.RegisterFlagCompletionFunc("variant", fixed(functions.Names()))
	c.RegisterFlagCompletionFunc("ties", fixed(tieRules))
}

var tieRules = []string{"away", "even"}

// installs returns the functions that the flags select.
func (f *functionFlags) installs() (selected []functions.Install, err error) {
	expand := func(flag, value string, words []string) []string {
		if value == all {
			return words
		}
		if problem := usage.Choice(flag, value, words); problem != nil && err == nil {
			err = problem
		}
		return []string{value}
	}
	for _, name := range expand("variant", f.variant, functions.Names()) {
		rules := tieRules
		if f.ties == all && name == "exact" {
			rules = rules[:1] // it rounds nothing
		}
		for _, rule := range expand("ties", f.ties, rules) {
			selected = append(selected, functions.Install{Variant: name, TiesToEven: rule == "even"})
		}
	}
	return selected, err
}

func (a *app) sqlPrintCommand() *cobra.Command {
	var f functionFlags
	c := &cobra.Command{
		Use:   "print",
		Short: "print the script that installs a function",
		Long: `Print writes the SQL script that creates a table rate_limits and a function
take_token(key, refill per second, window in seconds) in PostgreSQL. A reply of 0
or more admits the call.`,
		Args: usage.Arguments(0, 0),
	}
	f.add(c, "published", "away")
	c.RunE = func(*cobra.Command, []string) error {
		selected, err := f.installs()
		if err != nil {
			return err
		}
		if len(selected) != 1 {
			return usage.Errorf("prints one script: give one variant and one rule of ties")
		}
		script, err := selected[0].Script()
		if err != nil {
			return err
		}
		_, err = io.WriteString(a.Out, script)
		return err
	}
	return c
}

func (a *app) sqlCheckCommand() *cobra.Command {
	var f functionFlags
	var server databaseFlags
	c := &cobra.Command{
		Use:   "check --target DSN",
		Short: "compare the functions on a server with the simulated counter",
		Long: `Check installs the functions in a schema of its own on a PostgreSQL server, calls
them with a clock that it sets, compares every reply with the simulated counter,
and removes the schema. It reads and changes nothing else. If a reply differs, it
prints the first such call and exits with 3.

The server must be on this machine unless --allow-remote is set. Keep its password
in PGPASSWORD or in a password file.`,
		Args: usage.Arguments(0, 0),
	}
	server.add(c)
	f.add(c, all, all)
	c.RunE = func(c *cobra.Command, _ []string) error {
		selected, err := f.installs()
		if err != nil {
			return err
		}
		return a.checkFunctions(c.Context(), &server, selected)
	}
	return c
}

func (a *app) checkFunctions(ctx context.Context, flags *databaseFlags, selected []functions.Install) error {
	server, err := flags.server()
	if err != nil {
		return err
	}
	differs := false
	for _, i := range selected {
		name := describeInstall(i)
		o, err := check.Check(ctx, server, i)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		case o.Difference != "":
			differs = true
			fmt.Fprintf(a.Out, "%s: differs after %s: %s\n", name, format.Count(o.Calls, "equal call"), o.Difference)
		default:
			fmt.Fprintf(a.Out, "%s: %s\n", name, format.Count(o.Calls, "equal call"))
		}
	}
	if differs {
		return usage.Code(usage.ExitGateFailed)
	}
	return nil
}

// describeInstall names a function with its flags.
func describeInstall(i functions.Install) string {
	ties := "away"
	if i.TiesToEven {
		ties = "even"
	}
	return fmt.Sprintf("%s, ties %s", i.Variant, ties)
}
