// Package postgres connects to PostgreSQL servers that a user names: servers on
// this machine, unless the user allows others. Its errors and texts contain no
// credentials.
//
// The package makes no promise: it can change at any time.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// Server is a PostgreSQL server and the way to sign in to it.
type Server struct {
	config pq.Config
	dial   dial
}

// Parse returns the server of a DSN: a URL, or keywords with values. Environment
// variables such as PGPASSWORD complete it. TLS is used if the server offers it,
// unless the DSN says otherwise. Parse returns an error if the server may be on
// another machine and remote is false.
func Parse(dsn string, remote bool) (*Server, error) {
	config, err := pq.NewConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("the DSN cannot be read: %s", reason(err))
	}
	if !strings.Contains(dsn, "sslmode") && os.Getenv("PGSSLMODE") == "" {
		config.SSLMode = pq.SSLModePrefer
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, 10*time.Second)
	config.FallbackApplicationName = "limitgauge"
	s := &Server{config: config, dial: (&net.Dialer{}).DialContext}
	if remote {
		return s, nil
	}
	if other := s.Other(); other != "" {
		return nil, fmt.Errorf("%s is not on this machine: use localhost, a loopback address or a socket, or allow remote servers with --allow-remote", other)
	}
	return s, nil
}

// reason returns an error of the DSN's parser without the DSN, which may contain a
// password.
func reason(err error) string {
	if _, ok := errors.AsType[*url.Error](err); ok {
		return "it is not a valid URL"
	}
	text, _, _ := strings.Cut(err.Error(), "\"")
	return strings.TrimRight(text, " :")
}

// Remote reports whether the server may be on another machine.
func (s *Server) Remote() bool { return s.Other() != "" }

// Other returns the first host of the server that is not on this machine, or "".
func (s *Server) Other() string {
	hosts := []pq.ConfigMultihost{{Host: s.config.Host, Hostaddr: s.config.Hostaddr}}
	for _, h := range append(hosts, s.config.Multi...) {
		switch {
		case h.Hostaddr.IsValid() && !h.Hostaddr.IsLoopback():
			return h.Hostaddr.String()
		case h.Hostaddr.IsValid() || here(h.Host):
		default:
			return h.Host
		}
	}
	return ""
}

// here reports whether a host is a socket, localhost or a loopback address.
func here(host string) bool {
	if host == "" || host == "localhost" || strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") {
		return true
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && address.IsLoopback()
}

// String returns host, port and database.
func (s *Server) String() string {
	return fmt.Sprintf("%s port %d, database %s", cmp.Or(s.config.Host, "localhost"), s.config.Port, cmp.Or(s.config.Database, s.config.User))
}

// Connect opens a connection whose transactions have an isolation level, such as
// "serializable", unless they say otherwise. It gives up if ctx is done.
func (s *Server) Connect(ctx context.Context, isolation string) (*Session, error) {
	return s.connect(ctx, []string{"default_transaction_isolation", isolation})
}

// connect opens a connection with parameters, in pairs of name and value. For up to
// 5 s it tries again if there are too many: the server may not have noticed yet that
// some are closed.
func (s *Server) connect(ctx context.Context, settings []string) (*Session, error) {
	config := s.config.Clone()
	if config.Runtime == nil {
		config.Runtime = map[string]string{}
	}
	for i := 0; i < len(settings); i += 2 {
		config.Runtime[settings[i]] = settings[i+1]
	}
	connector, err := pq.NewConnectorConfig(config)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", s, err)
	}
	d := &dialer{dial: s.dial}
	connector.Dialer(d)
	stop := context.AfterFunc(ctx, d.abort)
	defer stop()
	c, err := connector.Connect(ctx)
	for tries := 0; tries < 50 && pq.As(err, pqerror.TooManyConnections) != nil && ctx.Err() == nil; tries++ {
		time.Sleep(100 * time.Millisecond)
		c, err = connector.Connect(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", s, err)
	}
	d.connected = true
	return &Session{c.(conn), d.opened}, nil
}
