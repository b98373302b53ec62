// Package cli is the command line of limitgauge.
package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/cmd/cli/workers"
)

// Host and Own are those of terminal, for programs that run the command line.
type (
	Host = terminal.Host
	Own  = terminal.Own
)

// app gives commands access to the host.
type app struct{ *terminal.Host }

// Run executes the program with the given arguments and returns its exit code.
// Cancelling ctx interrupts it.
func Run(ctx context.Context, args []string, h terminal.Host) int {
	written := h.Guard(ctx)
	root := (&app{&h}).commands()
	root.SetArgs(args)
	root.SetIn(h.In)
	root.SetOut(h.Out)
	root.SetErr(h.Err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = written()
	}
	return usage.Explain(h.Err, err)
}

// Commands returns the program as a tree of commands and help topics.
func Commands(h terminal.Host) *cobra.Command { return (&app{&h}).commands() }

func (a *app) commands() *cobra.Command {
	root := &cobra.Command{
		Use:   "limitgauge",
		Short: "measure how accurate rate limiters are",
		Long: `limitgauge simulates traffic against rate limiters in discrete time and measures
how far the admitted traffic exceeds or falls below the limit, at what latency,
how fairly, and with what load on the limiter's servers.

  limitgauge init                                 write a scenario file to start from
  limitgauge run scenarios.yaml                   compare limiters on scenarios
  limitgauge replay access.log --limit 100/min    compare them on your own log
  limitgauge explore scenarios.yaml               turn its settings into knobs, on a page
  limitgauge sweep scenarios.yaml                 run every combination of some settings
  limitgauge gate scenarios.yaml                  check thresholds in CI
  limitgauge explain batch-reported               explain an algorithm, metric or fault

` + usage.ExitCodes,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage.UnknownCommand(c, args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(usage.FlagError)
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
	add("run", a.runCommand(), a.sweepCommand(), a.replayCommand(), a.sizeCommand(), a.stepCommand(), usage.Renamed("drive", "step"), a.conformanceCommand(), a.initCommand(), a.validateCommand(), a.calibrateCommand(), a.sqlCommand(), a.liveCommand(), a.attackCommand(), a.tuneCommand(), a.exploreCommand(), workers.Command(a.Host))
	add("read", a.reportCommand(), a.mergeCommand(), a.compareCommand(), a.gateCommand())
	add("know", a.listCommand(), a.explainCommand(), a.formatsCommand(), a.schemaCommand(), a.completionCommand(), a.versionCommand())
	root.SetHelpCommandGroupID("know")
	help := helpCommand()
	help.GroupID = "know"
	root.SetHelpCommand(help)
	root.AddCommand(describe.Topics()...)
	a.completeFlags(root)
	usage.RefuseEmpty(root)
	return root
}
