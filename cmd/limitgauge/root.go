package main

import (
	"context"

	"github.com/spf13/cobra"
)

// app is what every command needs of the world outside.
type app struct {
	stdio
	lookup func(string) (string, bool) // of the environment
}

// run is the whole program: arguments in, exit code out. The end of ctx
// interrupts it.
func run(ctx context.Context, args []string, io stdio, lookup func(string) (string, bool)) int {
	out := &checkedWriter{w: io.out}
	io.in, io.out = newInterruptible(ctx, io.in), out
	a := &app{stdio: io, lookup: lookup}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = out.err
	}
	return explainError(io.err, err)
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "limitgauge",
		Short: "measure how true rate limiters are",
		Long: `limitgauge simulates traffic against rate limiters in discrete time and measures
how far over and under the limit they let a fleet go, at what latency, how
fairly, and at what load on their own servers.

  limitgauge init                                 write a scenario file to start from
  limitgauge run scenarios.yaml                   compare limiters on scenarios
  limitgauge replay access.log --limit 100/min    compare them on your own log
  limitgauge gate scenarios.yaml                  hold thresholds in CI
  limitgauge explain batch-reported               look something up

` + exitCodes,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(c, args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(
		&cobra.Group{ID: "run", Title: "Run:"},
		&cobra.Group{ID: "read", Title: "Read results:"},
		&cobra.Group{ID: "know", Title: "Look things up:"},
	)
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add("run", a.runCommand(), a.replayCommand(), a.stepCommand(), a.driveCommand(), a.initCommand(), a.validateCommand())
	add("read", a.reportCommand(), a.compareCommand(), a.gateCommand())
	add("know", a.listCommand(), a.explainCommand(), a.schemaCommand(), a.completionCommand(), a.versionCommand())
	root.SetHelpCommandGroupID("know")
	help := helpCommand()
	help.GroupID = "know"
	root.SetHelpCommand(help)
	root.AddCommand(topics()...)
	a.completeFlags(root)
	return root
}
