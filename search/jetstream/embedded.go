//go:build network

package jetstream

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/limitgauge/limitgauge/search/jobs"
)

// defaultPort is that of NATS.
const defaultPort = 4222

// isEmbedded reports whether a place is a server inside of this program.
func isEmbedded(on string) bool { return on == "embedded" || strings.HasPrefix(on, "embedded:") }

// embedded is a server inside of this program.
type embedded struct {
	*server.Server
	address string
	url     string // for workers
	unlock  func()
}

// options returns the options of a client in the same process, which uses no network.
func (e *embedded) options() []nats.Option {
	options := []nats.Option{nats.InProcessServer(e)}
	if strings.HasPrefix(e.url, "tls:") {
		options = append(options, nats.Secure(&tls.Config{InsecureSkipVerify: true})) // it is this process
	}
	return options
}

// portOf returns the port of an embedded server.
func portOf(on string) (int, error) {
	_, text, found := strings.Cut(on, ":")
	if !found {
		return defaultPort, nil
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 1 || port > 65535 {
		return 0, fmt.Errorf("%s: want embedded:PORT with a port from 1 to 65535", on)
	}
	return port, nil
}

// startEmbedded starts a server that keeps its files in a folder, which no other program
// may use at the same time. It listens on this machine alone unless Place.Listen says
// otherwise, and then asks clients for credentials.
func startEmbedded(given jobs.Place) (*embedded, error) {
	port, err := portOf(given.On)
	if err != nil {
		return nil, err
	}
	at := withVariables(given)
	host := cmp.Or(at.Listen, "127.0.0.1")
	user, password, token := variable(at, "NATS_USER"), variable(at, "NATS_PASSWORD"), variable(at, "NATS_TOKEN")
	address, err := net.ResolveIPAddr("ip", host)
	switch {
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w", host, err)
	case !address.IP.IsLoopback() && user == "" && token == "":
		return nil, fmt.Errorf("a server that listens on %s needs credentials, because jobs of anyone who reaches it would run: set NATS_TOKEN, or NATS_USER and NATS_PASSWORD, here and for the workers", host)
	}
	dir, err := storeFolder(at.Store, port)
	if err != nil {
		return nil, err
	}
	unlock, err := lockFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("the files of the server in %s are in use by another one: end it, or choose another folder with --store: %w", dir, err)
	}
	o := &server.Options{
		ServerName: "limitgauge", Host: host, Port: port, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true,
		Username: user, Password: password, Authorization: token,
	}
	if at.Cert != "" {
		pair, err := tls.LoadX509KeyPair(at.Cert, at.Key)
		if err != nil {
			unlock()
			return nil, fmt.Errorf("certificate: %w", err)
		}
		o.TLSConfig, o.TLSTimeout = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, 2
	}
	s, err := start(o)
	if err != nil {
		unlock()
		return nil, err
	}
	e := &embedded{Server: s, address: net.JoinHostPort(host, strconv.Itoa(port)), unlock: unlock}
	scheme := "nats://"
	if at.Cert != "" {
		scheme = "tls://"
	}
	e.url = scheme + e.address
	if name, err := os.Hostname(); err == nil && address.IP.IsUnspecified() {
		e.url = scheme + net.JoinHostPort(name, strconv.Itoa(port))
	}
	return e, nil
}

// start starts a server. The library ends the program if it cannot listen, so that is
// tried first.
func start(o *server.Options) (*server.Server, error) {
	address := net.JoinHostPort(o.Host, strconv.Itoa(o.Port))
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("the server cannot listen; choose another port with --on embedded:PORT: %w", err)
	}
	l.Close()
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		s.Shutdown()
		return nil, errors.New("the server does not start within 30 s")
	}
	return s, nil
}

func (e *embedded) close() {
	e.Shutdown()
	e.WaitForShutdown()
	e.unlock()
}

// storeFolder returns the folder of a server's files, which it creates.
func storeFolder(given string, port int) (string, error) {
	dir := given
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("the server needs a folder for its files: name one with --store: %w", err)
		}
		dir = filepath.Join(base, "limitgauge", "jetstream", strconv.Itoa(port))
	}
	return dir, os.MkdirAll(dir, 0o700)
}
