package cli

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// promise holds flags that explain had before tune answered them. They are hidden.
type promise struct{ both, over, under string }

func (p *promise) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.both, "promise", "", "")
	f.StringVar(&p.over, "promise-over", "", "")
	f.StringVar(&p.under, "promise-under", "", "")
	for _, name := range []string{"promise", "promise-over", "promise-under"} {
		f.MarkHidden(name)
	}
}

// moved returns an error with the command of tune, if a flag is given.
func (p *promise) moved(c *cobra.Command, s *setting, name string) error {
	if p.both+p.over+p.under == "" {
		return nil
	}
	command := commandLine(c, "tune", []string{name}, func(flag string) bool { return isDescribed(flag) })
	if s.file != "" {
		command = commandLine(c, "tune", []string{s.file}, func(flag string) bool { return flag == "scenario" }) +
			" --algorithm " + format.ShellQuote(name) + " --least " + defaultLeast
	}
	both := cmp.Or(p.both, "5%")
	for _, bound := range []struct{ metric, text string }{{"over_limit_pct", cmp.Or(p.over, both)}, {"under_admission_pct", cmp.Or(p.under, both)}} {
		share, err := units.ParseFraction(bound.text)
		if err != nil {
			return usage.Errorf("a promise is a question to limitgauge tune; want a share such as 5%%, not %q", bound.text)
		}
		command += fmt.Sprintf(" --promise '%s <= %s'", bound.metric, format.Exact(100*share.Float()))
	}
	return usage.Errorf("explain takes no promise any more; ask: %s", command)
}
