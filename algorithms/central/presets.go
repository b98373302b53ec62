package central

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const (
	sharedTokenBucket = "Seastar, include/seastar/util/shared_token_bucket.hh"
	tokensInSQL       = "F. Pachot, Rate limiting with PostgreSQL / YugabyteDB (a series), dev.to, January 2022"
)

// Presets declares the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "rover-capped",
				Summary: "rover bucket that hands a token out again only after the request that used it has completed",
				Idea: "A third rover, ceil, follows completions: tokens are replenished by time, but only as many as the guarded backend has given back. " +
					"When the backend slows down, the bucket slows down with it and the queue stays with the callers.",
				Bound:  "throughput = min(rate, limit / hold time); in-flight cost never above the limit",
				Source: sharedTokenBucket + " (capped_release::yes)",
			},
			System: "Seastar", Counter: "rover", Options: map[string]string{"capped": "true"},
		},
		{
			Entry: catalog.Entry{
				Name:    "rover-faithful",
				Summary: "rover bucket with the original's arithmetic: rounded credits and a stamp that moves to now",
				Idea: "Each look credits what the time since the stamp has earned, rounded, and moves the stamp to now, so rounding errors add up. " +
					"Callers replenish as they look, each after its claim.",
				Bound: "long-run rate between N/(N+0.5) and N/(N-0.5) of the configured one for threshold N: 0.667 to 2.0 at 1, where busy pollers get 2.0, " +
					"and within 0.5 % at 100",
				Source: sharedTokenBucket,
			},
			System: "Seastar", Counter: "rover", Options: map[string]string{"stamp": "now", "replenish": "on-look"},
		},
		{
			Entry: catalog.Entry{
				Name:    "rover-no-refund",
				Summary: "rover bucket whose callers refuse to wait and do not give their claims back: it starves everybody",
				Idea: "A claim never fails, so a refused caller has moved tail all the same. Under overload tail runs away from head, and from then on " +
					"every caller is behind more claims than the rate can pay. The original got refund for this later.",
				Bound:  "none: with offered k times the rate, k > 1, everything is refused once the bucket is empty",
				Source: sharedTokenBucket + " before refund (commit 23309298b)",
			},
			System: "Seastar", Counter: "rover", Options: map[string]string{"when_short": "refuse", "refund": "false"},
		},
		{
			Entry: catalog.Entry{
				Name:    "kafka-sampled-average",
				Summary: "the average over 11 samples of a second, refused while it is above the quota",
				Idea: "Kafka's quota as KIP-599 found it for controller mutations: a request is let in while the average of the samples is within the quota, and recorded in full. " +
					"With `samples: 100` a burst of 560 at 5/s is throttled for 100 s, though 12 s would do.",
				Bound:  "over 10 to 11 s at most the limit plus the largest cost; a burst blocks its key until its sample is dropped",
				Source: "Apache Kafka, KIP-599; controller.quota.window.num 11 and controller.quota.window.size.seconds 1 by default",
			},
			System: "Kafka", Counter: "sampled-average", Options: map[string]string{"samples": "11"},
		},
		{
			Entry: catalog.Entry{
				Name:    "kafka-token-bucket",
				Summary: "a bucket that lets any request in while it is not in debt, as Kafka's controller quota has it since 2.7",
				Idea: "KIP-599's answer to its sampled average: a request is let in while the bucket is not below zero, and then takes its whole cost. " +
					"Kafka's bucket holds quota * samples * window; here that is the policy's burst.",
				Bound:  "burst + rate*t plus the largest cost in any t seconds; a burst is paid off at the quota's rate",
				Source: "Apache Kafka, KIP-599 and org.apache.kafka.common.metrics.stats.TokenBucket",
			},
			System: "Kafka", Counter: "token-bucket", Options: map[string]string{"debt": "true"},
		},
		{
			Entry: catalog.Entry{
				Name:    "sql-token-bucket-exact",
				Summary: "sql-token-bucket with everything mended: it is the exact token bucket",
				Idea: "Fractions of a token are stored, the stamp is that of the call, a refusal changes nothing, the level is cut before the token is taken, " +
					"and the clock is fine enough for what is simulated.",
				Bound:  "admitted cost in any span of t seconds is at most burst + rate*t, as of token-bucket, whose decisions it makes",
				Source: tokensInSQL + "; the mending is ours",
			},
			System: "SQL", Counter: "sql-token-bucket",
			Options: map[string]string{"rounding": "kept", "stamp": "call", "refusal_writes": "false", "cap": "before-take", "clock": "1ns"},
		},
	}
}
