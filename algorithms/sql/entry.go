package sql

import (
	"slices"
	"strconv"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

const (
	series       = "F. Pachot, Rate limiting with PostgreSQL / YugabyteDB (a series), dev.to, January 2022"
	yugabyteDocs = "docs.yugabyte.com, architecture/transactions: concurrency-control, transaction-priorities, transactional-io-path"
)

// MaxReplicas is the largest number of replicas of a row.
const MaxReplicas = 9

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "sql",
		Summary: "one row per key in a SQL database: each request is a transaction that locks the row and may conflict with others",
		Idea: "Callers call the database for each request. An attempt works on one of the `processors` for `overhead`, then its transaction begins and takes its snapshot; after `statement` " +
			"it takes the row's lock and holds it for `service_time`, while the log is flushed; then it needs a processor again for its commit and its `response`. Under `serializable` a transaction " +
			"whose row has changed since its snapshot fails with 40001, which takes a processor for `abort`; one that finds the lock held waits, and fails after the holder's commit and its `recheck`. " +
			"Under `read-committed` all that wait recheck after a commit; the first continues with a new statement, the others wait again. " +
			"A caller that has its response calls again before those that have failed (`head_start`). Two first calls for a key cannot both insert " +
			"its row: the second one fails with 23505 (40001 under serializable). A failed call is retried by the caller or by the server, up to `retries` times. " +
			"With `tablets: hashed` the rows are spread over the topology's servers, as in YugabyteDB: a caller calls its own server, each statement goes on to the " +
			"leader of the row's tablet, and the commit takes a Raft round. With `on_conflict: fail` no transaction waits: the one with the higher random priority aborts the other.",
		Bound: "one commit per key at a time: at most 1/service_time decisions per second on a hot key. One caller that calls without pause commits once in " +
			"overhead + statement + service_time + response + 2 wakeup. Serializable, n callers that call without pause, a processor for each that has no work but the overhead d, " +
			"service s, both exponential: the share of first attempts that succeed is 1/(1 + m), m = the sum over j from 1 to n-1 of the product over i from 1 to j of " +
			"a/(a + 1/s), a = (n-i)/d. Read committed, sql-token-bucket: every waiter's wait is credited again, so n callers are credited up to n times the refill. " +
			"Hashed, on a hot row: at most one commit per service_time, Raft round and round trip to the leader, whatever the number of servers.",
		Source: series + "; PostgreSQL documentation, Transaction Isolation; " + yugabyteDocs,
		Over:   []string{"sql-token-bucket", "token-bucket", "gcra", "fixed-window", "sliding-window-log", "sliding-window-counter"},
		Fields: slices.Concat(calling(), locking(), working(), spreading(), retrying()),
	}
}

// calling returns the fields about callers.
func calling() []catalog.Field {
	return []catalog.Field{
		{Name: "connections", Kind: catalog.Int, Unit: "calls", Default: "1", Min: "1", Max: "100000",
			Doc: "calls of one client that can be in flight at once; its other requests wait for a connection"},
		{Name: "when_short", Kind: catalog.Enum, Enum: []string{"refuse", "wait"}, Default: "refuse",
			Doc: "what a caller does that got no token: give up, or call again later"},
		{Name: "max_wait", Needs: catalog.Needs{"when_short: wait"}, Kind: catalog.Duration, Default: "1s", Min: "0s", Doc: "time after its arrival at which a waiting request gives up"},
		{Name: "wait_interval", Needs: catalog.Needs{"when_short: wait"}, Kind: catalog.Duration, Min: "1us",
			Doc: "how long a caller waits before it calls again (default: until its call would succeed if no other caller called)"},
		{Name: "timeout", Needs: catalog.Needs{"faults: any"}, Kind: catalog.Duration, Default: "1s", Min: "1us", Doc: "how long a caller waits for a store that cannot be reached"},
	}
}

// locking returns the fields about the database.
func locking() []catalog.Field {
	return []catalog.Field{
		{Name: "isolation", Kind: catalog.Enum, Enum: []string{"serializable", "read-committed"}, Default: "serializable", Doc: "what a transaction does whose row another one has changed in the meantime: fail, or continue with the new row"},
		{Name: "service_time", Met: true, Kind: catalog.Union, Choices: times(), Default: "{exponential: {mean: 150us}}", Bare: "constant", Doc: "time from the row's lock until the log is flushed and the commit can go on, without a processor; with hashed tablets, of a statement at the row's leader"},
		{Name: "overhead", Met: true, Kind: catalog.Union, Choices: times(), Default: "{exponential: {mean: 33us}}", Bare: "constant", Doc: "processor time of an attempt before its transaction begins; with its caller's time, if callers run on the server's processors"},
		{Name: "processors", Met: true, Needs: catalog.Needs{"overhead: above 0 or tablets: one"}, Kind: catalog.Int, Default: "2", Min: "1", Max: "100000", Doc: "attempts that a server works on at once; the `service_time` needs no processor"},
		{Name: "lock_wait_credited", Kind: catalog.Bool, Default: "true",
			Doc: "whether a transaction that waited for a lock began before the wait; if false, it begins when it has the lock, as if an earlier statement had taken the lock"},
		{Name: "on_conflict", Kind: catalog.Enum, Enum: []string{"wait", "fail"}, Default: "wait",
			Doc: "what a transaction does that finds its row taken: wait, or abort the one of the two with the lower random priority (YugabyteDB's Fail-on-Conflict; under read-committed the priorities are equal, and it aborts itself)"},
		{Name: "for_update", Kind: catalog.Share, Default: "0%", Min: "0", Max: "1",
			Doc: "share of the transactions that begin with SELECT ... FOR UPDATE: they take the row one statement earlier, and with a priority above all others"},
		{Name: "single_row", Needs: catalog.Needs{"tablets: hashed or on_conflict: fail"}, Kind: catalog.Share, Default: "0%", Min: "0", Max: "1",
			Doc: "share of the other transactions that are one statement about one row, which the row's leader commits by itself; they all have the highest normal priority"},
	}
}

// working returns the fields about the processors of one server whose transactions
// wait for rows. The defaults were measured; see docs/systems/sql.md.
func working() []catalog.Field {
	time := func(name, mean, doc string) catalog.Field {
		return catalog.Field{Name: name, Met: true, Needs: oneServer, Kind: catalog.Union, Choices: times(), Default: mean, Bare: "constant", Doc: doc}
	}
	return []catalog.Field{
		time("statement", "55us", "processor time from the transaction's snapshot to its row: a change that is committed meanwhile makes a serializable transaction fail"),
		time("response", "35us", "processor time after the commit until the response has left"),
		time("recheck", "20us", "processor time of a transaction that waits for a row, after each commit of the row: under read committed all that wait recheck at once, under serializable each fails after the one before has rechecked"),
		time("abort", "90us", "processor time of a transaction that fails, after its recheck, until its response has left"),
		{Name: "wakeup", Met: true, Needs: oneServer, Kind: catalog.Duration, Default: "17us", Min: "0s", Doc: "time until an idle processor begins to work"},
		{Name: "head_start", Met: true, Needs: oneServer, Kind: catalog.Share, Default: "30%", Min: "0", Max: "1",
			Doc: "share of the calls that follow a response at once and go on with its processor, ahead of all that wait for one"},
	}
}

// oneServer is the condition of working's fields.
var oneServer = catalog.Needs{"tablets: one", "on_conflict: wait"}

// spreading returns the fields about a database on several servers.
func spreading() []catalog.Field {
	return []catalog.Field{
		{Name: "tablets", Kind: catalog.Enum, Enum: []string{"one", "hashed"}, Default: "one",
			Doc: "where the rows are: on one server, or spread over the topology's servers by a hash of the key, with replicas; client i calls server i modulo their number"},
		{Name: "replicas", Needs: catalog.Needs{"tablets: hashed", "servers: above 1"}, Kind: catalog.Int, Default: "3", Min: "1", Max: strconv.Itoa(MaxReplicas),
			Doc: "replicas of each row, at most one per server; a commit waits until the majority has it"},
		{Name: "server_network", Met: true, Needs: catalog.Needs{"tablets: hashed", "servers: above 1"}, Kind: catalog.Union, Default: "same", Bare: "constant",
			Choices: append([]catalog.Entry{{Name: "same", Summary: "the distribution of the topology's network, with independent draws"}}, catalog.Latencies()...),
			Doc:     "round-trip latency between two servers"},
	}
}

// retrying returns the fields about failed calls.
func retrying() []catalog.Field {
	return []catalog.Field{
		{Name: "retries", Kind: catalog.Int, Default: "10", Min: "0", Max: "1000000", Doc: "number of retries of a failed call"},
		{Name: "retried_by", Needs: catalog.Needs{"retries: above 0"}, Kind: catalog.Enum, Enum: []string{"caller", "server"}, Default: "caller", Doc: "who retries: the caller, over the network, or the server before the caller sees the error"},
		{Name: "retry_delay", Needs: catalog.Needs{"retries: above 0"}, Kind: catalog.Union, Choices: delays(), Default: "0s", Bare: "constant", Doc: "how long the caller or the server waits before a retry"},
		{Name: "on_failure", Kind: catalog.Enum, Enum: []string{"fail-closed", "fail-open"}, Default: "fail-closed", Doc: "whether a request is rejected or admitted when its retries are used up or its call is not answered"},
	}
}

func delays() []catalog.Entry {
	return []catalog.Entry{
		{Name: "constant", Summary: "equally long before each retry", Fields: []catalog.Field{
			{Name: "time", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "the wait"},
		}},
		{Name: "exponential", Summary: "longer with each retry of a call", Fields: []catalog.Field{
			{Name: "base", Kind: catalog.Duration, Default: "100ms", Min: "1ns", Doc: "wait before the first retry"},
			{Name: "max", Kind: catalog.Duration, Default: "1s", Min: "1ns", Doc: "maximum wait"},
			{Name: "multiplier", Kind: catalog.Int, Default: "2", Min: "1", Max: "1000", Doc: "factor from one wait to the next"},
			{Name: "jitter", Kind: catalog.Enum, Enum: []string{"none", "full"}, Default: "none",
				Doc: "full draws the wait uniformly between 0 and the computed wait; none waits exactly that long"},
		}},
	}
}

func times() []catalog.Entry {
	return catalog.Times("constant", "exponentially distributed", "duration")
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{Source: series, System: "SQL", Counter: "sql-token-bucket"},
		catalog.Preset{
			Name:    "sql-serializable",
			Summary: "sql-token-bucket in a database: serializable transactions that fail with 40001 when they conflict, and are retried",
			Idea: "As published: each call is a serializable transaction, and its caller retries a failure. On a hot key most first attempts fail, " +
				"and each retry costs the database as much as a call.",
			Bound: "at most one commit per key and service time; the share of first attempts that succeed falls from 100 % for one caller to about 10 % for 32",
		},
		catalog.Preset{
			Name:    "sql-read-committed",
			Summary: "sql-token-bucket in a database under read committed: callers wait for the row instead of failing, and their wait is credited",
			Idea: "An UPDATE under read committed waits for the row's lock and continues with the new row. The timestamp it stores is the start of its transaction, " +
				"before the wait, so the next caller is credited that wait again.",
			Bound:   "up to n times the limit for n callers that are always waiting",
			Options: map[string]string{"isolation": "read-committed"},
		},
		catalog.Preset{
			Name:    "yugabyte-fail-on-conflict",
			System:  "YugabyteDB",
			Summary: "sql-token-bucket in YugabyteDB as of 2022: rows spread over servers, and the transaction with the lower random priority is aborted",
			Idea: "The rows are spread over the servers by a hash of the key. A caller's server sends the statement to the leader of the row and commits with a Raft round. Nobody waits for a row: " +
				"of two transactions that meet, the one with the higher random priority aborts the other. The loser's caller sees 40001 and retries, up to 20 times as in the author's runs.",
			Bound: "on a hot row at most one commit per statement at the leader, round trip to it and Raft round, whatever the number of servers; conflicts increase with the callers. " +
				"On many rows commits increase with the servers",
			Source:  series + " (the retries: Scaling Token Buckets Rate limiting with YugabyteDB); " + yugabyteDocs,
			Options: map[string]string{"tablets": "hashed", "on_conflict": "fail", "ties": "even", "retries": "20"},
		},
		catalog.Preset{
			Name:    "yugabyte-wait-on-conflict",
			System:  "YugabyteDB",
			Summary: "sql-token-bucket in YugabyteDB with wait queues: a transaction waits for the holder of its row, and the server then restarts it",
			Idea: "The rows are spread over the servers by a hash of the key. A transaction that finds its row taken waits at the row's leader. When the holder commits, the statement is " +
				"restarted by the server with a newer snapshot, up to 60 times (`yb_max_query_layer_retries`), and the transaction that began first gets the row.",
			Bound:   "on a hot row at most one commit per statement at the leader, round trip to it and Raft round, whatever the number of servers; each commit fails all that wait, and the server restarts them",
			Source:  yugabyteDocs + ", read-committed; reference/configuration (yb_max_query_layer_retries)",
			Options: map[string]string{"tablets": "hashed", "ties": "even", "retries": "60", "retried_by": "server"},
		},
	)
}
