package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/size"
	"github.com/limitgauge/limitgauge/search/size/least"
)

// sizeFlags holds the flags of size.
type sizeFlags struct {
	inputs.Reading
	atMost, of string
	algorithm  string
	windows    []string
	rates      []string
	abusers    string
	parts      int
	reserve    string
	run        inputs.Running // of which it has some flags
	out        output
}

func (a *app) sizeCommand() *cobra.Command {
	var s sizeFlags
	c := &cobra.Command{
		Use:   "size LOG...",
		Short: "find the limit and burst that the requests of a log need",
		Long: `Size finds the settings of a rate limit that refuse at most a share of the requests, or
of the keys, of recorded logs. For each rate it finds the least burst, and for
windows the least count, by what the limiter refuses: exactly, from every request.

It prints these settings with what each refuses, recommends one with the reason, shows
what the heaviest keys need, and writes the setting for limitgauge, nginx, Envoy,
envoyproxy/ratelimit, HAProxy, AWS WAF and Google Cloud Armor: the nearest that each can
say, and what that changes. It says what the log cannot show. limitgauge replay shows a setting at work, with the same counts.

It also tests the recommendation inside the log: each part of it is counted under the
setting that the others need.

The demand is all requests of the log; with --abusers it is without theirs. Size
recommends the setting under which a key can take the least in any minute; with
--abusers, of those that stop nearly as much of theirs as the strictest, the one that
refuses the fewest keys of the demand.

It reads logs as replay does; see limitgauge formats. It exits 4 if the log is too
short to decide any setting.`,
		Example: `  limitgauge size access.log
  limitgauge size access.log --per remote_addr --refuse-at-most 0.1% --abusers bad.txt
  limitgauge size access.log --algorithm fixed-window --windows 1s,1min,1h
  limitgauge size access.log --rates 60/min,300/min --of keys --refuse-at-most 0%`,
		Args:              usage.Arguments(1, -1),
		ValidArgsFunction: files(-1),
	}
	s.flags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if s.Explain {
			return a.explainFormats(c, &replaying{Reading: s.Reading}, args)
		}
		q, err := s.question()
		if err != nil {
			return err
		}
		o, err := (&replaying{Reading: s.Reading}).options(c, args)
		if err != nil {
			return err
		}
		if _, err := inputs.Claim(a.Host, &s.run, s.out.Adds, inputs.Names("the log", o.Files...), inputs.Names("the list of abusers", s.abusers)); err != nil {
			return err
		}
		if q.Abusers, err = readKeys(s.abusers); err != nil {
			return err
		}
		if o.SortMemory, err = s.run.Sorting(); err != nil {
			return err
		}
		if q.Hash, err = s.run.Hidden.Hash(); err != nil {
			return err
		}
		if o.Hide = q.Hash != nil; o.Hide && o.PerFile {
			return usage.Errorf("--hash-keys: the names of files are the keys, and the answer names the files: keys cannot be hashed")
		}
		o.Stdin = a.In
		q.Command = (&replaying{Reading: s.Reading}).rerun(c, args)
		q.Rerun = rerunOf(c, "size", args)
		q.Version = a.BuildStamp().Version
		var d *size.Document
		err = a.onLogs(c.Context(), o, "size", s.run.Quiet, func(r *logs.Recording) (err error) {
			d, err = q.Answer(c.Context(), r)
			return err
		})
		if usage.Is[*size.Misfit](err) {
			return usage.Wrong(err)
		}
		if err != nil {
			return err
		}
		return a.showSized(d, &s.out)
	}
	return c
}

func (s *sizeFlags) flags(c *cobra.Command) {
	s.Reading.Flags(c, "size nothing")
	f := c.Flags()
	f.StringVar(&s.atMost, "refuse-at-most", "0.1%", "refuse at most this `SHARE` of the demand: from 0% to below 100%")
	f.StringVar(&s.reserve, "reserve", "1", "multiply each least burst or count by this `FACTOR`, such as 1.5, rounded up")
	f.StringVar(&s.of, "of", "requests", "`WHAT` the share counts: requests, or keys with a refused request")
	f.StringVar(&s.algorithm, "algorithm", least.Algorithms()[0], "size this `ALGORITHM`: "+strings.Join(least.Algorithms(), ", "))
	f.StringSliceVar(&s.windows, "windows", []string{"1s", "1min", "1h"}, "`WINDOWS` of fixed-window and sliding-window-log; for buckets, the periods in which rates are written")
	f.StringSliceVar(&s.rates, "rates", nil, "try these `RATES` of buckets alone, such as 60/min,300/min; by default 1, 2, 3, 5, 10 ... as far as the log can decide")
	f.StringVar(&s.abusers, "abusers", "", "`FILE` of keys to stop, one a line: they are kept out of the demand")
	f.IntVar(&s.parts, "parts", 4, "cut the log by time into `N` parts, and count what each is refused under the setting that the others need; 1 tests nothing")
	s.run.Hidden.Flags(c)
	inputs.SortMemoryFlag(c, &s.run.SortMemory)
	f.BoolVarP(&s.run.Quiet, "quiet", "q", false, "print no progress")
	s.out.fileFlags(c, "settings", "table", "markdown", "csv", "json")
	f.StringVar(&s.out.plots, "plots", "", "draw the settings as a PNG plot into `DIR`")
	c.RegisterFlagCompletionFunc("of", fixed([]string{"requests", "keys"}))
	c.RegisterFlagCompletionFunc("algorithm", fixed(least.Algorithms()))
}

// question returns what the flags ask.
func (s *sizeFlags) question() (*size.Question, error) {
	q := &size.Question{AtMost: s.atMost, Of: s.of, Per: s.Per, AbusersFile: s.abusers, Where: s.Where, Shared: s.Shared, Parts: s.parts}
	if err := usage.Choice("of", s.of, []string{"requests", "keys"}); err != nil {
		return nil, err
	}
	if err := usage.Choice("algorithm", s.algorithm, least.Algorithms()); err != nil {
		return nil, err
	}
	q.Algorithm, _ = least.Find(s.algorithm)
	share, err := units.ParseFraction(s.atMost)
	switch {
	case err == nil && !strings.HasSuffix(s.atMost, "%"): // 0.1 would be a tenth
		return nil, usage.Errorf("--refuse-at-most %s: write it in percent, such as 0.1%%", s.atMost)
	case err != nil || share.Num >= share.Den:
		return nil, usage.Errorf("--refuse-at-most %s: want 0%% to below 100%%", s.atMost)
	}
	reserve, err := units.ParseFraction(s.reserve)
	if err != nil || reserve.Num < reserve.Den || reserve.Num > 1000*reserve.Den {
		return nil, usage.Errorf("--reserve %s: want a factor from 1 to 1000, such as 1.5", s.reserve)
	}
	q.Goal = least.Goal{AtMost: share, OfKeys: s.of == "keys", Reserve: reserve}
	switch {
	case s.parts < 1 || s.parts > 100:
		return nil, usage.Errorf("--parts %d: want 1 to 100", s.parts)
	case s.Shared && s.abusers != "":
		return nil, usage.Errorf("--abusers goes without --shared: a limit that all share cannot stop some of them")
	case s.Shared && q.Goal.OfKeys:
		return nil, usage.Errorf("--of keys goes without --shared: one limit for all is one key")
	case len(s.rates) > 0 && !q.Algorithm.Bucket:
		return nil, usage.Errorf("--rates goes with buckets; %s has --windows", s.algorithm)
	}
	q.Windows, err = lists.Try(s.windows, func(text string) (int64, error) {
		return usage.TimeFlag("--windows", text, time.Millisecond, 366*24*time.Hour)
	})
	if err != nil {
		return nil, err
	}
	if q.Rates, err = lists.Try(s.rates, units.ParseLimit); err != nil {
		return nil, usage.Errorf("--rates: %w", err)
	}
	q.Rates = lists.Distinct(q.Rates)
	return q, nil
}

// readKeys reads keys, one a line. Lines without text are left out.
func readKeys(name string) (keys []string, err error) {
	if name == "" {
		return nil, nil
	}
	text, err := inputs.ReadFile(name)
	if err != nil {
		return nil, err
	}
	lines := lists.Map(strings.Split(string(text), "\n"), strings.TrimSpace)
	keys = lists.Where(lines, func(key string) bool { return key != "" })
	if len(keys) == 0 {
		return nil, usage.Errorf("--abusers %s: no key in it; want one a line", name)
	}
	return keys, nil
}
