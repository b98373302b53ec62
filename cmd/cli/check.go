package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/check/read"
	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/search/answer"
)

// checking holds the flags of check.
type checking struct {
	inputs.Reading
	replicas            int
	spread, scenario    string
	logs, keys, instead []string
	run                 inputs.Running // of which it has some flags
	out                 output
}

func (a *app) checkCommand() *cobra.Command {
	var s checking
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "read the limits that a configuration has: what each does, and what never applies",
		Long: `Check reads the rate limits in configurations of nginx (limit_req), ingress-nginx
(annotations), Envoy (local rate limits), envoyproxy/ratelimit, Traefik (RateLimit) and HAProxy (http_req_rate).
It says in a sentence what each limit does, lists what never applies or limits nothing,
and names what touches limits and is not judged. With --log it says whom the limits would
have refused or delayed; with --instead, which request of the log another configuration
decides differently, and why.

It tells the system of a file by its content. - is standard input. Includes of nginx are
read from the files given and from the folder of the main file. Nothing is run. Logs are
read as replay does; see limitgauge formats.

It exits 3 if the server would refuse to start, or if --instead decides a request
differently, and 2 if a file cannot be read.`,
		Example: `  limitgauge check nginx.conf
  limitgauge check ingress.yaml --replicas 3
  limitgauge check nginx.conf --log access.log
  limitgauge check old.conf --log access.log --instead new.conf
  limitgauge check nginx.conf --log requests.json --key 'header:x-api-key=auth.key'`,
		Args:              usage.Arguments(1, -1),
		ValidArgsFunction: files(-1),
	}
	s.flags(c)
	c.RunE = func(c *cobra.Command, args []string) error { return a.check(c, &s, args) }
	return c
}

// check runs the command check on the files args.
func (a *app) check(c *cobra.Command, s *checking, args []string) error {
	if s.Explain {
		return a.explainFormats(c, &replaying{Reading: s.Reading}, s.logs)
	}
	if err := usage.Choice("spread", s.spread, spreads); err != nil {
		return err
	}
	if s.replicas < 1 || s.replicas > 10_000 {
		return usage.Errorf("--replicas %d: want 1 to 10000", s.replicas)
	}
	if s.out.plots != "" && len(s.logs) == 0 {
		return usage.Errorf("--plots goes with --log: it draws what passes of a log")
	}
	given, err := s.given()
	if err != nil {
		return err
	}
	logNames, err := logs.Expand(s.logs)
	if err != nil {
		return err
	}
	if _, err := inputs.Claim(a.Host, &s.run, s.adds, inputs.Names("the configuration", slices.Concat(args, s.instead)...), inputs.Names("the log", logNames...)); err != nil {
		return err
	}
	configs, err := s.configurations(a, args)
	if err := cmp.Or(err, besideAnswer("--scenario", s.scenario)); err != nil {
		return err
	}
	switch {
	case s.scenario != "" && slices.Contains(logNames, "-"):
		return usage.Errorf("--scenario %s: the log is read from standard input, and a scenario reads files", s.scenario)
	}
	if len(s.CostFields) > 0 && slices.ContainsFunc(configs, func(c *check.Config) bool {
		return slices.ContainsFunc(c.Rules, func(r check.Rule) bool { return r.System != "envoyproxy/ratelimit" })
	}) {
		return usage.Errorf("--cost-field: only envoyproxy/ratelimit counts the cost of requests, as hits_addend; the other systems count each as one")
	}
	d := &check.Document{Head: answer.NewHead("check", a.BuildStamp().Version, rerunOf(c, "check", args)), Files: args, Replicas: s.replicas, Said: configs[0].Said}
	if len(s.logs) > 0 {
		o, err := (&replaying{Reading: s.Reading}).options(c, logNames)
		if err != nil {
			return err
		}
		if o.SortMemory, err = s.run.Sorting(); err != nil {
			return err
		}
		judging := check.Judging{Replicas: s.replicas, Spread: s.spread}
		if judging.Hide, err = s.run.Hidden.Hash(); err != nil {
			return err
		}
		o.Hide, o.Stdin = judging.Hide != nil, a.In
		if err := a.checkLog(c.Context(), d, configs, o, given, judging, s.run.Quiet); err != nil {
			return err
		}
		if d.Difference != nil {
			d.Difference.Files = s.instead
		}
		s.out.warn(a, d.Log.Warnings)
	}
	err = s.out.showAnswer(a, d, "check.png", d.Figure)
	if err == nil && (slices.ContainsFunc(configs, func(c *check.Config) bool { return c.Has(check.Invalid) }) || d.Difference != nil && d.Difference.Differ > 0) {
		err = usage.Code(usage.ExitGateFailed)
	}
	return errors.Join(err, s.write(a, c, configs[0], logNames, given["client"]))
}

// configurations reads the configuration of the files names, and that of --instead.
func (s *checking) configurations(a *app, names []string) (configs []*check.Config, err error) {
	for _, files := range [][]string{names, s.instead} {
		if len(files) == 0 {
			continue
		}
		config, err := a.configuration(files)
		if err != nil {
			return nil, err
		}
		config.Describe(int64(s.replicas), s.spread == "hash" || s.spread == "sticky")
		configs = append(configs, config)
	}
	return configs, nil
}

func (s *checking) flags(c *cobra.Command) {
	s.Reading.Flags(c, "check nothing")
	f := c.Flags()
	f.StringArrayVar(&s.logs, "log", nil, "say whom the rules refuse and delay in this `LOG`; several are merged by time")
	f.StringArrayVar(&s.instead, "instead", nil, "find the first request that the configuration of this `FILE` decides differently; repeat it for several files")
	f.StringArrayVar(&s.keys, "key", nil, "`WHAT=FIELD`: which field of the log holds what a key depends on, such as header:x-api-key=auth.key")
	f.StringVar(&s.scenario, "scenario", "", "write the rules as a scenario `FILE`, for run, explore, tune and gate")
	f.IntVar(&s.replicas, "replicas", 1, "`N` servers that count by themselves: 1 to 10000")
	f.StringVar(&s.spread, "spread", "even", "`HOW` requests reach the replicas: even, random, hash or sticky")
	s.run.Hidden.Flags(c)
	inputs.SortMemoryFlag(c, &s.run.SortMemory)
	f.BoolVarP(&s.run.Quiet, "quiet", "q", false, "print no progress")
	s.out.fileFlags(c, "answer", "table", "markdown", "csv", "json")
	f.StringVar(&s.out.plots, "plots", "", "draw what passes of the log over time, and whose refusals change, as a PNG plot into `DIR`")
	c.RegisterFlagCompletionFunc("scenario", files(1)) // a file, and not a scenario of one
}

// adds notes the files that are written.
func (s *checking) adds(files *inputs.FileSet) error {
	if s.scenario != "" {
		files.Writes("--scenario", s.scenario)
	}
	return s.out.Adds(files)
}

// write writes the scenario file that --scenario asks for. client is the field that --key
// says is the client.
func (s *checking) write(a *app, c *cobra.Command, config *check.Config, logNames []string, client string) error {
	if s.scenario == "" {
		return nil
	}
	trace := ""
	if len(logNames) > 0 {
		from, err := lists.Try(logNames, func(name string) (string, error) { return seenFrom(filepath.Dir(s.scenario), name) })
		if err != nil {
			return err
		}
		entry, err := (&replaying{Reading: s.Reading}).entry(c, from)
		if err != nil {
			return err
		}
		if client != "" {
			entry["key_field"] = client
		}
		maps.DeleteFunc(entry, func(_ string, value any) bool { return value == "" || value == "auto" })
		text, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		trace = string(text)
	}
	text := config.Scenario(s.replicas, trace)
	if text == "" {
		return usage.Errorf("--scenario %s: no rule of the configuration could be in it", s.scenario)
	}
	return a.writeFile(s.scenario, whole([]byte(text)))
}

// seenFrom returns the name of a file in a folder: out/s.yaml finds log.csv as ../log.csv.
func seenFrom(dir, name string) (string, error) {
	if filepath.IsAbs(name) || dir == "." {
		return name, nil
	}
	full, err := lists.Try([]string{dir, name}, filepath.Abs)
	if err != nil {
		return "", err
	}
	return filepath.Rel(full[0], full[1])
}

// given returns the fields that --key names.
func (s *checking) given() (map[string]string, error) {
	given := map[string]string{}
	for _, text := range s.keys {
		what, field, ok := strings.Cut(text, "=")
		if !ok || what == "" || field == "" {
			return nil, usage.Errorf("--key %s: want WHAT=FIELD, such as header:x-api-key=auth.key", text)
		}
		given[strings.ToLower(what)] = field
	}
	if len(s.instead) > 0 && len(s.logs) == 0 {
		return nil, usage.Errorf("--instead goes with --log: it compares decisions on the requests of a log")
	}
	if len(given) > 0 && len(s.logs) == 0 {
		return nil, usage.Errorf("--key goes with --log: it names a field of a log")
	}
	return given, nil
}

// checkLog fills in what the rules do to the requests of a log.
func (a *app) checkLog(ctx context.Context, d *check.Document, configs []*check.Config, o logs.Options, given map[string]string, judging check.Judging, quiet bool) error {
	fields := check.Ask(&o, given, configs...)
	for what := range given {
		if !fields.Has(what) {
			return usage.Errorf("--key %s=%s: no rule depends on %s; they depend on %s", what, given[what], what, fields)
		}
	}
	err := a.onLogs(ctx, o, "check", quiet, func(r *logs.Recording) (err error) {
		if len(configs) == 1 {
			d.Log, err = configs[0].OnLog(ctx, r, fields, judging)
		} else {
			d.Log, d.Difference, err = configs[0].Instead(ctx, configs[1], r, fields, judging)
		}
		return err
	})
	if _, ok := errors.AsType[*check.Misfit](err); ok {
		return usage.Wrong(fmt.Errorf("--log %s: %w", strings.Join(o.Files, ", "), err))
	}
	return err
}

// configuration reads files of limits.
func (a *app) configuration(names []string) (*check.Config, error) {
	var list []read.File
	for _, name := range names {
		text, err := inputs.ReadText(a.Host, name)
		if err != nil {
			return nil, err
		}
		list = append(list, read.File{Name: name, Text: text})
	}
	config, err := read.Files(list)
	if err != nil {
		return nil, usage.Wrong(err)
	}
	return config, nil
}
