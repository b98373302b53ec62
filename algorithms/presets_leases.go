package algorithms

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// leasesPresets are limiters that hand something out ahead, to be spent without
// asking, and clients that throttle themselves.
func leasesPresets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "bucket4j-prefetch",
				Summary: "consumeAsMuchAsPossible in batches of 10 that never expire, fetched when the last token is gone",
				Idea: "The limiter of bucket4j's issue 8: a node that has run out takes up to 10 tokens from the shared bucket, spends one and keeps the others " +
					"for as long as it takes.",
				Bound:  "N*(10 - 1) requests more than the bucket allows: 90 for 10 nodes, however long ago they fetched",
				Source: "bucket4j issue 8, comment of 2016-12-31",
			},
			Enforcement: "prefetch", Counter: "token-bucket",
			Options: map[string]string{"low_water": "0", "expiry": "0s", "refusal": "forgotten"},
		},
		{
			Entry: catalog.Entry{
				Name:    "doorman-proportional",
				Summary: "clients lease capacity: an equal share, and what is left in proportion to what is wanted beyond it",
				Idea: "Doorman with PROPORTIONAL_SHARE: leases of 300 s that are refreshed every 5 s. Who wants less than an equal share gets it; " +
					"what that leaves is handed out in proportion to the wants beyond the equal share.",
				Bound:  "leases never exceed the limit; of a limit of 120 and wants of 1000, 50 and 10 they are 69.69, 40.31 and 10 once all have refreshed",
				Source: "youtube/doorman, doc/algorithms.md and go/server/doorman/algorithm.go; lease and refresh times as typical in doc/configuration.md",
			},
			Enforcement: "leases", Counter: "token-bucket", Options: map[string]string{"sharing": "proportional"},
		},
		{
			Entry: catalog.Entry{
				Name:    "doorman-fair",
				Summary: "clients lease capacity: an equal share, and what is left in equal parts, in two rounds",
				Idea: "Doorman with FAIR_SHARE: as doorman-proportional, but what clients leave that want less than their share goes in equal parts to those that want more, " +
					"and what they leave of that once more. It is max-min fairness cut off after two rounds.",
				Bound:  "leases never exceed the limit; of a limit of 120 and wants of 1000, 50 and 10 they are 60, 50 and 10 once all have refreshed",
				Source: "youtube/doorman, doc/algorithms.md and go/server/doorman/algorithm.go; lease and refresh times as typical in doc/configuration.md",
			},
			Enforcement: "leases", Counter: "token-bucket", Options: map[string]string{"sharing": "fair"},
		},
		{
			Entry: catalog.Entry{
				Name:    "sre-throttle",
				Summary: "clients reject with probability (requests - 2*accepts)/(requests + 1) over two minutes, before a token bucket",
				Idea: "The adaptive throttling of Google's clients: as long as at least half of a client's requests are accepted it sends all of them; " +
					"beyond that it sends two for each one that is accepted, and rejects the others by itself.",
				Bound:  "never over the limit of the bucket behind; in steady overload that bucket sees at most about twice the limit",
				Source: "Site Reliability Engineering (2016), chapter 21, Handling Overload, \"Client-Side Throttling\"",
			},
			Enforcement: "client-throttle", Counter: "token-bucket",
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
			Enforcement: "central", Counter: "sampled-average", Options: map[string]string{"samples": "11"},
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
			Enforcement: "central", Counter: "token-bucket", Options: map[string]string{"debt": "true"},
		},
	}
}
