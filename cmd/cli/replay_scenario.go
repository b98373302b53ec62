package cli

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// scenario writes the flags as a scenario file in JSON, which is YAML too. The
// document's stamp thus holds a file that can be run again.
func (p *replaying) scenario(c *cobra.Command, files []string) ([]byte, error) {
	if p.limit == "" {
		return nil, usage.Errorf("--limit is required: requests per period, such as --limit 100/min")
	}
	if _, err := units.ParseLimit(p.limit); err != nil {
		return nil, usage.Errorf("--limit: %w", err)
	}
	if p.clientField != "" && !c.Flags().Changed("clients") {
		return nil, usage.Errorf("--client-field %s: how many gateways does it tell apart? Give --clients N too", p.clientField)
	}
	policy := map[string]any{"limit": p.limit, "reference": p.reference}
	switch {
	case p.Shared:
		policy["shared"] = true
	case p.Per != "":
		policy["per"] = p.Per
	}
	if c.Flags().Changed("burst") {
		policy["burst"] = p.burst
	}
	entry, err := p.entry(c, files)
	if err != nil {
		return nil, err
	}
	entry["spread"] = p.spread
	entry["repeat"], entry["copies"] = p.repeat, p.copies
	definitions, own, err := inputs.Programs(p.programs)
	if err != nil {
		return nil, err
	}
	file := map[string]any{
		"version": 1, "algorithms": definitions,
		"scenarios": []any{map[string]any{
			"name": "replay", "policy": policy, "traffic": []any{entry}, "algorithms": append(p.compared(), own...),
			"topology": map[string]any{"clients": p.clients, "servers": p.servers},
		}},
	}
	if p.full {
		file["metrics"] = "full"
	}
	return json.MarshalIndent(file, "", "  ")
}

// logFields maps flags of a log to the fields of a trace that have their values.
var logFields = map[string]string{
	"log-format": "format", "regex": "regex", "records": "records", "malformed": "malformed", "where": "where",
	"time-field": "time_field", "end-field": "end_field", "duration-field": "duration_field", "duration-unit": "duration_unit",
	"time-format": "time_format", "time-layout": "time_layout", "time-zone": "time_zone", "cost-field": "cost_fields",
	"client-field": "client_field", "speed": "speed", "keep": "keep", "verdict-field": "verdict_field", "rejected": "rejected",
	"estimate-field": "estimate_fields", "answer-field": "answer_field",
}

// entry returns the flags of a log as an entry of traffic.
func (p *replaying) entry(c *cobra.Command, files []string) (map[string]any, error) {
	entry := map[string]any{"pattern": "trace", "files": files}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		list, isList := f.Value.(pflag.SliceValue)
		switch name := logFields[f.Name]; {
		case name == "":
		case isList && len(list.GetSlice()) > 0:
			entry[name] = list.GetSlice()
		case !isList && f.Value.String() != "":
			entry[name] = f.Value.String()
		}
	})
	if entry["regex"] != nil && entry["format"] == "auto" {
		entry["format"] = "regex"
	}
	switch fields := strings.Split(p.Per, ","); {
	case p.Per == "":
	case p.Per == "file":
		entry["per_file"] = true
	case len(fields) > 1:
		entry["key_fields"] = fields
	default:
		entry["key_field"] = p.Per
	}
	if p.answerPerToken != "" {
		entry["answer"] = map[string]any{"per_token": map[string]any{"per_token": p.answerPerToken, "of": "output"}}
	}
	if len(p.estimateFields) > 0 && entry["answer_field"] == nil && p.answerPerToken == "" {
		return nil, usage.Wrong(errors.New("--estimate-field: say when the cost is known, with --answer-field or --answer-per-token"))
	}
	if p.estimatePlus != 0 {
		entry["estimate_plus"] = p.estimatePlus
	}
	for flag, name := range map[string]string{"start": "start", "end": "until"} {
		text, _ := c.Flags().GetString(flag)
		if text == "" {
			continue
		}
		at, err := logs.ParseInstant(text)
		if err != nil {
			return nil, usage.Wrong(err)
		}
		entry[name] = time.Unix(0, at).UTC().Format(time.RFC3339Nano)
	}
	if p.rebase {
		entry["rebase"] = true
	}
	return entry, nil
}

// compared returns the algorithms to compare: the requested ones or the default
// ones.
func (p *replaying) compared() []string {
	if len(p.algorithms) > 0 {
		return p.algorithms
	}
	if len(p.estimateFields) > 0 {
		return []string{"fixed-window", "check-then-deduct", "deduct-estimate", "reserve-quantile", "reserve-maximum"}
	}
	usual := []string{"fixed-window", "sliding-window-log", "sliding-window-counter", "token-bucket"}
	if p.clients > 1 {
		usual = append(usual, "local-divided", "batch-reported", "batch-debt")
	}
	return usual
}

// sameNames are the other fields of the scenario that have the names of their flags.
var sameNames = []string{"limit", "burst", "reference", "clients", "servers", "spread", "start", "repeat", "copies"}

// replayFlag returns the flag that a field of the scenario comes from, or "".
func replayFlag(path, field string) string {
	for flag, name := range logFields {
		if name == field {
			return "--" + flag + " "
		}
	}
	switch {
	case field == "until":
		return "--end "
	case slices.Contains(sameNames, field):
		return "--" + field + " "
	case strings.Contains(path, "algorithms"):
		return "--algorithms: "
	}
	return ""
}

// flagProblems reports problems of a scenario that was made from flags as
// problems of the flags. flagOf returns how to begin the report of a field, by
// its path and by its last part.
func flagProblems(problems []scenarios.Problem, flagOf func(path, field string) string) error {
	lines := lists.Map(problems, func(p scenarios.Problem) string { return flagLine(p, flagOf) })
	slices.Sort(lines)
	return usage.Errorf("%s", strings.Join(slices.Compact(lines), "\nlimitgauge: "))
}

// flagLine states a problem of a value that came from a flag.
func flagLine(p scenarios.Problem, flagOf func(path, field string) string) string {
	if strings.HasPrefix(p.Field, "--") {
		return p.Text()
	}
	return flagOf(p.Field, p.Field[strings.LastIndex(p.Field, ".")+1:]) + p.Message
}

// rerun returns the command that makes the same document again: every given
// flag that can affect a result.
func (p *replaying) rerun(c *cobra.Command, args []string) string {
	own := map[string]bool{"seed": true, "replications": true, "replication": true, "set": true, "until": true, "max-replications": true, "hash-keys": true, "hash-secret": true}
	own["key"] = !c.Flags().Changed("hash-keys") // they are names
	mine := &cobra.Command{}
	(&replaying{}).flags(mine)
	mine.Flags().VisitAll(func(f *pflag.Flag) { own[f.Name] = true })
	return inputs.CommandLine(c, "replay", args, func(flag string) bool { return own[flag] })
}

// rerunOf returns the command that makes the same answer again: without the flags that
// select how it is computed and shown, and without these.
func rerunOf(c *cobra.Command, command string, args []string, without ...string) string {
	without = append(slices.Clip(without), "quiet", "sort-memory", "output", "format", "plots")
	return inputs.CommandLine(c, command, args, func(name string) bool { return !slices.Contains(without, name) })
}
