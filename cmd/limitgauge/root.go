package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// stdio is where a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// app is what every command needs of the world outside.
type app struct {
	stdio
	lookup func(string) (string, bool) // of the environment
}

// terminal reports whether w is a terminal that can redraw lines.
func (a *app) terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false
	}
	kind, _ := a.lookup("TERM")
	return kind != "dumb"
}

// run is the whole program: arguments in, exit code out.
func run(ctx context.Context, args []string, io stdio, lookup func(string) (string, bool)) int {
	a := &app{stdio: io, lookup: lookup}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	return explainError(io.err, root.ExecuteContext(ctx))
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "limitgauge",
		Short: "measure how true rate limiters are",
		Long: `limitgauge simulates traffic against rate limiters in discrete time and measures
how far over and under the limit they let a fleet go, at what latency, how
fairly, and at what load on their own servers.

  limitgauge run scenarios.yaml                        compare limiters on scenarios
  limitgauge replay access.log --limit 100/min         compare them on your own log
  limitgauge gate results.json                         hold thresholds in CI

` + exitCodes,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddGroup(
		&cobra.Group{ID: "run", Title: "Run:"},
		&cobra.Group{ID: "read", Title: "Read results:"},
		&cobra.Group{ID: "know", Title: "Look things up:"},
	)
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			if c.Args != nil {
				c.Args = usageArgs(c.Args)
			}
			root.AddCommand(c)
		}
	}
	add("run", a.runCommand(), a.replayCommand(), a.driveCommand(), a.initCommand(), a.validateCommand())
	add("read", a.reportCommand(), a.compareCommand(), a.gateCommand())
	add("know", a.listCommand(), a.explainCommand(), a.schemaCommand(), a.versionCommand())
	root.SetHelpCommandGroupID("know")
	root.SetCompletionCommandGroupID("know")
	root.Args = usageArgs(func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		hint := ""
		if s := c.SuggestionsFor(args[0]); len(s) > 0 {
			hint = fmt.Sprintf(" (did you mean %q?)", s[0])
		}
		return fmt.Errorf("unknown command %q%s; see limitgauge --help", args[0], hint)
	})
	return root
}

// usageArgs makes wrong arguments a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}
