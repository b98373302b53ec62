package sql

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Entry declares the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "sql",
		Summary: "a row a key in a SQL database: each request is a transaction that locks the row, and may conflict with others",
		Idea: "Callers ask the database for each request. A try works on one of its `processors` for `overhead`, then its transaction begins; the UPDATE " +
			"takes the row's lock and holds it for `service_time`, up to the commit. Under `serializable` a transaction that finds the lock held waits, " +
			"and fails with 40001 once the holder has committed; under `read-committed` it waits its turn and goes on. Two first calls for a key cannot both insert " +
			"its row: the second fails with 23505 (40001 under serializable). What has failed is tried again, by the caller or by the server, up to `retries` times.",
		Bound: "one commit a key at a time: at most 1/service_time decisions a second on a hot key. Serializable, n callers that never rest, overhead d on c processors, " +
			"service s, both exponential: the share of first tries that succeed is 1/(1 + m), m = the sum over j from 1 to n-1 of the product over i from 1 to j of " +
			"a/(a + 1/s), a = min(c, n-i)/d. Read committed, sql-token-bucket: every waiter is credited its wait again, so n callers are credited up to n times the refill.",
		Source: "F. Pachot, Rate limiting with PostgreSQL / YugabyteDB (a series), dev.to, January 2022; PostgreSQL documentation, Transaction Isolation",
		Over:   []string{"sql-token-bucket", "token-bucket", "gcra", "fixed-window", "sliding-window-log", "sliding-window-counter"},
		Fields: append(append(calling(), locking()...), retrying()...),
	}
}

// calling are the fields about callers.
func calling() []catalog.Field {
	return []catalog.Field{
		{Name: "connections", Kind: catalog.Int, Unit: "calls", Default: "1", Min: "1", Max: "100000",
			Doc: "calls of one client that may be under way at once; its other requests wait for a connection"},
		{Name: "when_short", Kind: catalog.Enum, Enum: []string{"refuse", "wait"}, Default: "refuse",
			Doc: "what a caller does that got no token: give up, or call again later"},
		{Name: "max_wait", Kind: catalog.Duration, Default: "1s", Min: "0s", Doc: "how long after its arrival a request that waits is given up"},
		{Name: "wait_interval", Kind: catalog.Duration, Min: "1us",
			Doc: "how long a caller waits before it calls again; unless given until the instant at which its own call would succeed if nobody else called"},
		{Name: "timeout", Kind: catalog.Duration, Default: "1s", Min: "1us", Doc: "how long a caller waits for a store that cannot be reached"},
	}
}

// locking are the fields about the database.
func locking() []catalog.Field {
	return []catalog.Field{
		{Name: "isolation", Kind: catalog.Enum, Enum: []string{"serializable", "read-committed"}, Default: "serializable", Doc: "what becomes of a transaction whose row another one has changed meanwhile: it fails, or goes on with the new row"},
		{Name: "service_time", Kind: catalog.Union, Choices: times(), Default: "{exponential: {mean: 150us}}", Bare: "constant", Doc: "from the row's lock to the commit, which flushes a log to disk"},
		{Name: "overhead", Kind: catalog.Union, Choices: times(), Default: "{exponential: {mean: 33us}}", Bare: "constant", Doc: "what a try needs of a processor before its transaction begins"},
		{Name: "processors", Kind: catalog.Int, Default: "2", Min: "1", Max: "100000", Doc: "tries that are worked on at once; commits need none"},
		{Name: "lock_wait_credited", Kind: catalog.Bool, Default: "true",
			Doc: "a transaction that waited for a lock began before it did; false: it begins when it has the lock, as if another statement had taken the lock first"},
	}
}

// retrying are the fields about what fails.
func retrying() []catalog.Field {
	return []catalog.Field{
		{Name: "retries", Kind: catalog.Int, Default: "10", Min: "0", Max: "1000000", Doc: "how often a call that failed is tried again"},
		{Name: "retried_by", Kind: catalog.Enum, Enum: []string{"caller", "server"}, Default: "caller", Doc: "who tries again: the caller, over the network, or the server before the caller sees the error"},
		{Name: "retry_delay", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long the caller waits before it tries again"},
		{Name: "on_failure", Kind: catalog.Enum, Enum: []string{"fail-closed", "fail-open"}, Default: "fail-closed", Doc: "what becomes of a request whose retries are used up, or whose call is not answered"},
	}
}

func times() []catalog.Entry {
	return []catalog.Entry{
		{Name: "constant", Summary: "always the same", Fields: []catalog.Field{
			{Name: "time", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long"},
		}},
		{Name: "exponential", Summary: "exponentially distributed", Fields: []catalog.Field{
			{Name: "mean", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "on average"},
		}},
	}
}
