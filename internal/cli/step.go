package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/step"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters/central"
)

// maxCall is the longest line of calls, in bytes.
const maxCall = 1 << 20

// driveCommand returns stepCommand under its old name, drive. It will be
// removed in the release after the first.
func (a *app) driveCommand() *cobra.Command {
	c := a.stepCommand()
	c.Use, c.Hidden = strings.Replace(c.Use, "step", "drive", 1), true
	c.PreRun = func(*cobra.Command, []string) {
		fmt.Fprintln(a.Err, "limitgauge: drive is now called step; the name drive goes away in the next release")
	}
	return c
}

func (a *app) stepCommand() *cobra.Command {
	var limit string
	options := map[string]*string{}
	c := &cobra.Command{
		Use:   "step COUNTER [CALLS.jsonl | -]",
		Short: "apply calls to one counter and print its state after each",
		Long: `Step reads calls, one JSON object per line, applies each to one counter, and
prints the result and the counter's state as one JSON line per call. Use it to
compare a counter with another implementation. Levels are exact integers:
level_units counts units of 1/units_per_token of a token. The page docs/step.md
lists every member of a reply.

Every call has at_ns and op:
  plain counters  take {cost, key}, level {key}, retry_at {cost, key}
  rover           grab {n}, deficiency {ticket}, replenish, release {n}, refund {n},
                  duration_for {n}, update_rate {rate},
                  preset {tail, head, ceil, stamp_ns}, take {cost}; a rate is a whole
                  number of tokens per period of the --limit
  sql-token-bucket  call {start_ns, key, refill, window_s}, take {cost, key}, level {key},
                  retry_at {cost, key}, preset {level_units, key}; start_ns is the
                  start of the call's transaction, at_ns the time of the call

An option that the counter does not have is an error. See limitgauge explain
COUNTER for the options of a counter.`,
		Example: `  echo '{"at_ns": 0, "op": "take", "cost": 3}' | limitgauge step token-bucket --limit 10/s
  limitgauge step rover --limit 100/s --burst 50 --stamp now calls.jsonl`,
		Args:              arguments(1, 2),
		ValidArgsFunction: stepArguments,
	}
	f := c.Flags()
	f.StringVar(&limit, "limit", "100/s", "the `LIMIT`, such as 10/s or 100/min; for a rover tokens per period")
	for _, name := range step.Counters() {
		for _, field := range step.Entry(name).Fields {
			addOption(f, options, &field)
		}
	}
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		given := map[string]string{}
		for name, text := range options {
			if c.Flags().Changed(name) {
				given[name] = *text
			}
		}
		session, err := newSession(args[0], limit, given)
		if err != nil {
			return err
		}
		name, in := "-", a.In
		if len(args) == 2 && args[1] != "-" {
			name = args[1]
			f, err := openInput(name)
			if err != nil {
				return err
			}
			defer f.Close()
			in = f
		}
		return stepCalls(session, name, in, a.Out)
	}
	return c
}

// addOption adds a flag for a counter's option. Counters that have an option of
// the same name share the flag.
func addOption(f *pflag.FlagSet, options map[string]*string, field *catalog.Field) {
	if options[field.Name] != nil {
		return
	}
	value := new(string)
	options[field.Name] = value
	name := strings.ReplaceAll(field.Name, "_", "-")
	if field.Kind == catalog.Bool {
		f.VarPF((*switchValue)(value), name, "", field.Doc).NoOptDefVal = "true"
		return
	}
	f.StringVar(value, name, "", field.Doc+"; `VALUE`: "+field.Takes())
}

// switchValue holds the text of a boolean option. The flag without a value
// means true.
type switchValue string

func (v *switchValue) String() string        { return string(*v) }
func (v *switchValue) Set(text string) error { *v = switchValue(text); return nil }
func (v *switchValue) Type() string          { return "bool" }

func newSession(name, limit string, given map[string]string) (*step.Session, error) {
	for _, p := range sim.Catalog().Presets {
		if p.Name == name && p.Enforcement == central.Limiter.Entry.Name {
			name = p.Counter
			for option, text := range p.Options {
				if _, ok := given[option]; !ok {
					given[option] = text
				}
			}
		}
	}
	entry := step.Entry(name)
	if entry == nil {
		return nil, usagef("no counter is called %q%s", name, scenarios.Suggest(name, step.Counters()))
	}
	for option := range given {
		if catalog.Find(entry.Fields, option) == nil {
			return nil, usagef("%s has no option --%s", name, strings.ReplaceAll(option, "_", "-"))
		}
	}
	rate, err := units.ParseLimit(limit)
	if err != nil {
		return nil, usagef("--limit: %w", err)
	}
	options, err := scenarios.Options(entry.Fields, given)
	if err != nil {
		return nil, usageError{err}
	}
	session, err := step.New(name, counter.Limit{Count: rate.Count, Window: rate.Per, Burst: rate.Count}, options)
	if err != nil {
		return nil, usageError{err}
	}
	return session, nil
}

// stepCalls prints each result before it reads the next line, so that the
// caller can wait for it.
func stepCalls(s *step.Session, name string, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxCall)
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		reply, err := s.Apply(line)
		if err != nil {
			return usagef("%s:%d: %w", name, number, err)
		}
		if _, err := fmt.Fprintf(out, "%s\n", reply); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return usagef("%s:%d: longer than %d bytes", name, number+1, maxCall)
	}
	return lines.Err()
}
