package targets

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Postgres declares the kind of limiters that are a query of a PostgreSQL server.
// Package postgres opens them.
func Postgres() catalog.Entry {
	return catalog.Entry{
		Name:    "postgres",
		Summary: "a query of a PostgreSQL server",
		Idea: "Each request runs `query` once, as a transaction of its own, on the connection that is free first. The query returns one row. " +
			"Its first column admits the request if it is true or a number of at least 0, and rejects it if it is false or a negative number. " +
			"A number is also what remains of the limit. The address is a DSN: a URL, or keywords with values. Its password comes from PGPASSWORD " +
			"or a password file (PGPASSFILE).",
		Fields: []catalog.Field{
			{Name: "query", Kind: catalog.String, Required: true, Doc: "query with parameters $1, $2 and so on, such as `select take_token($1)`"},
			{Name: "parameters", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.String}, Doc: "templates of the parameters; {key} alone by default"},
			{Name: "isolation", Kind: catalog.Enum, Enum: []string{"read committed", "repeatable read", "serializable"}, Default: "read committed", Doc: "isolation level of the transactions"},
			{Name: "retries", Kind: catalog.Int, Unit: "retries", Default: "10", Min: "0", Max: "1000",
				Doc: "how often a transaction is repeated within one request because it conflicts with another one (SQLSTATE 40001 and 23505) and therefore had no effect"},
			{Name: "connections", Kind: catalog.Int, Unit: "connections", Default: "8", Min: "1", Max: "1000", Doc: "connections, each of which runs one query at a time; further requests wait for one"},
			{Name: "timeout", Kind: catalog.Duration, Default: "1s", Min: "1ms", Max: "1h", Doc: "time after which a request is given up; the server may still run its query"},
		},
	}
}
