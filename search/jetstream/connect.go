//go:build network

package jetstream

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/jobs"
)

// connection is a connection to a server, which is made again after each loss.
type connection struct {
	*nats.Conn
	js    jetstream.JetStream
	place jobs.Place
	name  string // of the server, for messages

	dialer *dialer

	back chan struct{} // receives when the server is back
	lost chan error    // receives why the connection will not be made again

	mu   sync.Mutex
	away time.Time // since when the server is away; zero if it is not
	left bool      // the connection is closed on purpose
}

// leave closes the connection.
func (c *connection) leave() {
	c.mu.Lock()
	c.left = true
	c.mu.Unlock()
	c.Close()
}

// Check is the Check of jobs.Service. Of several addresses, one must be allowed.
func Check(at jobs.Place) (err error) {
	if isEmbedded(at.On) {
		_, err := portOf(at.On)
		if _, _, bad := net.SplitHostPort(at.Listen); bad == nil {
			err = cmp.Or(err, fmt.Errorf("listen on %s: want an address without a port, which embedded:PORT names", at.Listen))
		}
		return err
	}
	if at.Listen != "" || at.Store != "" {
		return fmt.Errorf("%s: --listen and --store are for an embedded server", shown(at.On))
	}
	setting := &targets.Setting{Allow: at.Allow}
	for one := range strings.SplitSeq(at.On, ",") {
		if one = strings.TrimSpace(one); !strings.Contains(one, "://") {
			one = "nats://" + one
		}
		u, badURL := url.Parse(one)
		if badURL != nil {
			return fmt.Errorf("%s: %w", shown(at.On), errors.Unwrap(badURL)) // it has the address with its password
		}
		other := setting.Allowed(u.Hostname())
		if other == nil {
			return nil
		}
		err = cmp.Or(err, other)
	}
	return fmt.Errorf("%s: %w", shown(at.On), err)
}

// connect connects to the server at a place. While the server is away, it tries again
// for Place.Away. It returns an error at once if the server refuses the credentials, or
// if the address is that of another machine that is not allowed.
func connect(ctx context.Context, at jobs.Place, role string, more ...nats.Option) (*connection, error) {
	c := &connection{place: at, name: shown(at.On), back: make(chan struct{}, 1), lost: make(chan error, 1), dialer: &dialer{ctx: ctx, setting: &targets.Setting{Allow: at.Allow}}}
	options, err := c.options(ctx, role)
	if err != nil {
		return nil, err
	}
	options = append(options, more...)
	for tries := 0; ; tries++ {
		c.Conn, err = nats.Connect(at.On, options...)
		if err == nil {
			break
		}
		if err = c.named(err); hopeless(err) {
			return nil, err
		}
		if err = c.waited(ctx, err); err == nil {
			err = pause(ctx, backoff(tries))
		}
		if err != nil {
			return nil, err
		}
	}
	c.returned()
	if c.js, err = jetstream.New(c.Conn, jetstream.WithDefaultTimeout(5*time.Second)); err != nil {
		c.leave()
		return nil, c.named(err)
	}
	return c, nil
}

func (c *connection) options(ctx context.Context, role string) ([]nats.Option, error) {
	options, err := credentials(c.place)
	if err != nil {
		return nil, err
	}
	return append(options,
		nats.Name("limitgauge "+role),
		nats.SetCustomDialer(c.dialer), nats.SkipHostLookup(),
		nats.MaxReconnects(-1), nats.CustomReconnectDelay(backoff), nats.ReconnectBufSize(-1),
		nats.PingInterval(5*time.Second), nats.MaxPingsOutstanding(2), nats.Timeout(2*time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if ctx.Err() == nil {
				c.waited(ctx, c.named(err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { c.returned() }),
		nats.ClosedHandler(func(n *nats.Conn) {
			if err := n.LastError(); err != nil {
				select {
				case c.lost <- c.named(err):
				default:
				}
			}
		}),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // what it reports is seen by who waits for it
	), nil
}

// waited notes that the server is away, and returns an error if that is so for too long.
func (c *connection) waited(ctx context.Context, err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.away.IsZero() {
		c.away = time.Now()
		if ctx.Err() == nil && !c.left {
			c.place.Note("the server is away: %v; trying again for up to %s", err, units.FormatDuration(int64(c.place.Away)))
		}
	}
	if time.Since(c.away) > c.place.Away {
		return &jobs.Away{Time: c.place.Away, Err: err}
	}
	return ctx.Err()
}

// returned notes that the server is back.
func (c *connection) returned() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.away.IsZero() {
		c.place.Note("the server is back after %.1f s", time.Since(c.away).Seconds())
		c.away = time.Time{}
	}
	select {
	case c.back <- struct{}{}:
	default:
	}
}

// gone returns an error if the server is away for too long, or for good.
func (c *connection) gone(ctx context.Context) error {
	select {
	case err := <-c.lost:
		c.lost <- err
		return err
	default:
	}
	c.mu.Lock()
	away := c.away
	c.mu.Unlock()
	if !away.IsZero() {
		return c.waited(ctx, c.named(nats.ErrNoServers))
	}
	return ctx.Err()
}

// patient calls do until it succeeds, fails for a reason other than the server's, or the
// server is away for too long.
func (c *connection) patient(ctx context.Context, do func(ctx context.Context) error) error {
	var since time.Time
	for tries := 0; ; tries++ {
		err := do(ctx)
		if err == nil || !passing(err) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := c.gone(ctx); err != nil {
			return err
		}
		if since.IsZero() {
			since = time.Now()
		}
		if time.Since(since) > c.place.Away {
			return &jobs.Away{Time: c.place.Away, Err: c.named(err)}
		}
		if tries == 5 {
			c.place.Note("%v; trying again for up to %s", c.named(err), units.FormatDuration(int64(c.place.Away)))
		}
		if err := pause(ctx, backoff(tries)); err != nil {
			return err
		}
	}
}

// passing reports whether an error may pass, such as that of a server that starts.
func passing(err error) bool {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		return api.Code >= 500
	}
	return is[net.Error](err) || isOneOf(err,
		nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrReconnectBufExceeded, nats.ErrConnectionReconnecting, nats.ErrStaleConnection, nats.ErrNoServers,
		nats.ErrConnectionClosed, jetstream.ErrNoStreamResponse, jetstream.ErrJetStreamNotEnabled, context.DeadlineExceeded)
}

func isOneOf(err error, all ...error) bool {
	return slices.ContainsFunc(all, func(one error) bool { return errors.Is(err, one) })
}

// is reports whether an error is of a type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// hopeless reports whether it is of no use to connect again.
func hopeless(err error) bool {
	return is[*targets.Elsewhere](err) || is[x509.UnknownAuthorityError](err) || is[x509.HostnameError](err) ||
		is[x509.CertificateInvalidError](err) || is[tls.RecordHeaderError](err) || is[*url.Error](err) ||
		isOneOf(err, nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrSecureConnRequired, nats.ErrSecureConnWanted)
}

// backoff returns how long to wait after a number of tries, with jitter so that workers
// do not come all at once.
func backoff(tries int) time.Duration {
	most := min(100*time.Millisecond<<min(tries, 10), 2*time.Second)
	return most/2 + rand.N(most/2)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// named adds the server to an error.
func (c *connection) named(err error) error {
	if last := c.dialer.failure(); last != nil && (err == nil || errors.Is(err, nats.ErrNoServers)) {
		err = last // says more
	}
	return fmt.Errorf("%s: %w", c.name, cmp.Or(err, errors.New("connection closed")))
}

// shown returns addresses without passwords and tokens.
func shown(on string) string {
	list := strings.Split(on, ",")
	for i, one := range list {
		if u, err := url.Parse(strings.TrimSpace(one)); err == nil && u.User != nil {
			u.User = nil
			list[i] = u.String()
		} else if _, after, found := strings.Cut(one, "@"); found {
			list[i] = after
		}
	}
	return strings.Join(list, ",")
}

// dialer connects to this machine and to those that are allowed.
type dialer struct {
	ctx     context.Context
	setting *targets.Setting

	mu   sync.Mutex
	last error
}

func (d *dialer) Dial(network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(d.ctx, 5*time.Second)
	defer cancel()
	n, err := d.setting.Dial(ctx, network, address)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last = err
	return n, err
}

// failure returns why the last try to connect failed, or nil.
func (d *dialer) failure() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last
}
