//go:build network

package redis

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// address is where a server is.
type address struct {
	network, address string // for net.Dial
	host             string // of a certificate
	tls              bool
	database         int
}

// parse reads HOST:PORT, a URL redis://HOST:PORT/DATABASE or rediss://, or the path of
// a socket. Its errors contain no credentials.
func parse(text string) (a address, err error) {
	if strings.HasPrefix(text, "/") {
		return address{network: "unix", address: text}, nil
	}
	if !strings.Contains(text, "://") {
		text = "redis://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return a, errors.New("the address cannot be read: want HOST:PORT, redis://HOST:PORT/DATABASE, rediss:// or the path of a socket")
	case u.User != nil:
		return a, errors.New("the address contains credentials: put the name in user, and the password in REDISCLI_AUTH or in password_file")
	case u.Scheme != "redis" && u.Scheme != "rediss":
		return a, fmt.Errorf("the address begins with %s://: want redis:// or rediss://", u.Scheme)
	case u.Hostname() == "":
		return a, errors.New("the address names no host")
	}
	port := cmp.Or(u.Port(), "6379")
	a = address{network: "tcp", address: net.JoinHostPort(u.Hostname(), port), host: u.Hostname(), tls: u.Scheme == "rediss"}
	if database := strings.Trim(u.Path, "/"); database != "" {
		if a.database, err = strconv.Atoi(database); err != nil || a.database < 0 {
			return a, errors.New("the address ends with something else than the number of a database")
		}
	}
	return a, nil
}
