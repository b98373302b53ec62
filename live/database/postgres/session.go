package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// conn is a connection of the driver. It is used without database/sql, whose pool
// would be part of what is measured.
type conn interface {
	driver.Conn
	driver.QueryerContext
	driver.ExecerContext
	driver.Validator
}

// Session is one connection. It is not safe for concurrent use.
type Session struct {
	conn    conn
	network net.Conn
}

// Exec runs statements that are separated by semicolons. It cancels them if ctx is
// done.
func (s *Session) Exec(ctx context.Context, statements string) error {
	_, err := s.conn.ExecContext(ctx, statements, nil)
	return err
}

// Rows runs a query and returns the first column of its rows as text; NULL is "".
func (s *Session) Rows(ctx context.Context, query string) ([]string, error) {
	rows, err := s.conn.QueryContext(ctx, query, nil)
	if err != nil {
		return nil, err
	}
	return firstColumn(rows)
}

// firstColumn returns the first column of rows as text, and closes them.
func firstColumn(rows driver.Rows) ([]string, error) {
	defer rows.Close()
	var all []string
	cells := make([]driver.Value, len(rows.Columns()))
	for {
		switch err := rows.Next(cells); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		if b, ok := cells[0].([]byte); ok {
			all = append(all, string(b))
		} else if cells[0] != nil {
			all = append(all, fmt.Sprint(cells[0]))
		} else {
			all = append(all, "")
		}
	}
}

// Value returns the first column of a query's only row.
func (s *Session) Value(ctx context.Context, query string) (string, error) {
	return only(s.Rows(ctx, query))
}

// only returns the only row.
func only(rows []string, err error) (string, error) {
	if err == nil && len(rows) != 1 {
		err = fmt.Errorf("%d rows instead of one", len(rows))
	}
	if err != nil {
		return "", err
	}
	return rows[0], nil
}

// Close ends the connection.
func (s *Session) Close() error { return s.conn.Close() }

// Conflicts reports whether an error is a conflict of transactions that a retry may
// overcome: SQLSTATE 40001 or 23505.
func Conflicts(err error) bool {
	return pq.As(err, pqerror.TRSerializationFailure, pqerror.UniqueViolation) != nil
}

// Class returns what kind of failure an error of a server is, such as "SQLSTATE
// 40001", or "" for other errors. It contains nothing that the server quotes.
func Class(err error) string {
	if e, ok := errors.AsType[*pq.Error](err); ok {
		return "SQLSTATE " + string(e.Code)
	}
	if errors.Is(err, driver.ErrBadConn) {
		return "connection closed"
	}
	return ""
}
