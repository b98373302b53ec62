package postgres

import (
	"cmp"
	"errors"
	"net/url"
	"regexp"

	"github.com/limitgauge/limitgauge/live/database/postgres"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Kind returns the kind of limiters that are a query of a PostgreSQL server.
func Kind() targets.Kind {
	k := targets.Of(targets.Postgres(), read, open)
	k.Clock = true
	return k
}

type options struct {
	query       string
	parameters  []targets.Template
	isolation   string
	retries     int64
	connections int64
	timeoutNs   int64
	server      *postgres.Server
}

func read(s *targets.Setting, v catalog.Values) (o options, err error) {
	texts := v.List("parameters")
	if !v.Set("parameters") {
		texts = []any{"{key}"}
	}
	o = options{
		query: v.String("query"), isolation: v.String("isolation"),
		retries: v.Int("retries"), connections: v.Int("connections"), timeoutNs: v.Duration("timeout"),
	}
	o.parameters, err = s.Templates("parameters", texts)
	dsn, wrong := s.One()
	if err := cmp.Or(err, catalog.ErrorIf(o.query == "", "query is missing: the query that decides a request"), wrong, withoutPassword(dsn)); err != nil {
		return o, err
	}
	if o.server, err = postgres.Parse(dsn, true); err != nil {
		return o, err
	}
	if host := o.server.Other(); host != "" {
		return o, s.Allowed(host)
	}
	return o, nil
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
