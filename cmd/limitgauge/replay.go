package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim/trace"
)

// replaying is the flags of replay that describe a scenario.
type replaying struct {
	limit, per, format, regex, records    string
	timeField, endField, durationField    string
	durationUnit, timeFormat, clientField string
	start, end, speed, spread, reference  string
	costFields, algorithms                []string
	burst                                 int64
	clients, servers, repeat, copies      int
	rebase, shared, full                  bool
}

func (a *app) replayCommand() *cobra.Command {
	var r running
	var out output
	var p replaying
	c := &cobra.Command{
		Use:   "replay LOG...",
		Short: "compare limiters on your own access log, without a scenario file",
		Long: `Replay sends the requests of recorded logs, at the instants that were recorded,
through one limiter after the other. Logs may be in common or combined log
format, JSON lines, a JSON document, CSV or anything a regular expression
reads; gzip is noticed by content; several logs are merged by time; - is stdin.

It prints what was read, the comparison, and the keys that were rejected most.`,
		Example: `  limitgauge replay access.log --limit 100/min --per remote_addr
  limitgauge replay a.csv b.csv --limit 20/s --per file --algorithms fixed-window,batch-debt --clients 4
  zcat old.gz | limitgauge replay - --limit 10/s --log-format json --per user.id --time-field ts`,
		Args: cobra.MinimumNArgs(1),
	}
	p.flags(c)
	r.flags(c)
	r.taps.flags(c)
	out.flags(c, defaultPlots)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := out.check(); err != nil {
			return err
		}
		files, err := trace.Expand(args)
		if err != nil {
			return err
		}
		text, err := p.scenario(c, files)
		if err != nil {
			return err
		}
		f, problems := scenarios.Load("replay", text, ".", words())
		if len(problems) > 0 {
			return replayProblems(problems)
		}
		if err := f.Override(r.overrides(c)); err != nil {
			return usageError{err}
		}
		d, err := a.simulate(c.Context(), f, &r, p.rerun(c, args))
		out.rejections = true
		return a.show(d, &out, err)
	}
	return c
}

func (p *replaying) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.limit, "limit", "", "the `LIMIT`, such as 100/min (required)")
	f.Int64Var(&p.burst, "burst", -1, "depth of buckets in `REQUESTS`; the limit's count unless given")
	f.StringVar(&p.per, "per", "", "the `FIELD` that is limited: remote_addr (default for logs), remote_user, path, a JSON path, a column, a regex group; or file")
	f.BoolVar(&p.shared, "shared", false, "one limit for all requests together; --per then only names the tenants")
	f.StringSliceVar(&p.algorithms, "algorithms", nil, "algorithms to compare, by `NAME`; see limitgauge list algorithms")
	f.IntVar(&p.clients, "clients", 1, "gateways in front; requests reach them in turn unless --client-field says which")
	f.IntVar(&p.servers, "servers", 1, "servers of the limiter, for algorithms that have any")
	f.StringVar(&p.spread, "spread", "even", "how requests reach the gateways: `even`, random or hash")
	f.StringVar(&p.reference, "reference", "token-bucket", "what the limit means exactly: `token-bucket`, sliding-log or fixed-window")
	f.StringVar(&p.format, "log-format", "auto", "`FORMAT` of the logs: "+strings.Join(trace.Formats, ", "))
	f.StringVar(&p.regex, "regex", "", "regular `EXPRESSION` whose named groups are fields; implies --log-format regex")
	f.StringVar(&p.records, "records", "", "`PATH` of the array of records in a JSON document")
	f.StringVar(&p.timeField, "time-field", "", "`FIELD` with the time of arrival")
	f.StringVar(&p.endField, "end-field", "", "`FIELD` with the time a request ended; arrival is this minus the duration")
	f.StringVar(&p.durationField, "duration-field", "", "`FIELD` with how long a request took")
	f.StringVar(&p.durationUnit, "duration-unit", "", "`UNIT` of the duration: s, ms, us or ns")
	f.StringVar(&p.timeFormat, "time-format", "auto", "how times are written: "+strings.Join(trace.TimeFormats, ", "))
	f.StringVar(&p.clientField, "client-field", "", "`FIELD` with the gateway a request came through")
	f.StringArrayVar(&p.costFields, "cost-field", nil, "`FIELD` with a request's cost; several are added up")
	f.StringVar(&p.start, "start", "", "leave out requests before this `INSTANT` (2006-01-02T15:04:05Z)")
	f.StringVar(&p.end, "end", "", "leave out requests at or after this `INSTANT`")
	f.BoolVar(&p.rebase, "rebase", false, "shift the first request to time 0")
	f.StringVar(&p.speed, "speed", "", "replay `TIMES` as fast")
	f.IntVar(&p.repeat, "repeat", 1, "play the logs `N` times, one after the other")
	f.IntVar(&p.copies, "copies", 1, "send every request `N` times")
	f.BoolVar(&p.full, "full", false, "measure the full tier of metrics too")
	c.MarkFlagRequired("limit")
	c.RegisterFlagCompletionFunc("algorithms", completer(presetNames))
	c.RegisterFlagCompletionFunc("log-format", cobra.FixedCompletions(trace.Formats, cobra.ShellCompDirectiveNoFileComp))
}

// scenario writes the flags as a scenario file, in JSON, which YAML includes:
// there is one way to run something, and the stamp holds a file that runs.
func (p *replaying) scenario(c *cobra.Command, files []string) ([]byte, error) {
	if _, err := units.ParseLimit(p.limit); err != nil {
		return nil, usagef("--limit: %w", err)
	}
	policy := map[string]any{"limit": p.limit, "reference": p.reference}
	switch {
	case p.shared:
		policy["shared"] = true
	case p.per != "":
		policy["per"] = p.per
	}
	if c.Flags().Changed("burst") {
		policy["burst"] = p.burst
	}
	entry := map[string]any{"pattern": "trace", "files": files, "format": p.format, "spread": p.spread, "time_format": p.timeFormat}
	for name, text := range map[string]string{
		"regex": p.regex, "records": p.records, "time_field": p.timeField, "end_field": p.endField,
		"duration_field": p.durationField, "duration_unit": p.durationUnit, "client_field": p.clientField, "speed": p.speed,
	} {
		if text != "" {
			entry[name] = text
		}
	}
	if p.regex != "" && p.format == "auto" {
		entry["format"] = "regex"
	}
	switch p.per {
	case "":
	case "file":
		entry["per_file"] = true
	default:
		entry["key_field"] = p.per
	}
	if len(p.costFields) > 0 {
		entry["cost_fields"] = p.costFields
	}
	for name, text := range map[string]string{"start": p.start, "until": p.end} {
		if text == "" {
			continue
		}
		at, err := trace.ParseInstant(text)
		if err != nil {
			return nil, usageError{err}
		}
		entry[name] = time.Unix(0, at).UTC().Format(time.RFC3339Nano)
	}
	if p.rebase {
		entry["rebase"] = true
	}
	entry["repeat"], entry["copies"] = p.repeat, p.copies
	file := map[string]any{
		"version": 1,
		"scenarios": []any{map[string]any{
			"name": "replay", "policy": policy, "traffic": []any{entry}, "algorithms": p.compared(),
			"topology": map[string]any{"clients": p.clients, "servers": p.servers},
		}},
	}
	if p.full {
		file["metrics"] = "full"
	}
	return json.MarshalIndent(file, "", "  ")
}

// compared are the algorithms to compare: those asked for, or the usual ones.
func (p *replaying) compared() []string {
	if len(p.algorithms) > 0 {
		return p.algorithms
	}
	usual := []string{"fixed-window", "sliding-window-log", "sliding-window-counter", "token-bucket"}
	if p.clients > 1 {
		usual = append(usual, "local-divided", "batch-reported", "batch-debt")
	}
	return usual
}

// replayFlags are the flags behind the fields of the scenario.
var replayFlags = map[string]string{
	"limit": "limit", "burst": "burst", "reference": "reference", "clients": "clients", "servers": "servers",
	"spread": "spread", "format": "log-format", "time_format": "time-format", "duration_unit": "duration-unit",
	"start": "start", "until": "end", "repeat": "repeat", "copies": "copies", "regex": "regex", "speed": "speed",
}

// replayProblems says the problems of the scenario as those of the flags.
func replayProblems(problems []scenarios.Problem) error {
	var lines []string
	for _, p := range problems {
		field := p.Field[strings.LastIndex(p.Field, ".")+1:]
		flag := replayFlags[field]
		switch {
		case flag != "":
			lines = append(lines, fmt.Sprintf("--%s %s", flag, p.Message))
		case strings.Contains(p.Field, "algorithms"):
			lines = append(lines, "--algorithms: "+p.Message)
		default:
			lines = append(lines, fmt.Sprintf("%s: %s", p.Field, p.Message))
		}
	}
	slices.Sort(lines)
	return usagef("%s", strings.Join(slices.Compact(lines), "\nlimitgauge: "))
}

// rerun is the command that makes the same document again: every flag that was
// given and that a figure may depend on.
func (p *replaying) rerun(c *cobra.Command, args []string) string {
	words := []string{"limitgauge", "replay"}
	for _, name := range args {
		words = append(words, shellQuote(name))
	}
	own := map[string]bool{"seed": true, "replications": true}
	mine := &cobra.Command{}
	(&replaying{}).flags(mine)
	mine.Flags().VisitAll(func(f *pflag.Flag) { own[f.Name] = true })
	c.Flags().Visit(func(f *pflag.Flag) {
		if !own[f.Name] {
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, v := range list.GetSlice() {
				words = append(words, "--"+f.Name, shellQuote(v))
			}
			return
		}
		if f.Value.Type() == "bool" {
			words = append(words, fmt.Sprintf("--%s=%s", f.Name, f.Value))
			return
		}
		words = append(words, "--"+f.Name, shellQuote(f.Value.String()))
	})
	return strings.Join(words, " ")
}
