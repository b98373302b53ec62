package http

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// idle is the number of unused connections that a client keeps.
const idle = 10_000

// transport returns the connections of one client.
func (o *options) transport(s *targets.Setting) *http.Transport {
	var p http.Protocols
	p.SetHTTP1(!o.http2)
	p.SetHTTP2(o.http2)
	p.SetUnencryptedHTTP2(o.http2)
	return &http.Transport{
		DialContext:         s.Dial,        // and no proxy
		TLSClientConfig:     o.tls.Clone(), // the transport changes it
		MaxIdleConnsPerHost: idle,
		IdleConnTimeout:     time.Minute,
		DisableCompression:  true,
		Protocols:           &p,
	}
}

// readTLS reads how connections are encrypted and which version of HTTP they speak.
func (o *options) readTLS(v catalog.Values) error {
	file, insecure := v.String("ca"), v.Bool("insecure")
	isTLS := func(a address) bool { return a.tls }
	o.http2 = v.String("http") == "2"
	o.tls = &tls.Config{InsecureSkipVerify: insecure, NextProtos: []string{"http/1.1"}}
	if o.http2 {
		o.tls.NextProtos = []string{"h2"}
		o.tls.VerifyConnection = onlyHTTP2
	}
	switch {
	case file == "" && !insecure:
		return nil
	case file != "" && insecure:
		return errors.New("ca and insecure exclude each other: insecure verifies no certificate")
	case !slices.ContainsFunc(o.urls, isTLS):
		return errors.New("ca and insecure need a URL that begins with https://")
	case insecure:
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("ca: %w", err)
	}
	o.tls.RootCAs = x509.NewCertPool()
	if !o.tls.RootCAs.AppendCertsFromPEM(text) {
		return fmt.Errorf("ca: %s contains no certificate in PEM format", file)
	}
	return nil
}

// onlyHTTP2 returns an error if the server does not speak HTTP/2.
func onlyHTTP2(s tls.ConnectionState) error {
	if s.NegotiatedProtocol != "h2" {
		return errors.New("the server does not offer HTTP/2")
	}
	return nil
}

// connectWithin bounds the time to reach a URL before the run. It does not depend on the
// timeout of requests, because nothing is measured yet.
const connectWithin = 10 * time.Second

// reach connects to a URL, and closes the connection without a request.
func (o *options) reach(ctx context.Context, s *targets.Setting, a *address) error {
	ctx, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	c, err := s.Dial(ctx, "tcp", a.hostPort)
	if err != nil {
		return err
	}
	defer c.Close()
	if !a.tls {
		return nil
	}
	config := o.tls.Clone()
	config.ServerName = a.host
	return tls.Client(c, config).HandshakeContext(ctx)
}
