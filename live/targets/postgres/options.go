package postgres

import (
	"cmp"
	"errors"
	"net/url"
	"regexp"

	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Kind returns the kind of limiters that are a query of a PostgreSQL server.
func Kind() targets.Kind { return targets.Kind{Entry: Entry(), Clock: true, Check: check, Open: open} }

// Entry declares the kind.
func Entry() catalog.Entry {
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

type options struct {
	query       string
	parameters  []targets.Template
	isolation   string
	retries     int64
	connections int64
	timeoutNs   int64
}

func read(s *targets.Setting, v catalog.Values) (o options, err error) {
	v = catalog.WithDefaults(Entry().Fields, v)
	texts := v.List("parameters")
	if !v.Set("parameters") {
		texts = []any{"{key}"}
	}
	o = options{
		query: v.String("query"), isolation: v.String("isolation"),
		retries: v.Int("retries"), connections: v.Int("connections"), timeoutNs: v.Duration("timeout"),
	}
	o.parameters, err = s.Templates("parameters", texts)
	return o, cmp.Or(err, catalog.ErrorIf(o.query == "", "query is missing: the query that decides a request"))
}

var passwordKeyword = regexp.MustCompile(`(?i)(^|[\s?&])(ssl)?password\s*=`)

// withoutPassword returns an error if a DSN contains a password.
func withoutPassword(dsn string) error {
	if passwordKeyword.MatchString(dsn) {
		return errPassword
	}
	if u, err := url.Parse(dsn); err == nil && u.User != nil {
		if _, given := u.User.Password(); given {
			return errPassword
		}
	}
	return nil
}

var errPassword = errors.New("the address contains a password: put it in PGPASSWORD or in a password file (PGPASSFILE)")
