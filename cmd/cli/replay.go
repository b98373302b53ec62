package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// replaying holds the flags of replay that describe a scenario.
type replaying struct {
	inputs.Reading
	limit, spread, reference             string
	clientField, answerPerToken          string
	algorithms, programs, estimateFields []string
	estimatePlus, burst                  int64
	clients, servers, repeat, copies     int
	rebase, full                         bool
}

func (a *app) replayCommand() *cobra.Command {
	var r inputs.Running
	var out output
	var p replaying
	c := &cobra.Command{
		Use:   "replay LOG...",
		Short: "compare limiters on a recorded log, without a scenario file",
		Long: `Replay sends the requests of recorded logs, at their recorded times, to each
limiter. It detects the format of each log by a sample of its lines: see
limitgauge formats for the formats, and --explain-format for the reasons. Other
lines are read with a regular expression. Gzip and bzip2 are detected by content; zstd needs a
pipe from zstdcat, UTF-16 one from iconv. Several logs are merged by time. - is standard input.

It prints a summary of the logs, the comparison, and the most rejected keys.`,
		Example: `  limitgauge replay access.log --limit 100/min --per remote_addr
  limitgauge replay --explain-format access.log
  limitgauge replay a.csv b.csv --limit 20/s --per file --algorithms fixed-window,batch-debt --clients 4
  limitgauge replay access.log --limit 100/min --exec 'mine=python3 limiter.py'
  zcat old.gz | limitgauge replay - --limit 10/s --log-format json --per user.id --time-field ts`,
		Args:              usage.Arguments(1, -1),
		ValidArgsFunction: files(-1),
	}
	p.flags(c)
	r.Flags(c)
	r.Details.Flags(c)
	r.Drawn.Flags(c)
	r.Hidden.Flags(c)
	out.flags(c, defaultPlots)
	c.RunE = func(c *cobra.Command, args []string) error {
		if p.Explain {
			return a.explainFormats(c, &p, args)
		}
		names, err := logs.Expand(args)
		if err != nil {
			return err
		}
		if _, err := inputs.Claim(a.Host, &r, out.Adds, r.Details.Adds, inputs.Names("the log", names...)); err != nil {
			return err
		}
		r.Drawn.Worst = out.showsTimelines()
		text, err := p.scenario(c, names)
		if err != nil {
			return err
		}
		r.AllowExec = len(p.programs) > 0 // who types a command permits it
		r.Full = full(out.columns)
		o := r.Overrides(c)
		f, problems := scenarios.LoadSound("replay", text, ".", a.Catalog(), o)
		if len(problems) > 0 {
			return flagProblems(problems, replayFlag)
		}
		if err := f.Override(o); err != nil {
			return usage.Wrong(err)
		}
		d, err := a.simulate(c.Context(), f, &r, p.rerun(c, args))
		if invalid, ok := errors.AsType[*sim.Invalid](err); ok {
			return flagProblems(invalid.Problems, replayFlag)
		}
		out.rejections = true
		return a.show(c.Context(), d, &out, err)
	}
	return c
}

func (p *replaying) flags(c *cobra.Command) {
	p.Reading.Flags(c, "replay nothing")
	f := c.Flags()
	f.StringVar(&p.limit, "limit", "", "the `LIMIT`, such as 100/min (required)")
	f.Int64Var(&p.burst, "burst", 0, "depth of buckets in `REQUESTS`; the limit's count unless given")
	f.StringSliceVar(&p.algorithms, "algorithms", nil, "algorithms to compare, by `NAME`; see limitgauge list algorithms")
	f.StringArrayVar(&p.programs, "exec", nil, "compare a limiter of your own too, as `NAME=COMMAND`, such as 'mine=python3 limiter.py'; it runs as you, without a sandbox")
	f.IntVar(&p.clients, "clients", 1, "`N` gateways in front; requests reach them in turn unless --client-field says which")
	f.IntVar(&p.servers, "servers", 1, "`N` servers of the limiter, for algorithms that have any")
	f.StringVar(&p.spread, "spread", "even", "`HOW` requests reach the gateways: even, random, hash or sticky")
	f.StringVar(&p.reference, "reference", "token-bucket", "exact `LIMITER` to measure against: token-bucket, sliding-log or fixed-window")
	f.StringVar(&p.clientField, "client-field", "", "`FIELD` with the gateway a request came through")
	f.StringArrayVar(&p.estimateFields, "estimate-field", nil, "`FIELD` with what was known of the cost on arrival, such as the tokens of a prompt; several are added up likewise; the cost is then known with the answer alone")
	f.Int64Var(&p.estimatePlus, "estimate-plus", 0, "add `N` tokens to --estimate-field, such as the longest answer that is asked for")
	f.String("answer-field", "", "`FIELD` with the time until the end of the answer, in --duration-unit")
	f.StringVar(&p.answerPerToken, "answer-per-token", "", "`TIME` that an answer takes for each token of the cost beyond --estimate-field, in place of --answer-field")
	f.String("verdict-field", "", "`FIELD` with what the limiter that wrote the log decided, such as status: judges that limiter in a row recorded")
	f.StringSlice("rejected", nil, "`VALUES` of --verdict-field that mean rejected; 429,503 unless given")
	f.BoolVar(&p.rebase, "rebase", false, "shift the first request to time 0")
	f.String("speed", "", "replay `N` times as fast")
	f.IntVar(&p.repeat, "repeat", 1, "play the logs `N` times, one after the other")
	f.IntVar(&p.copies, "copies", 1, "send every request `N` times")
	f.String("keep", "", "send this `SHARE` of the requests, such as 10%; with --copies 3, 50% is one and a half times the rate")
	f.BoolVar(&p.full, "full", false, "measure the full metric set")
}
