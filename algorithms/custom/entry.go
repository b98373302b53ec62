// Package custom declares the enforcement of limiters that are not part of
// limitgauge: other programs, and Go code that uses package gauge.
//
// The package makes no promise: it can change at any time.
package custom

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "custom",
		Summary: "a limiter of your own: a program in any language, or Go code with package gauge",
		Idea: "A program receives each request as a line on its standard input and answers whether it admits it (docs/exec.md). " +
			"It learns the policy's limit, window and burst in its first line. Go code is called directly (docs/gauge.md).",
		Bound:  "unknown; with `as`, every verdict is compared with that of the exact counter",
		Source: "docs/exec.md and docs/gauge.md",

		Counterless: true,
		ImpliedBy:   "exec",
		Fields: []catalog.Field{
			{Name: "exec", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.String, Doc: "the program, then its arguments"},
				Doc: "the program and its arguments, such as [python3, limiter.py]; it runs in the directory of the scenario file, and only with --allow-exec"},
			{Name: "instances", Kind: catalog.Enum, Enum: []string{"shared", "per-client"}, Default: "shared", Needs: catalog.Needs{"clients: above 1"},
				Doc: "one limiter that all clients use without delay, or a limiter in each client, which does not know of the others"},
			{Name: "waits", Kind: catalog.Bool, Default: "false",
				Doc: "the limiter can delay a request that it admits"},
			{Name: "max_wait", Kind: catalog.Duration, Min: "0s", Needs: catalog.Needs{"waits: true"},
				Doc: "longest wait that the reference shaper grants a request; by default as long as it takes"},
			{Name: "draws", Kind: catalog.Bool, Default: "false",
				Doc: "the limiter draws random numbers from the seed that it receives, so that replications differ"},
			{Name: "as", Kind: catalog.Enum, Enum: catalog.Names(counting.Entries()),
				Doc: "counter whose verdicts the limiter should give: every verdict is compared with its own, and how long a request waits. A limiter that waits is compared with a queue, or with a token bucket in which requests wait for tokens"},
			{Name: "as_options", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.String, Doc: "NAME=VALUE"}, Needs: catalog.Needs{"as: set"},
				Doc: "options of this counter, such as [fill_interval=10ms] of timer-bucket"},
			{Name: "tolerance", Kind: catalog.Duration, Min: "0s", Default: "0s", Needs: catalog.Needs{"as: set"},
				Doc: "a verdict may differ within this time of the instant at which the exact one changes"},
			{Name: "timeout", Kind: catalog.Duration, Min: "1ms", Default: "10s", Needs: catalog.Needs{"exec: set"},
				Doc: "longest real time without an answer to a block of up to 1024 requests, after which the run ends"},
		},
	}
}
