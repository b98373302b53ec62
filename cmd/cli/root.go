// Package cli is the command line of limitgauge.
//
// The package makes no promise: it can change at any time.
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

func init() { cobra.EnableCommandSorting = false } // help lists the most used first

// Commands returns the program as a tree of commands and help topics.
func Commands(h terminal.Host) *cobra.Command {
	root := (&app{&h}).commands()
	describe.WriteTopics(root.Commands())
	return root
}

func (a *app) commands() *cobra.Command {
	version := false
	root := &cobra.Command{
		Use:   "limitgauge",
		Short: "measure how accurate rate limiters are",
		Long: `limitgauge simulates traffic against rate limiters in discrete time and measures
how far the admitted traffic exceeds or falls below the limit, at what latency,
how fairly, and with what load on the limiter's servers.

  limitgauge init                                 write a scenario file to start from
  limitgauge run scenarios.yaml                   compare limiters on scenarios
  limitgauge replay access.log --limit 100/min    compare them on your own log
  limitgauge size access.log                      find the limit that its clients need
  limitgauge live scenarios.yaml --target http    see if a running service keeps its limit
  limitgauge explore scenarios.yaml               turn settings into knobs, on a page
  limitgauge gate scenarios.yaml                  check thresholds in CI
  limitgauge explain batch-reported               explain an algorithm, metric or fault

` + usage.ExitCodes,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          usage.OnlyCommands,
		RunE: func(c *cobra.Command, _ []string) error {
			if version {
				return a.printVersion()
			}
			return c.Help()
		},
	}
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(usage.FlagError)
	groups := []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Which limiter is more accurate?", []*cobra.Command{a.initCommand(), a.validateCommand(), a.runCommand(), a.exploreCommand()}},
		{"Which limit do my logs need?", []*cobra.Command{a.replayCommand(), a.sizeCommand(), a.formatsCommand()}},
		{"What do my limits really do?", []*cobra.Command{a.checkCommand()}},
		{"Which settings?", []*cobra.Command{a.sweepCommand(), a.mergeCommand(), a.tuneCommand(), workers.Command(a.Host)}},
		{"Is my own limiter correct, and how bad can it be?", []*cobra.Command{a.conformanceCommand(), a.stepCommand(), a.attackCommand()}},
		{"Does my running service keep its limit?", []*cobra.Command{a.liveCommand(), a.calibrateCommand(), a.sqlCommand()}},
		{"What changed, and does it still hold?", []*cobra.Command{a.gateCommand(), a.compareCommand(), a.reportCommand()}},
		{"What does a word mean?", []*cobra.Command{a.listCommand(), a.explainCommand(), a.schemaCommand(), a.completionCommand(), a.versionCommand()}},
	}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	help := helpCommand()
	help.GroupID = groups[len(groups)-1].title
	root.SetHelpCommand(help)
	root.AddCommand(describe.Topics()...)
	a.completeFlags(root)
	usage.RefuseEmpty(root)
	usage.Help(root, func() int { return a.Width(a.Out) })
	return root
}
