package postgres

import (
	"context"
	"database/sql/driver"
)

// Statement is a query with parameters that the server has prepared for a session.
type Statement struct {
	session *Session
	stmt    interface {
		driver.Stmt
		driver.StmtQueryContext
	}
}

// Prepare has the server prepare a query, whose parameters are $1, $2 and so on. Like
// Value of a Statement, it aborts the session if ctx is done.
func (s *Session) Prepare(ctx context.Context, query string) (*Statement, error) {
	stop := context.AfterFunc(ctx, s.abort)
	defer stop()
	stmt, err := s.conn.Prepare(query)
	if err != nil {
		return nil, err
	}
	p := &Statement{session: s}
	p.stmt = stmt.(interface {
		driver.Stmt
		driver.StmtQueryContext
	})
	return p, nil
}

// Parameters returns the number of parameters.
func (p *Statement) Parameters() int { return p.stmt.NumInput() }

// Value runs the query once and returns the first column of its only row. If ctx is
// done, it closes the session's connection and returns at once, though the server may
// still run the query: to cancel a query takes as long as the server does not answer.
func (p *Statement) Value(ctx context.Context, parameters []string) (string, error) {
	stop := context.AfterFunc(ctx, p.session.abort)
	defer stop()
	values := make([]driver.NamedValue, len(parameters))
	for i, text := range parameters {
		values[i] = driver.NamedValue{Ordinal: i + 1, Value: text}
	}
	rows, err := p.stmt.QueryContext(context.Background(), values)
	if err != nil {
		return "", err
	}
	return only(firstColumn(rows))
}

// Broken reports whether the connection cannot be used again.
func (s *Session) Broken() bool { return !s.conn.IsValid() }

// abort closes the network connection, so that what waits for the server fails.
func (s *Session) abort() { s.network.Close() }
