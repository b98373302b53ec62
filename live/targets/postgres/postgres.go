// Package postgres asks a query of a PostgreSQL server whether requests are admitted.
//
// The package makes no promise: it can change at any time.
package postgres

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/database/postgres"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
)

// target is a query of a server.
type target struct {
	options
	connections *targets.Connections[*connection]
}

// connection is a session with the two queries that it runs.
type connection struct {
	*postgres.Session
	decide, clock *postgres.Statement
}

// open connects to the server and has it prepare the query on each connection.
func open(ctx context.Context, s *targets.Setting, o options) (_ exchange.Target, err error) {
	server := o.server.DialWith(s.Dial)
	t := &target{options: o}
	t.connections, err = targets.NewConnections(ctx, int(o.connections), func(ctx context.Context) (*connection, error) {
		return t.connect(ctx, server)
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (t *target) connect(ctx context.Context, server *postgres.Server) (*connection, error) {
	session, err := server.Connect(ctx, t.isolation)
	if err != nil {
		return nil, err
	}
	c := &connection{Session: session}
	if c.decide, err = session.Prepare(ctx, t.query); err == nil {
		c.clock, err = session.Prepare(ctx, "select (extract(epoch from clock_timestamp()) * 1000000)::bigint")
	}
	if err == nil && c.decide.Parameters() != len(t.parameters) {
		err = fmt.Errorf("it has %d parameters, and parameters lists %d", c.decide.Parameters(), len(t.parameters))
	}
	if err != nil {
		session.Close()
		return nil, fmt.Errorf("query: %w", err)
	}
	return c, nil
}

// Ask implements exchange.Target.
func (t *target) Ask(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
	parameters := lists.Map(t.parameters, func(p targets.Template) string { return p.Of(r) })
	ctx, cancel := context.WithTimeout(ctx, time.Duration(t.timeoutNs))
	defer cancel()
	var value string
	retries := int64(0)
	err := t.connections.Use(ctx, func(c *connection) (err error) {
		for {
			if value, err = c.decide.Value(ctx, parameters); !postgres.Conflicts(err) || retries == t.retries {
				return err
			}
			retries++
		}
	})
	a := exchange.Plain(false)
	if err == nil {
		a, err = verdict(value)
	}
	if a.Retries = retries; err != nil {
		return a, failure(ctx, err)
	}
	return a, nil
}

// verdict reads the first column of a row.
func verdict(value string) (exchange.Answer, error) {
	switch value {
	case "true", "false":
		return exchange.Plain(value == "true"), nil
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || n != n {
		return exchange.Plain(false), targets.Failure("neither a boolean nor a number")
	}
	a := exchange.Plain(n >= 0)
	a.Remaining = int64(min(max(n, 0), 1<<62))
	return a, nil
}

// failure returns the class of an error.
func failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = ctx.Err() // which has closed the connection
	}
	if class := postgres.Class(err); class != "" {
		return targets.Failure(class)
	}
	return targets.FailureOf(err, "database error")
}

// Now implements exchange.Clock with clock_timestamp(), which has microseconds.
func (t *target) Now(ctx context.Context) (unixNs int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(t.timeoutNs))
	defer cancel()
	var text string
	err = t.connections.Use(ctx, func(c *connection) (err error) {
		text, err = c.clock.Value(ctx, nil)
		return err
	})
	if err != nil {
		return 0, failure(ctx, err)
	}
	us, err := strconv.ParseInt(text, 10, 64)
	return us * 1000, err
}

// Close implements exchange.Target.
func (t *target) Close() error { return t.connections.Close() }
