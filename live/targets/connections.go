package targets

import (
	"context"
	"errors"
)

// Connection is what Connections needs of a connection.
type Connection interface {
	Broken() bool // it cannot be used again
	Close() error
}

// Connections are a fixed number of connections, each of which serves one request at
// a time. A request waits for the connection that is free first. It never repeats
// what failed on a connection: a broken one is opened again by the next request that
// gets it.
type Connections[C Connection] struct {
	open func(context.Context) (C, error)
	free chan place[C]
}

// place holds a connection, or is empty.
type place[C Connection] struct {
	connection C
	taken      bool
}

// NewConnections opens n connections. It returns an error if one cannot be opened.
func NewConnections[C Connection](ctx context.Context, n int, open func(context.Context) (C, error)) (*Connections[C], error) {
	all := &Connections[C]{open, make(chan place[C], n)}
	for opened := range n {
		c, err := open(ctx)
		if err != nil {
			for range n - opened {
				all.free <- place[C]{}
			}
			return nil, errors.Join(err, all.Close())
		}
		all.free <- place[C]{c, true}
	}
	return all, nil
}

// Use calls use with a connection that nobody else uses. It returns an error if none
// is free or can be opened before ctx ends.
func (all *Connections[C]) Use(ctx context.Context, use func(C) error) error {
	var p place[C]
	select {
	case p = <-all.free:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() {
		if p.taken && p.connection.Broken() {
			p.connection.Close()
			p = place[C]{}
		}
		all.free <- p
	}()
	if !p.taken {
		c, err := all.open(ctx)
		if err != nil {
			return err
		}
		p = place[C]{c, true}
	}
	return use(p.connection)
}

// Close waits until no connection is in use and closes all. Nothing else may be called
// then.
func (all *Connections[C]) Close() (err error) {
	for range cap(all.free) {
		if p := <-all.free; p.taken {
			err = errors.Join(err, p.connection.Close())
		}
	}
	return err
}
