//go:build network

package redis

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
)

// target is a script in a server.
type target struct {
	options
	connections *targets.Connections[*connection]
}

// connection is a connection whose server has the script.
type connection struct {
	redis.Conn
	hash   string // of the script
	forgot bool   // the server has lost the script
}

// Broken implements targets.Connection.
func (c *connection) Broken() bool { return c.forgot || c.Err() != nil }

// open connects to the server and loads the script on each connection.
func open(ctx context.Context, s *targets.Setting, o options) (_ exchange.Target, err error) {
	t := &target{options: o}
	t.connections, err = targets.NewConnections(ctx, int(o.connections), func(ctx context.Context) (*connection, error) {
		return t.connect(ctx, s)
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// password returns the password from the file or the environment, or "".
func password(s *targets.Setting, file string) (string, error) {
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("password_file: %w", err)
		}
		return strings.TrimRight(string(text), "\r\n"), nil
	}
	password, _ := s.Lookup("REDISCLI_AUTH")
	return password, nil
}

func (t *target) connect(ctx context.Context, s *targets.Setting) (*connection, error) {
	a, timeout := t.address, time.Duration(t.timeoutNs)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	c, err := redis.DialContext(ctx, a.network, a.address,
		redis.DialContextFunc(s.Dial), redis.DialReadTimeout(timeout), redis.DialWriteTimeout(timeout), redis.DialTLSHandshakeTimeout(timeout),
		redis.DialUseTLS(a.tls), redis.DialDatabase(a.database), redis.DialUsername(t.user), redis.DialPassword(t.password))
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", a.address, err)
	}
	hash, err := redis.String(redis.DoContext(c, ctx, "SCRIPT", "LOAD", t.script))
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("load the script: %w", err)
	}
	return &connection{Conn: c, hash: hash}, nil
}

// Ask implements exchange.Target. A script that the server has lost, as in a restart,
// is loaded again for the next request. This one has no verdict.
func (t *target) Ask(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
	arguments := make([]any, 0, 2+len(t.keys)+len(t.arguments))
	arguments = append(arguments, "", len(t.keys))
	for _, template := range slices.Concat(t.keys, t.arguments) {
		arguments = append(arguments, template.Of(r))
	}
	value, err := t.do(ctx, func(c *connection) (string, []any) {
		arguments[0] = c.hash
		return "EVALSHA", arguments
	})
	if err != nil {
		return exchange.Plain(false), err
	}
	return t.reply.read(value)
}

// do sends a command once and returns the reply, or the class of the failure.
func (t *target) do(ctx context.Context, command func(*connection) (name string, arguments []any)) (value any, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(t.timeoutNs))
	defer cancel()
	err = t.connections.Use(ctx, func(c *connection) (err error) {
		name, arguments := command(c)
		value, err = redis.DoContext(c.Conn, ctx, name, arguments...)
		c.forgot = err != nil && strings.HasPrefix(err.Error(), "NOSCRIPT ")
		return err
	})
	if err != nil {
		return nil, failure(err)
	}
	return value, nil
}

var errorCode = regexp.MustCompile(`^[A-Z]{1,20}\b`)

// failure returns the class of an error: of one of the server its code alone, because
// its text can contain keys.
func failure(err error) error {
	var answered redis.Error
	if errors.As(err, &answered) {
		return targets.Failure(strings.TrimSpace("redis error " + errorCode.FindString(string(answered))))
	}
	return targets.FailureOf(err, "connection failed")
}

// Now implements exchange.Clock with TIME, which has microseconds.
func (t *target) Now(ctx context.Context) (unixNs int64, err error) {
	value, err := t.do(ctx, func(*connection) (string, []any) { return "TIME", nil })
	if err != nil {
		return 0, err
	}
	time, err := redis.Int64s(value, nil)
	if err != nil || len(time) != 2 {
		return 0, targets.Failure("reply without a time")
	}
	return time[0]*1e9 + time[1]*1e3, nil
}

// Close implements exchange.Target.
func (t *target) Close() error { return t.connections.Close() }
