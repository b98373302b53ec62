package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/integers"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// Finish computes what passes and waits from the options of a rule that counts as nginx
// does.
func (r *Rule) Finish() {
	o := r.Options
	if o.NoDelay {
		r.AtOnce = o.Burst + 1
	} else {
		r.AtOnce = min(o.Delay, o.Burst) + 1
		r.Waiting = o.Burst - min(o.Delay, o.Burst)
	}
	if rate := int64(math.Round(r.PerSecond * 1000)); rate > 0 && r.Waiting > 0 {
		r.LongestMs = integers.MulDiv(r.Waiting, 1e6, rate, math.MaxInt64)
	}
}

// Describe writes the sentence of each rule, for so many replicas. hashed says that a
// balancer sends all requests of a key to the same replica.
func (c *Config) Describe(replicas int64, hashed bool) {
	for i := range c.Rules {
		r := &c.Rules[i]
		r.Sentence = fmt.Sprintf("%s: %s; %s.\nAt %s. %s", r.counts(), r.rate(), r.above(), r.places(), r.together(replicas, hashed && slices.Equal(r.Of.Fields, []string{client})))
	}
}

func (r *Rule) counts() string { return cmp.Or(r.Counts, "a key that is not given") }

// per returns the unit in which the file writes the rate, and how many seconds it has.
func (r *Rule) per() (unit string, seconds float64) {
	switch {
	case r.Limit.Window >= 3600e9:
		return "an hour", 3600
	case r.Limit.Window >= 60e9:
		return "a minute", 60
	}
	return "a second", 1
}

// exactly writes the limit in whole numbers.
func (r *Rule) exactly() string {
	return fmt.Sprintf("%d in %v", r.Limit.Count, time.Duration(r.Limit.Window))
}

// decimals writes a rate with at most four decimals.
func decimals(x float64) string { return strconv.FormatFloat(math.Round(x*1e4)/1e4, 'f', -1, 64) }

func (r *Rule) rate() string {
	switch {
	case r.Limit.Window == 0:
		return cmp.Or(r.Rate, "a rate that is not given")
	case r.System == "Envoy":
		return r.Rate + ", refilled at every instant (since version 1.32; in steps before)"
	case r.System == "envoyproxy/ratelimit":
		return fmt.Sprintf("%s of the clock, in which refused requests count (up to %d around the end of one)", r.Rate, 2*r.Limit.Count)
	case r.System == "HAProxy":
		return r.Rate + ", in which refused requests " + map[bool]string{true: "do not count", false: "count"}[r.Before]
	case strings.HasSuffix(r.System, "nginx") && r.Limit.Count*1000*1e9%r.Limit.Window != 0: // in thousandths
		return fmt.Sprintf("%s, counted as %s a second (%s)", r.Rate, format.Count(int64(math.Round(r.PerSecond*1000)), "thousandth"), r.counted())
	}
	return r.counted()
}

// counted writes the rate as the server counts it.
func (r *Rule) counted() string {
	unit, seconds := r.per()
	return decimals(r.PerSecond*seconds) + " " + unit
}

// above says what passes at once, and what happens to more.
func (r *Rule) above() string {
	text := one(r.AtOnce) + " at once"
	if r.AtOnce < 0 {
		text = "a burst that is not given"
	}
	if r.LongestMs > 0 && r.Waiting == 0 { // of Traefik: below the time between two tokens
		return fmt.Sprintf("%s, and a request that comes at most %d ms before its token waits; more is refused%s", text, r.LongestMs, with(r.Status))
	}
	if r.Waiting > 0 {
		verb := format.Verb(r.Waiting, "waits", "wait")
		if r.Only {
			verb = "would wait"
		}
		text += fmt.Sprintf(", %s more %s", one(r.Waiting), verb)
		if r.LongestMs > 0 {
			text += fmt.Sprintf(", up to %d ms", r.LongestMs)
		}
	}
	refused := "is refused" + with(r.Status)
	if r.Held {
		refused = "is held first, then refused" + with(r.Status)
	}
	switch {
	case r.Only:
		return text + "; more is counted, and all passes"
	case r.Waiting > 0:
		return text + "; more " + refused
	}
	return text + ", more " + refused
}

// with writes the status of a refusal.
func with(status int) string {
	if status < 0 {
		return " by closing the connection"
	}
	return fmt.Sprintf(" with %d", status)
}

func one(n int64) string {
	if n == 1 {
		return "one"
	}
	return strconv.FormatInt(n, 10)
}

func (r *Rule) places() string {
	return strings.Join(lists.Distinct(lists.Map(r.Uses, func(u Use) string {
		if u.File == r.File && u.Line == r.Line {
			return u.Where
		}
		return fmt.Sprintf("%s, stated at %s", u.Where, u.From(r.Position))
	})), "; ")
}

// together says what replicas let through together.
func (r *Rule) together(replicas int64, hashed bool) string {
	who := map[string]string{"nginx": "nginx", "ingress-nginx": "controller pod", "Envoy": "Envoy", "Traefik": "Traefik", "HAProxy": "HAProxy"}[r.System]
	switch {
	case who == "":
		return "A store counts for all."
	case r.Divided:
		return fmt.Sprintf("The %ss of a cluster divide it among them.", who)
	case r.Only, replicas == 1, r.Limit.Window == 0:
		return fmt.Sprintf("Each %s counts by itself.", who)
	case hashed:
		return fmt.Sprintf("Each %s counts by itself; %d replicas admit no more, as each key reaches one of them.", who, replicas)
	}
	unit, seconds := r.per()
	return fmt.Sprintf("Each %s counts by itself: %d replicas admit up to %d at once and %s %s.", who, replicas, r.AtOnce*replicas, decimals(r.PerSecond*seconds*float64(replicas)), unit)
}
