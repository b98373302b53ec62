package sql

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Entry returns the catalog entry of the enforcement.
func Entry() catalog.Entry {
	return catalog.Entry{
		Name:    "sql",
		Summary: "one row per key in a SQL database: each request is a transaction that locks the row and may conflict with others",
		Idea: "Callers call the database for each request. An attempt works on one of the `processors` for `overhead`, then its transaction begins; the UPDATE " +
			"takes the row's lock and holds it for `service_time`, up to the commit. Under `serializable` a transaction that finds the lock held waits, " +
			"and fails with 40001 after the holder's commit; under `read-committed` it waits for its turn and continues. Two first calls for a key cannot both insert " +
			"its row: the second one fails with 23505 (40001 under serializable). A failed call is retried by the caller or by the server, up to `retries` times.",
		Bound: "one commit per key at a time: at most 1/service_time decisions per second on a hot key. Serializable, n callers that call without pause, overhead d on c processors, " +
			"service s, both exponential: the share of first attempts that succeed is 1/(1 + m), m = the sum over j from 1 to n-1 of the product over i from 1 to j of " +
			"a/(a + 1/s), a = min(c, n-i)/d. Read committed, sql-token-bucket: every waiter's wait is credited again, so n callers are credited up to n times the refill.",
		Source: "F. Pachot, Rate limiting with PostgreSQL / YugabyteDB (a series), dev.to, January 2022; PostgreSQL documentation, Transaction Isolation",
		Over:   []string{"sql-token-bucket", "token-bucket", "gcra", "fixed-window", "sliding-window-log", "sliding-window-counter"},
		Fields: append(append(calling(), locking()...), retrying()...),
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
		{Name: "service_time", Kind: catalog.Union, Choices: times(), Default: "{exponential: {mean: 150us}}", Bare: "constant", Doc: "time from the row's lock to the commit, which flushes a log to disk"},
		{Name: "overhead", Kind: catalog.Union, Choices: times(), Default: "{exponential: {mean: 33us}}", Bare: "constant", Doc: "processor time of an attempt before its transaction begins"},
		{Name: "processors", Needs: catalog.Needs{"overhead: above 0"}, Kind: catalog.Int, Default: "2", Min: "1", Max: "100000", Doc: "attempts that are worked on at once; commits need no processor"},
		{Name: "lock_wait_credited", Kind: catalog.Bool, Default: "true",
			Doc: "whether a transaction that waited for a lock began before the wait; if false, it begins when it has the lock, as if an earlier statement had taken the lock"},
	}
}

// retrying returns the fields about failed calls.
func retrying() []catalog.Field {
	return []catalog.Field{
		{Name: "retries", Kind: catalog.Int, Default: "10", Min: "0", Max: "1000000", Doc: "number of retries of a failed call"},
		{Name: "retried_by", Needs: catalog.Needs{"retries: above 0"}, Kind: catalog.Enum, Enum: []string{"caller", "server"}, Default: "caller", Doc: "who retries: the caller, over the network, or the server before the caller sees the error"},
		{Name: "retry_delay", Needs: catalog.Needs{"retries: above 0", "retried_by: caller"}, Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long the caller waits before a retry"},
		{Name: "on_failure", Kind: catalog.Enum, Enum: []string{"fail-closed", "fail-open"}, Default: "fail-closed", Doc: "whether a request is rejected or admitted when its retries are used up or its call is not answered"},
	}
}

func times() []catalog.Entry {
	return []catalog.Entry{
		{Name: "constant", Summary: "constant", Fields: []catalog.Field{
			{Name: "time", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "duration"},
		}},
		{Name: "exponential", Summary: "exponentially distributed", Fields: []catalog.Field{
			{Name: "mean", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "mean duration"},
		}},
	}
}

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return catalog.Presets(catalog.Preset{Source: "F. Pachot, Rate limiting with PostgreSQL / YugabyteDB (a series), dev.to, January 2022", System: "SQL", Counter: "sql-token-bucket"},
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
	)
}
