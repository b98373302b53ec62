package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/measure"
)

// topics are the help pages that belong to no command.
var topics = []struct {
	name, short string
	text        func() string
}{
	{"exit-codes", "the exit codes of commands", func() string { return exitCodesPage }},
	{"metrics", "the metrics, and which ones tables show", metricsPage},
	{"scenarios", "the fields of a scenario file", scenariosPage},
	{"units", "how to write times, rates, shares and sizes", unitsPage},
}

// Topics returns help pages that belong to no command. Cobra shows a command
// that cannot run as such a page. Its text is written when it is shown, see WriteTopics.
func Topics() []*cobra.Command {
	var pages []*cobra.Command
	for _, t := range topics {
		page := &cobra.Command{Use: t.name, Short: t.short}
		page.SetHelpFunc(func(c *cobra.Command, args []string) {
			c.Long = t.text()
			c.Root().HelpFunc()(c, args)
		})
		pages = append(pages, page)
	}
	return pages
}

// WriteTopics writes the texts of the help pages among some commands.
func WriteTopics(commands []*cobra.Command) {
	for _, c := range commands {
		for _, t := range topics {
			if t.name == c.Name() {
				c.Long = t.text()
			}
		}
	}
}

// UnknownTopic returns the error for a name that is neither a command nor a
// topic.
func UnknownTopic(root *cobra.Command, name string) error {
	names := lists.Map(root.Commands(), (*cobra.Command).Name)
	return usage.Errorf("no command or topic is called %q%s; see %s --help", name, scenarios.Suggest(name, names), root.Name())
}

const exitCodesPage = usage.ExitCodes + `
limitgauge run marks thresholds that do not hold in its tables and exits with 0.
limitgauge gate returns the result as exit code. A gate passes only if every
threshold was evaluated and holds. If a threshold fails, the code is 3, even if
other thresholds could not be evaluated.

If a command cannot write a requested file, it fails, whatever its results are.
If there are several failures, the code is that of the first one.
`

func metricsPage() string {
	var text strings.Builder
	text.WriteString(`A metric measures a limiter on the requests of a scenario. Many metrics compare
it with the reference, the policy's exact limiter, on the same requests. Over
the replications, a ratio is that of the sums, a quantile that of all requests,
and every other metric a mean, with its 95 % interval. A row that draws no
random number has one exact value; with periodic traffic at a fixed offset, that
of one phase. A metric without samples is "no data". It is never 0 and never
passes a threshold.

Metrics of the basic set are always measured. Those of the full set are measured
with metrics: full in the scenario file, or if a threshold names one of them.

Unless --columns names others, tables show the headline metrics, the first four,
then those that the scenario's columns and expect name, then, if it has no
columns, the others below. With several keys they also show
over_limit_pct_worst_key, the name of that key if it is the worst by more than
chance, and over_limit_pct_equal_keys. A metric without a value in any row is
left out, and a note names it.
`)
	for _, name := range table.DefaultColumns() {
		m := catalog.Find(measure.Metrics(), name)
		fmt.Fprintf(&text, "  %s (%s)\n%s", m.Name, m.Unit, usage.Wrap(m.Doc, "      ", 80))
	}
	fmt.Fprintf(&text, `
limitgauge list metrics lists all %d of them. limitgauge explain NAME prints
the formula of one. A results document (run -o FILE.json) contains all that
were measured.
`, len(measure.Metrics()))
	return text.String()
}

// smallest is a scenario file with only the required fields.
const smallest = `  version: 1
  duration: 60s
  scenarios:
    - name: login
      policy: {limit: 10/min, per: user}
      traffic: [{pattern: poisson, rate: 1/s}]
      algorithms: [fixed-window, token-bucket]
`

func scenariosPage() string {
	var text strings.Builder
	text.WriteString(`A scenario file is YAML: a policy (the limit), a topology (the fleet), traffic,
and the algorithms to compare on it. This is a complete file:

` + smallest + `
limitgauge init writes a longer file with comments; --template selects one of
the templates (limitgauge list scenarios). limitgauge validate FILE reports
every problem of a file by line. With --effective it prints the file with its
defaults. limitgauge schema prints a schema for editors. Paths in a file are
relative to the file.
`)
	fieldList(&text, "A file", scenarios.FileFields())
	fieldList(&text, "A scenario, which may also contain the fields of a file from seed on", ownFields())
	fieldList(&text, "A curve", scenarios.CurveFields())
	fieldList(&text, "A policy", scenarios.PolicyFields())
	fieldList(&text, "A topology", scenarios.TopologyFields())
	fieldList(&text, "A rollout, in a topology or in an algorithm", scenarios.RolloutFields())
	fieldList(&text, "A traffic entry, in addition to the fields of its pattern", scenarios.TrafficFields())
	fieldList(&text, "An entry's descriptors for a policy, instead of none or a choice of keys", scenarios.DescriptorFields())
	text.WriteString("\nPatterns (limitgauge explain PATTERN has their fields)\n" + usage.Wrap(strings.Join(Names("patterns"), ", "), "  ", 80))
	return text.String()
}

// fieldList describes each field, without the fields inside it.
func fieldList(w *strings.Builder, title string, fields []catalog.Field) {
	fmt.Fprintf(w, "\n%s\n", title)
	for i := range fields {
		f := &fields[i]
		facts := []string{f.Takes()}
		switch {
		case f.Required:
			facts = append(facts, "required")
		case f.Default != "":
			facts = append(facts, "default "+f.Default)
		}
		facts = slices.DeleteFunc(facts, func(s string) bool { return s == "" })
		note := ""
		if len(facts) > 0 {
			note = " (" + strings.Join(facts, "; ") + ")"
		}
		fmt.Fprintf(w, "%s%s", usage.Wrap(f.Name+note, "  ", 80), usage.Wrap(f.Text(), "      ", 80))
	}
}

// ownFields returns the fields of a scenario that a file does not have.
func ownFields() []catalog.Field {
	return lists.Where(scenarios.ScenarioFields(), func(f catalog.Field) bool { return catalog.Find(scenarios.RunFields(), f.Name) == nil })
}

// quantity describes a kind of value in scenario files and flags, with
// examples.
type quantity struct{ name, rule, examples string }

var quantities = []quantity{
	{"duration", "a number and a unit, or several from the largest unit to the smallest. Units are d, h, min, s, ms, us (or µs) and ns. m means minutes beside another unit; alone it is an error, because it could mean milliseconds.", "10ms 1.5s 1m30s 2d"},
	{"rate", "a count per unit of time or per duration; a number may end in k (thousand) or M (million).", "500/s 2.5/min 2k/s 10/60s 7/3s"},
	{"limit", "a rate of a whole number of requests above zero. Its period is the policy's window: 60/min and 1/s are different limits.", "1000/s 100/min 7/3s"},
	{"share", "a percentage, a decimal or a fraction; kept exactly.", "5% 0.05 1/20 150%"},
	{"whole number", "may end in k or M.", "10 2k 1.5M"},
	{"size", "memory, in B, KiB, MiB, GiB or TiB.", "256MiB 1.5GiB"},
	{"instant", "an RFC 3339 time.", "2026-01-31T12:00:00Z 2026-01-31T13:00:00.5+01:00"},
}

func unitsPage() string {
	var text strings.Builder
	text.WriteString(`Quantities are exact: nanoseconds, and rates as fractions. A bare number is an
error where a duration, a rate or a size is wanted.

`)
	for _, q := range quantities {
		fmt.Fprintf(&text, "  %s: %s\n%s", q.name, strings.Join(strings.Fields(q.examples), ", "), usage.Wrap(q.rule, "      ", 80))
	}
	return text.String()
}
