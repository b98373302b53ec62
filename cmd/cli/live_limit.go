package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// askedLimit holds the flags that describe a scenario of live without a file.
type askedLimit struct {
	limit, reference, pattern, rate, duration string
	burst                                     int64
	clients                                   int
}

func (l *askedLimit) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&l.limit, "limit", "", "without a FILE: the `LIMIT` that the target should keep, such as 100/min")
	f.Int64Var(&l.burst, "burst", 0, "with --limit: depth of the bucket in `REQUESTS`; the limit's count unless given")
	f.StringVar(&l.reference, "reference", "token-bucket", "with --limit: exact `LIMITER` to measure against: token-bucket, sliding-log or fixed-window")
	f.StringVar(&l.pattern, "pattern", "poisson", "with --limit: `PATTERN` of the requests: poisson or constant")
	f.StringVar(&l.rate, "rate", "", "with --limit: `RATE` of the requests; twice the limit unless given")
	f.StringVar(&l.duration, "duration", "", "with --limit: `TIME` for which requests are sent; ten windows, at least 10s, unless given")
	f.IntVar(&l.clients, "clients", 1, "with --limit: `N` clients, each with connections of its own")
	c.RegisterFlagCompletionFunc("reference", fixed([]string{"token-bucket", "sliding-log", "fixed-window"}))
	c.RegisterFlagCompletionFunc("pattern", fixed([]string{"poisson", "constant"}))
}

// longestDefault is the longest run of live that nobody asked for.
const longestDefault = 10 * time.Minute

// counterOf maps a reference to the algorithm that decides like it.
var counterOf = map[string]string{"token-bucket": "token-bucket", "sliding-log": "sliding-window-log", "fixed-window": "fixed-window"}

// scenario writes the flags as a scenario file in JSON, which is YAML too.
func (l *askedLimit) scenario(c *cobra.Command) ([]byte, error) {
	limit, err := units.ParseLimit(l.limit)
	if err != nil {
		return nil, usage.Errorf("--limit: %w", err)
	}
	if err := usage.Choice("reference", l.reference, slices.Sorted(maps.Keys(counterOf))); err != nil {
		return nil, err
	}
	policy := map[string]any{"limit": l.limit, "reference": l.reference}
	if c.Flags().Changed("burst") {
		policy["burst"] = l.burst
	}
	l.rate = cmp.Or(l.rate, fmt.Sprintf("%d/%s", 2*limit.Count, units.FormatDuration(limit.Per)))
	if l.duration == "" {
		ten := max(10*time.Duration(limit.Per), 10*time.Second)
		if ten > longestDefault {
			return nil, usage.Errorf("--duration: ten windows of this limit last %v: say how long to send", ten)
		}
		l.duration = units.FormatDuration(int64(ten))
	}
	return json.Marshal(map[string]any{
		"version": 1, "duration": l.duration,
		"scenarios": []any{map[string]any{
			"name": "live", "policy": policy, "algorithms": []string{counterOf[l.reference]},
			"topology": map[string]any{"clients": l.clients},
			"traffic":  []any{map[string]any{"pattern": l.pattern, "rate": l.rate}},
		}},
	})
}

// liveFile returns the file whose requests are sent: the one that the command names, or
// one made of --limit.
func (a *app) liveFile(c *cobra.Command, l *living, r *inputs.Running, args []string) (*scenarios.File, error) {
	o := r.Overrides(c)
	if l.only != "" {
		o.Only = []string{l.only}
	}
	switch {
	case len(args) > 0 && l.asked.limit != "":
		return nil, usage.Errorf("--limit describes what a FILE describes: give one of the two")
	case len(args) > 0:
		if err := undescribed(c); err != nil {
			return nil, err
		}
		return inputs.LoadScenarios(c.Context(), a.Host, args[0], o)
	case l.asked.limit == "":
		return nil, usage.Errorf("want a scenario FILE, or --limit")
	case l.trial.OwnNetwork:
		return nil, usage.Errorf("--own-network: --limit describes no network; use a scenario FILE")
	}
	text, err := l.asked.scenario(c)
	if err != nil {
		return nil, err
	}
	f, problems := scenarios.LoadSound("live", text, ".", a.Catalog(), o)
	if len(problems) > 0 {
		return nil, flagProblems(problems, liveFlag)
	}
	if err := f.Override(o); err != nil {
		return nil, usage.Wrong(err)
	}
	return f, nil
}

// liveFlag returns the flag from which a field of the scenario is, as the beginning of
// a message.
func liveFlag(_, field string) string {
	switch field {
	case "burst", "rate", "duration", "clients", "pattern", "reference":
		return "--" + field + ": "
	}
	return "--limit: "
}
