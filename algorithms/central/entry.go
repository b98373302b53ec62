// Package central declares the limiter with one counter per key, which every client
// uses without delay. It declares options and presets only; to run such a limiter,
// use a table of package counting.
//
// The package makes no promise: it can change at any time.
package central

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "central",
		Summary: "one counter per key that all clients use without delay: no network",
		Idea: "Every client uses the same counter at the time of the request. This is what a single process does, " +
			"and the ideal with which every distributed enforcement is compared.",
		Bound:  "the bound of its counter",
		Source: "the definition of the policy",
		Fields: counting.JointFields(),
	}
}

const (
	sharedTokenBucket = "Seastar, doc/shared-token-bucket.md and include/seastar/util/shared_token_bucket.hh"
	tokensOfModels    = "token limits of gateways for language models (docs/systems/llm-tokens.md)"
	tokensInSQL       = "F. Pachot, Rate limiting with PostgreSQL / YugabyteDB (a series), dev.to, January 2022"
)

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{System: "Seastar", Counter: "rover"},
		catalog.Preset{
			Name:    "rover-capped",
			Summary: "rover bucket that grants a token again only after the request that used it has completed",
			Idea: "A third rover, ceil, follows completions: time replenishes tokens, but only as many as the guarded backend has given back. " +
				"When the backend slows down, so does the bucket, and the queue stays with the callers.",
			Bound:   "throughput = min(rate, limit / hold time); cost in flight is never above the limit",
			Source:  sharedTokenBucket + " (capped_release::yes)",
			Options: map[string]string{"capped": "true"},
		},
		catalog.Preset{
			Name:    "rover-faithful",
			Summary: "rover bucket with the original's arithmetic: rounded credits and a stamp that moves to now",
			Idea: "Each replenish credits what the time since the stamp has earned, rounded, and moves the stamp to now, so rounding errors add up. " +
				"Callers replenish when they read the bucket, each after its claim.",
			Bound: "long-run rate between N/(N+0.5) and N/(N-0.5) of the configured one for threshold N: 0.667 to 2.0 at threshold 1, where callers that poll quickly get 2.0, " +
				"and within 0.5 % at 100",
			Source:  sharedTokenBucket,
			Options: map[string]string{"stamp": "now", "replenish": "on-look"},
		},
		catalog.Preset{
			Name:    "rover-no-refund",
			Summary: "rover bucket whose callers do not wait and do not refund their claims: all callers starve",
			Idea: "A claim never fails, so a rejected caller moves tail, too. Under overload tail grows faster than head, and from then on " +
				"every caller is behind more claims than the rate can serve. Later versions of the original have refund.",
			Bound:   "none: if offered load is k times the rate, k > 1, every request is rejected once the bucket is empty",
			Source:  sharedTokenBucket + " before refund (commit 23309298b)",
			Options: map[string]string{"when_short": "refuse", "refund": "false"},
		},
		catalog.Preset{
			Name:    "kafka-sampled-average",
			Summary: "the average over 11 samples of one second; rejects while it is above the quota",
			Idea: "Kafka's quota before KIP-599 changed it for controller mutations: a request is admitted while the average of the samples is within the quota, and counts in full. " +
				"With `samples: 100` a burst of 560 at 5/s is throttled for 100 s, although 12 s would be enough.",
			Bound:  "over 10 to 11 s at most the limit plus the largest cost; a burst blocks its key until its sample is dropped",
			Source: "Apache Kafka, KIP-599; controller.quota.window.num 11 and controller.quota.window.size.seconds 1 by default",
			System: "Kafka", Counter: "sampled-average", Options: map[string]string{"samples": "11"},
		},
		catalog.Preset{
			Name:    "kafka-token-bucket",
			Summary: "a bucket that admits any request while it is not in debt, like Kafka's controller quota since 2.7",
			Idea: "KIP-599's replacement for the sampled average: a request is admitted while the bucket is not below zero, and then takes its whole cost. " +
				"Kafka's bucket holds quota * samples * window; here that is the policy's burst.",
			Bound:  "burst + rate*t plus the largest cost in any t seconds; a burst is paid off at the quota's rate",
			Source: "Apache Kafka, KIP-599 and org.apache.kafka.common.metrics.stats.TokenBucket",
			System: "Kafka", Counter: "token-bucket", Options: map[string]string{"debt": "true"},
		},
		catalog.Preset{
			Name:    "check-then-deduct",
			Summary: "admits while anything of the window is left, and takes the cost when it is known with the answer",
			Idea: "The window is checked when a request arrives and charged when its answer has ended, as by gateways that count the tokens of a language model's responses. " +
				"What is in flight is not counted.",
			Bound:  "over the limit by at most the cost in flight: requests in flight times the largest cost",
			Source: tokensOfModels + "; envoyproxy/ai-gateway",
			System: "LLM gateways", Counter: "fixed-window", Options: map[string]string{"settle": "check-then-deduct"},
		},
		catalog.Preset{
			Name:    "deduct-estimate",
			Summary: "takes an estimate of the cost, and the difference to the actual cost at the answer",
			Idea:    "A request takes its estimate when it arrives, such as the tokens of its prompt. At the answer the difference to the actual cost is taken, or given back.",
			Bound:   "over the limit by at most what requests in flight cost beyond their estimates",
			Source:  tokensOfModels + "; Kuadrant/limitador PR 515 (Reserve and Commit)",
			System:  "LLM gateways", Counter: "fixed-window", Options: map[string]string{"settle": "deduct-estimate-then-settle"},
		},
		catalog.Preset{
			Name:    "reserve-quantile",
			Summary: "reserves the 95th percentile of the latest 1000 costs, and settles the difference at the answer",
			Idea:    "A request reserves what most requests cost, whatever its own estimate is. At the answer the difference is taken or given back.",
			Bound:   "over the limit by at most what requests in flight cost beyond the quantile",
			Source:  tokensOfModels,
			System:  "LLM gateways", Counter: "fixed-window", Options: map[string]string{"settle": "reserve-quantile-then-settle"},
		},
		catalog.Preset{
			Name:    "reserve-maximum",
			Summary: "reserves the largest possible cost, and gives back at the answer what was not used",
			Idea:    "A request reserves the most that it can cost, such as its prompt and the longest answer. It is never short, but what it will not use is closed to others until the answer.",
			Bound:   "never over the limit; requests in flight hold the maximum each",
			Source:  tokensOfModels,
			System:  "LLM gateways", Counter: "fixed-window", Options: map[string]string{"settle": "reserve-maximum-then-refund"},
		},
		catalog.Preset{
			Name:    "sql-token-bucket-exact",
			Summary: "sql-token-bucket with all its defects corrected: it is the exact token bucket",
			Idea: "Fractions of a token are stored, the timestamp is that of the call, a rejection changes nothing, the level is capped before the token is taken, " +
				"and the clock has a sufficient resolution.",
			Bound:  "admitted cost in any span of t seconds is at most burst + rate*t; it makes the decisions of token-bucket",
			Source: tokensInSQL + "; the corrections are ours",
			System: "SQL", Counter: "sql-token-bucket",
			Options: map[string]string{"rounding": "kept", "stamp": "call", "refusal_writes": "false", "cap": "before-take", "clock": "1ns"},
		},
	)
}
