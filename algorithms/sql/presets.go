package sql

import "github.com/limitgauge/limitgauge/scenarios/catalog"

const tokensInSQL = "F. Pachot, Rate limiting with PostgreSQL / YugabyteDB (a series), dev.to, January 2022"

// Presets declares the published limiters that this package models.
func Presets() []catalog.Preset {
	return []catalog.Preset{
		{
			Entry: catalog.Entry{
				Name:    "sql-serializable",
				Summary: "sql-token-bucket in a database: serializable transactions that fail with 40001 when they meet, and are retried",
				Idea: "As published: each call is a serializable transaction, and its caller retries what fails. On a hot key most first tries fail, " +
					"and each retry costs the database as much as a call.",
				Bound:  "at most one commit a key each service time; the share of first tries that succeed falls from 100 % for one caller to about 10 % for 32",
				Source: tokensInSQL,
			},
			System: "SQL", Counter: "sql-token-bucket",
		},
		{
			Entry: catalog.Entry{
				Name:    "sql-read-committed",
				Summary: "sql-token-bucket in a database under read committed: callers wait for the row instead of failing, and are credited their wait",
				Idea: "An UPDATE under read committed waits for the row's lock and goes on with the new row. The stamp it stores is the start of its transaction, " +
					"before the wait, so whoever comes next is credited that wait again.",
				Bound:  "up to n times the limit for n callers that are always waiting",
				Source: tokensInSQL,
			},
			System: "SQL", Counter: "sql-token-bucket", Options: map[string]string{"isolation": "read-committed"},
		},
	}
}
