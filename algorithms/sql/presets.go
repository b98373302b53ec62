package sql

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const tokensInSQL = "F. Pachot, Rate limiting with PostgreSQL / YugabyteDB (a series), dev.to, January 2022"

// Presets returns the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "sql-serializable",
				Summary: "sql-token-bucket in a database: serializable transactions that fail with 40001 when they conflict, and are retried",
				Idea: "As published: each call is a serializable transaction, and its caller retries a failure. On a hot key most first attempts fail, " +
					"and each retry costs the database as much as a call.",
				Bound:  "at most one commit per key and service time; the share of first attempts that succeed falls from 100 % for one caller to about 10 % for 32",
				Source: tokensInSQL,
			},
			System: "SQL", Counter: "sql-token-bucket",
		},
		{
			Entry: catalog.Entry{
				Name:    "sql-read-committed",
				Summary: "sql-token-bucket in a database under read committed: callers wait for the row instead of failing, and their wait is credited",
				Idea: "An UPDATE under read committed waits for the row's lock and continues with the new row. The timestamp it stores is the start of its transaction, " +
					"before the wait, so the next caller is credited that wait again.",
				Bound:  "up to n times the limit for n callers that are always waiting",
				Source: tokensInSQL,
			},
			System: "SQL", Counter: "sql-token-bucket", Options: map[string]string{"isolation": "read-committed"},
		},
	}
}
