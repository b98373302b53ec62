package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

func (a *app) explainCommand() *cobra.Command {
	var s setting
	c := &cobra.Command{
		Use:   "explain NAME",
		Short: "explain an algorithm, pattern, fault, metric, word or anything else that list lists",
		Long: `Explain describes what something is, what it guarantees and which options it has.
For a scenario file that ships with limitgauge it lists the scenarios. For a word
of a publication it names the options and limiters that model it. For an option it
names what has it. NAME is an option, anything that limitgauge list prints, a word of
a table or note (p99 ms, undecided) or a family of metrics (latency), in any case,
with hyphens, underscores or spaces.

With a --limit, or a scenario --in a file, it explains an algorithm with numbers:
the closed forms for this setting, if there are any, and the results of a simulation.
Limitgauge tune finds the changes of its options that keep a promise.
Figures are those of the steady state, after a warm-up of at least three windows; the
over-limit of the first three windows, with full buckets and no history, stands apart.
The start is in all figures of a recorded log and of a scenario of less than six windows.`,
		Example: `  limitgauge explain rejection-rate
  limitgauge explain over_limit_pct
  limitgauge explain server calls/s
  limitgauge explain store-down
  limitgauge explain published
  limitgauge explain rejectTilTimestamp
  limitgauge explain batch-reported --limit 1000/s --rate 3000/s --clients 20
  limitgauge explain batch-debt --limit 100/s --set batch-debt.interval=50ms --network "{exponential: {p99: 20ms}}"
  limitgauge explain batch-reported --in scenarios.yaml --scenario "steady 3x on a fleet"`,
		Args:              usage.Arguments(1, -1),
		ValidArgsFunction: a.completeExplained,
	}
	s.flags(c)
	f := c.Flags()
	f.BoolVar(&s.yes, "yes", false, terminal.YesUsage)
	f.StringVar(&s.file, "in", "", "take policy, topology and traffic from a scenario `FILE` instead")
	f.StringVar(&s.scenario, "scenario", "", "`NAME` of the scenario in that file")
	inputs.SetFlag(c, &s.sets)
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && strings.HasPrefix(unknown.GetSpecifiedName(), "promise") {
			return usage.Errorf("explain takes no promise any more: ask limitgauge tune NAME with the same flags and --promise 'METRIC <= THRESHOLD'")
		}
		return usage.FlagError(c, err)
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		name := strings.Join(args, " ")
		numbers, err := s.asked(c)
		if err != nil {
			return err
		}
		if numbers {
			return a.explainWithNumbers(c, &s, name)
		}
		return describe.Explain(a.Out, a.Catalog(), name)
	}
	return c
}
