package postgres

import (
	"context"
	"net"
	"sync"
	"time"
)

type dial = func(ctx context.Context, network, address string) (net.Conn, error)

// DialWith returns the server with another function that opens its connections, such
// as one that refuses some addresses.
func (s *Server) DialWith(open func(ctx context.Context, network, address string) (net.Conn, error)) *Server {
	return &Server{s.config, open}
}

// dialer is the driver's dialer. It keeps what it opens until the session is
// connected. The driver uses it later to cancel statements.
type dialer struct {
	dial      dial
	mutex     sync.Mutex // of opened, while it connects
	opened    net.Conn
	connected bool
}

// DialContext is Dial for drivers that pass a context.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.dial(ctx, network, address)
	if err != nil || d.connected {
		return c, err
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.opened = c; ctx.Err() != nil {
		c.Close() // abort came too early
	}
	return c, nil
}

// Dial opens a connection.
func (d *dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// DialTimeout is Dial that gives up after a time.
func (d *dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

// abort closes the connection that is being opened, because the driver waits for a
// silent server for longer than its context.
func (d *dialer) abort() {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.opened != nil {
		d.opened.Close()
	}
}
