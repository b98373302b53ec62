package describe

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
)

// sourceWord is a word of a publication for something that has another name
// here, or that a reader of the publication looks for.
type sourceWord struct {
	Name    string
	source  string
	meaning string
	options []string // that model it, as "limiter option"; limiter is an enforcement or a counter
	See     []string // commands without "limitgauge", the nearest first
}

const (
	ofDatabricks = "Databricks' post"
	ofStages     = "the page docs/systems/databricks.md, for a stage of Databricks' post"
	ofMetrics    = "the page docs/metrics.md"
	ofSeastar    = "Seastar's document and code"
	ofPachot     = "F. Pachot's series on SQL"
	ofYugabyte   = "YugabyteDB's documentation"
)

// Words lists the words in the order of their publications.
var Words = []sourceWord{
	{"RateLimitGroup", ofDatabricks, "Names the resources that a limit protects. It is a policy of a scenario; a request can fall under several.",
		nil, []string{"help scenarios", "explain descriptors"}},
	{"RLG", ofDatabricks, "Short for RateLimitGroup: a policy of a scenario.", nil, []string{"explain RateLimitGroup"}},
	{"dimension", ofDatabricks, "What a limit counts by, such as workspace, user or account. It is the `per` of a policy; one value is a key.",
		nil, []string{"help scenarios", "explain descriptors"}},
	{"descriptor", ofDatabricks, "A group, a dimension and a value, under which a request is counted: one key of one policy. A request with several descriptors passes only if all admit it.",
		[]string{"central charge", "batch-reported charge"}, []string{"explain descriptors", "help scenarios"}},
	{"shouldRateLimit", ofDatabricks, "The call in which a gateway asks for a decision: one per request at first, none on the request path with batch reports.",
		nil, []string{"explain remote", "explain server_calls_per_s"}},
	{"Dicer", ofDatabricks, "The autosharder that assigns each key to the server which counts it.",
		[]string{"batch-reported sharding", "batch-reported moved_state", "remote route"}, []string{"explain sharded-memory"}},
	{"autosharding", ofDatabricks, "Assigns each key to the server which counts it, and moves keys to balance load.",
		[]string{"batch-reported sharding", "remote route"}, []string{"explain sharded-memory", "explain Dicer"}},
	{"consistent hashing", ofDatabricks, "Sends the requests of a key to the same replica, which counts in memory and syncs with Redis.",
		[]string{"remote route", "remote sync_interval"}, []string{"explain remote-cached"}},
	{"hotspotting", ofDatabricks, "One replica gets more load than the others, because a key or its part of the ring is busy.",
		[]string{"remote service_time", "remote route"}, []string{"explain remote-cached", "run databricks --scenario 'hot key'"}},
	{"sidecar", ofDatabricks, "The process beside the gateway that contains the client: a local hop for each decision.",
		[]string{"remote sidecar", "batch-reported sidecar"}, []string{"explain batch-reported", "explain remote"}},
	{"prefetching", ofDatabricks, "Rejected option: clients fetch tokens in advance.", nil, []string{"explain prefetch"}},
	{"batching", ofDatabricks, "Rejected option: requests wait until their batch is answered.", []string{"remote batch_size", "remote batch_time"}, []string{"explain blocking-batches"}},
	{"sampling", ofDatabricks, "Rejected option: only a fraction of the requests is sent.", []string{"batch-reported sample"}, []string{"explain sampled-reports"}},
	{"batch-reporting", ofDatabricks, "Clients decide by themselves and report their counts periodically.", []string{"batch-reported interval"}, []string{"explain batch-reported"}},
	{"optimistic", ofDatabricks, "A client admits a request unless it already knows that it has to reject it.", []string{"batch-reported unknown"}, []string{"explain batch-reported"}},
	{"outstandingHits", ofDatabricks, "The requests of a key that a client admitted since its last report. The server counts or debits them. --reports writes them as outstanding_hits.",
		[]string{"batch-reported interval", "batch-reported count_in", "batch-reported order"}, []string{"explain batch-reported", "step batch-reported", "run FILE --reports REPORTS.csv"}},
	{"rejectedHits", ofDatabricks, "The requests of a key that a client rejected since its last report. They are never counted against the limit; they only enter the estimate of demand. --reports writes them as rejected_hits.",
		[]string{"batch-reported count_rejected_in_estimate"}, []string{"explain batch-reported", "step batch-reported", "run FILE --reports REPORTS.csv"}},
	{"rejectTilTimestamp", ofDatabricks, "The part of an answer that states until when a client rejects all requests of a key. --reports writes it as reject_til_ns.",
		[]string{"batch-reported reject_til", "batch-reported reject_til_as"}, []string{"explain batch-reported", "step batch-reported", "run FILE --reports REPORTS.csv"}},
	{"rejectionRate", ofDatabricks, "The part of an answer that states which share of the requests a client rejects: (estimatedQps - limit)/estimatedQps. --reports writes it as rejection_rate.",
		[]string{"batch-reported rejection_rate", "batch-reported thinning", "batch-reported rate_ttl"}, []string{"explain rejection-rate", "explain rejection-rate-only", "step rejection-rate"}},
	{"estimatedQps", ofDatabricks, "The server's estimate of the demand for a key in the coming second, from the past one.",
		[]string{"batch-reported estimate", "batch-reported count_rejected_in_estimate"}, []string{"explain rejection-rate"}},
	{"fanout", ofDatabricks, "One report or request becomes several calls, because its descriptors belong to several servers.",
		[]string{"batch-reported group_by_owner", "remote fan_out"}, []string{"explain fanout_mean", "explain cycle_latency_p99_ms"}},
	{"client-side local rate limiter", ofDatabricks, "A bucket in each client that cuts off obvious excess at once.",
		[]string{"batch-reported local_limit"}, []string{"explain batch-debt-local", "explain rejection-rate-local"}},
	{"go negative", ofDatabricks, "The token bucket remembers excess: its level falls below zero, and requests are rejected until it is paid back.",
		[]string{"token-bucket debt", "token-bucket burst"}, []string{"explain batch-debt-local", "explain batch-debt"}},
	{"Lua script", ofDatabricks, "Writes a whole report to Redis in one operation, on the way to counts in memory.",
		[]string{"batch-reported store"}, []string{"explain batch-reported-redis"}},
	{"latency", ofDatabricks, "The first problem that the post names: the time from the arrival of a request at the gateway to its decision. One call per request waits for two hops; a gateway that decides by itself waits for none, or for a local hop to its sidecar.",
		[]string{"remote timeout", "remote sidecar", "batch-reported sidecar"},
		[]string{"explain decision_latency_mean_ms", "explain decision_latency_p99_ms", "explain tail latency", "run databricks --scenario 'tail latency'"}},
	{"tail latency", ofDatabricks, "The latency of the slowest decisions, such as the 99th percentile. The post states 10 to 20 ms for a hop, and that it became up to ten times better.",
		[]string{"remote timeout", "batch-reported sidecar"},
		[]string{"run databricks --scenario 'tail latency'", "explain decision_latency_p99_ms", "explain decision_latency_p999_ms"}},
	{"fairness", ofMetrics, "Whether each tenant, and each client, receives the share that it should: what the reference admits to it, or its max-min fair share of a limit that it shares.",
		nil, []string{"explain fairness_tenant_run_min", "explain fairness_client_run_min", "explain client_share_max_over_min", "run databricks --scenario 'one gateway 10x'"}},
	{"single point of failure", ofDatabricks, "The single Redis instance: without it no limit is kept.",
		[]string{"remote on_timeout", "batch-reported unknown"}, []string{"explain store-down", "run databricks --scenario 'store down'"}},

	{"A0", ofStages, "The first design: a gateway asks a replica of the service for each request, and the replica asks Redis. Two hops per request.",
		nil, []string{"explain remote", "run databricks --scenario 'steady 3x'"}},
	{"A1", ofStages, "Consistent hashing: the requests of a key reach one replica, which counts in memory and syncs with Redis.",
		[]string{"remote route", "remote sync_interval"}, []string{"explain remote-cached", "run databricks --scenario 'steady 3x'"}},
	{"A2", ofStages, "Counts in memory: an autosharder gives each key one owner, and there is no Redis. One hop per request.",
		nil, []string{"explain sharded-memory", "explain Dicer", "run databricks --scenario 'store down'"}},
	{"A3", ofStages, "Batched reports: gateways decide by themselves and report every 100 ms. The answer states until when to reject.",
		[]string{"batch-reported interval", "batch-reported reject_til"}, []string{"explain batch-reported", "run databricks --scenario 'steady 3x'"}},
	{"A3r", ofStages, "The steps between Redis and counts in memory: servers write the reports to Redis, row by row, as one batch, or with a Lua script.",
		[]string{"batch-reported store"},
		[]string{"explain batch-reported-redis", "explain batch-reported-redis-batch", "explain batch-reported-redis-descriptor", "run databricks --scenario 'many keys'"}},
	{"A4", ofStages, "Rejection rate: the answer also states which share of the requests to reject, computed from the demand of the previous second.",
		[]string{"batch-reported rejection_rate", "batch-reported estimate", "batch-reported thinning"},
		[]string{"explain rejection-rate", "explain rejection-rate-only", "run databricks --scenario 'steady 3x'"}},
	{"A5", ofStages, "As A4, with a local limiter in each gateway that cuts off obvious excess at once.",
		[]string{"batch-reported local_limit"}, []string{"explain rejection-rate-local", "explain client-side local rate limiter", "run databricks --scenario step"}},
	{"A6", ofStages, "The design that the post ends with: a token bucket that can go into debt, without windows and rejection rate. The local limiter stays.",
		[]string{"token-bucket debt", "batch-reported order", "batch-reported local_limit"},
		[]string{"explain batch-debt-local", "explain batch-debt", "explain batch-debt-rate", "run databricks --scenario 'steady 3x'"}},
	{"R1", ofStages, "Rejected option: prefetching tokens. It has many edge cases at the start, and when tokens run out or expire.",
		nil, []string{"explain prefetch", "run databricks --scenario 'low limit, many clients'"}},
	{"R2", ofStages, "Rejected option: batches that block. Requests wait until their batch is answered, which adds delay and uses memory.",
		[]string{"remote batch_size", "remote batch_time"}, []string{"explain blocking-batches", "run databricks --scenario 'steady 3x'"}},
	{"R3", ofStages, "Rejected option: sampling. Reports count a fraction of the requests, which is right only at high rates.",
		[]string{"batch-reported sample"}, []string{"explain sampled-reports", "run databricks --scenario 'low limit, many clients'"}},

	{"rover", ofSeastar, "A counter that only increases. A bucket has the rovers tail and head and, with capped release, ceil.",
		nil, []string{"step rover", "explain rover-faithful", "explain rover-capped"}},
	{"tail", ofSeastar, "The rover of claimed tokens: grab moves it.", nil, []string{"explain rover", "step rover"}},
	{"head", ofSeastar, "The rover of replenished tokens: replenish and refund move it.", nil, []string{"explain rover", "step rover"}},
	{"ceil", ofSeastar, "With capped release, the rover that head may not pass: release moves it.", []string{"rover capped"}, []string{"explain rover-capped", "step rover"}},
	{"grab", ofSeastar, "Claims tokens. It always succeeds and returns the caller's ticket, the new tail.", nil, []string{"explain rover", "step rover"}},
	{"ticket", ofSeastar, "The value of tail after a claim. A caller proceeds when head has reached its ticket.", nil, []string{"explain rover", "step rover"}},
	{"deficiency", ofSeastar, "How many tokens of a ticket are not there yet: the caller waits, or refunds.",
		[]string{"rover when_short", "rover max_wait"}, []string{"explain rover", "step rover"}},
	{"replenish", ofSeastar, "Moves head by what the time since the last call has earned.", []string{"rover replenish", "rover stamp", "rover threshold"}, []string{"explain rover", "step rover"}},
	{"replenisher", ofSeastar, "The caller or timer that moves head.", []string{"rover replenish", "rover replenish_interval"}, []string{"explain rover", "step rover"}},
	{"capped release", ofSeastar, "Replenished tokens come from those that completed requests have released, so a slow backend is not over-subscribed.",
		[]string{"rover capped", "shards reap_interval", "shards reap"}, []string{"explain rover-capped", "explain rover-shards-capped"}},
	{"release", ofSeastar, "Capped release: returns the tokens of a completed request.", []string{"rover capped", "shards reap_interval"}, []string{"explain rover-capped", "step rover"}},
	{"refund", ofSeastar, "Gives back a claim that was not used.", []string{"rover refund", "shards unused"}, []string{"explain rover-no-refund", "step rover"}},
	{"duration_for", ofSeastar, "The time in which missing tokens are earned: how long a caller sleeps.", []string{"shards idle", "rover replenish"}, []string{"explain shards", "step rover"}},
	{"fair group", ofSeastar, "The shards that share a bucket: first request by request, since 2025 in batches.", []string{"shards reserve", "shards per_poll"}, []string{"explain rover-shards-batch", "explain rover-shards"}},
	{"hog", ofSeastar, "Work that keeps a shard busy in the bucket's test, so that it polls late.", []string{"shards stalls"}, []string{"explain shards"}},

	{"tk", ofPachot, "The column of available tokens.", []string{"sql-token-bucket rounding", "sql-token-bucket refusal_writes"}, []string{"explain sql-token-bucket", "step sql-token-bucket"}},
	{"ts", ofPachot, "The column of the last call's time: the start of its transaction.", []string{"sql-token-bucket stamp", "sql-token-bucket clock"}, []string{"explain sql-token-bucket", "step sql-token-bucket"}},
	{"refill_per_sec", ofPachot, "The tokens that a key earns per second, 2 by default.", []string{"sql-token-bucket refill"}, []string{"explain sql-token-bucket", "step sql-token-bucket"}},
	{"window_seconds", ofPachot, "The seconds of refill that a bucket holds, 60 by default.", []string{"sql-token-bucket window"}, []string{"explain sql-token-bucket", "step sql-token-bucket"}},
	{"rate_limiting_request", ofPachot, "The function that takes a token in a transaction. It returns the remaining tokens, or -1.", nil, []string{"explain sql-serializable", "step sql-token-bucket"}},
	{"rate_limiting_token_bucket", ofPachot, "The table: one row per key with tk and ts.", nil, []string{"explain sql-token-bucket", "explain sql-serializable"}},
	{"40001", ofPachot, "The error of a serializable transaction that conflicts with another one. Its caller retries.",
		[]string{"sql isolation", "sql retries", "sql retried_by"}, []string{"explain sql-serializable"}},
	{"pessimistic locking", ofPachot, "A transaction waits for the row's lock and then continues.",
		[]string{"sql isolation", "sql on_conflict", "sql lock_wait_credited"}, []string{"explain sql-read-committed", "explain yugabyte-wait-on-conflict"}},
	{"optimistic locking", ofPachot, "A transaction can fail on a conflict; the application retries it.",
		[]string{"sql isolation", "sql on_conflict", "sql retries"}, []string{"explain yugabyte-fail-on-conflict", "explain sql-serializable"}},
	{"Fail-on-Conflict", ofYugabyte, "Of two transactions in conflict the one with the lower random priority is aborted.",
		[]string{"sql on_conflict", "sql for_update"}, []string{"explain yugabyte-fail-on-conflict"}},
	{"Wait-on-Conflict", ofYugabyte, "A transaction in conflict waits for the holder, then continues or restarts.",
		[]string{"sql on_conflict", "sql isolation"}, []string{"explain yugabyte-wait-on-conflict"}},
	{"kAborted", ofYugabyte, "The internal error of an aborted transaction; its caller sees 40001 or the server retries.",
		[]string{"sql retries", "sql retried_by", "sql on_failure"}, []string{"explain yugabyte-fail-on-conflict", "explain 40001"}},
	{"tablet", ofYugabyte, "A part of a table with a leader on one server; a row belongs to one by the hash of its key.",
		[]string{"sql tablets", "sql replicas"}, []string{"explain yugabyte-fail-on-conflict"}},
	{"wound", ofYugabyte, "A transaction with a higher priority aborts the one that has the row.", []string{"sql on_conflict", "sql for_update"}, []string{"explain yugabyte-fail-on-conflict"}},
	{"die", ofYugabyte, "A transaction that meets an equal or higher priority aborts itself.", []string{"sql on_conflict"}, []string{"explain yugabyte-fail-on-conflict"}},
	{"wait queue", ofYugabyte, "Where transactions wait for the holder of their row, at the leader of the tablet.", []string{"sql on_conflict"}, []string{"explain yugabyte-wait-on-conflict"}},
	{"yb_max_query_layer_retries", ofYugabyte, "How often the server restarts the first statement of a transaction, 60 by default.", []string{"sql retries", "sql retried_by", "sql retry_delay"}, []string{"explain yugabyte-wait-on-conflict"}},
}

// explainWord states what a source means by a word, which commands to use next, and which
// options model it.
func explainWord(w *strings.Builder, word *sourceWord) {
	fmt.Fprintf(w, "%s (word of %s)\n%s\nSee\n", word.Name, word.source, usage.Wrap(word.meaning, "", 96))
	for _, command := range word.See {
		fmt.Fprintf(w, "  limitgauge %s\n", command)
	}
	if len(word.options) == 0 {
		return
	}
	fmt.Fprint(w, "\nOptions that model it\n")
	for _, name := range word.options {
		limiter, f := optionNamed(name)
		fmt.Fprintf(w, "  %s of %s: %s\n%s", f.Name, limiter, f.Takes(), usage.Wrap(f.Text(), "      ", 96))
	}
}

// optionNamed returns the option of a sourceWord. It panics if there is none.
func optionNamed(name string) (limiter string, f *catalog.Field) {
	limiter, option, _ := strings.Cut(name, " ")
	all := sim.Catalog()
	for _, entries := range [][]catalog.Entry{all.Enforcements, all.Counters} {
		if e := catalog.Find(entries, limiter); e != nil {
			if f := catalog.Find(e.Fields, option); f != nil {
				return limiter, f
			}
		}
	}
	panic("no option " + name)
}

// spelled returns the known name that equals name but for case, spaces, hyphens and
// underscores, or name if there is none or name itself is known.
func spelled(name string, known []string) string {
	i := slices.IndexFunc(known, func(k string) bool { return letters(k) == letters(name) })
	if i < 0 || slices.Contains(known, name) || letters(name) == "" {
		return name
	}
	return known[i]
}

// letters returns the letters and digits of a name, in lower case.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
