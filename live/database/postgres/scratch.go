package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Scratch is a schema with a random name, for tables and functions of one
// measurement. Sessions of it see nothing of other schemas but the system's.
type Scratch struct {
	*Server
	Name string
	own  *Session // which has created the schema
}

// NewScratch creates a schema. The caller must call Drop.
func (s *Server) NewScratch(ctx context.Context) (*Scratch, error) {
	c := &Scratch{Server: s, Name: "limitgauge_scratch_" + strings.ToLower(rand.Text()[:12])}
	var err error
	if c.own, err = c.Connect(ctx, "read committed"); err != nil {
		return nil, err
	}
	if err := c.own.Exec(ctx, "create schema "+c.Name); err != nil {
		c.own.Close()
		if ctx.Err() != nil {
			err = errors.Join(err, c.Drop()) // the server may have created it
		}
		return nil, fmt.Errorf("create a schema of its own on %s: %w", s, err)
	}
	return c, nil
}

// Connect opens a connection whose statements use the schema first.
func (c *Scratch) Connect(ctx context.Context, isolation string) (*Session, error) {
	return c.connect(ctx, []string{"default_transaction_isolation", isolation, "search_path", c.Name + ", pg_catalog"})
}

// Exec runs statements in the schema.
func (c *Scratch) Exec(ctx context.Context, statements string) error {
	return c.own.Exec(ctx, statements)
}

// Value returns the first column of the only row of a query in the schema.
func (c *Scratch) Value(ctx context.Context, query string) (string, error) {
	return c.own.Value(ctx, query)
}

// Drop removes the schema and all in it, on a new connection: one whose statement was
// interrupted is closed. It waits for at most 10 s for sessions that still use the
// schema.
func (c *Scratch) Drop() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c.own.Close()
	last, err := c.Server.Connect(ctx, "read committed")
	if err == nil {
		err = errors.Join(last.Exec(ctx, "drop schema if exists "+c.Name+" cascade"), last.Close())
	}
	if err != nil {
		return fmt.Errorf("schema %s remains on %s: %w", c.Name, c.Server, err)
	}
	return nil
}
