//go:build network

package jetstream

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	"github.com/nats-io/nats.go"

	"github.com/limitgauge/limitgauge/search/jobs"
)

// credentials returns the options of a client that has the credentials of a place: from
// files, or from the variables that the client nats reads.
func credentials(given jobs.Place) (options []nats.Option, err error) {
	at := withVariables(given)
	user, password, token := at.variable("NATS_USER"), at.variable("NATS_PASSWORD"), at.variable("NATS_TOKEN")
	if at.Creds != "" {
		if _, err := os.Stat(at.Creds); err != nil {
			return nil, fmt.Errorf("credentials: %w", err)
		}
		options = append(options, nats.UserCredentials(at.Creds))
	}
	if at.NKey != "" {
		option, err := nats.NkeyOptionFromSeed(at.NKey)
		if err != nil {
			return nil, fmt.Errorf("NKey: %w", err)
		}
		options = append(options, option)
	}
	if user != "" {
		options = append(options, nats.UserInfo(user, password))
	}
	if token != "" {
		options = append(options, nats.Token(token))
	}
	if at.CA != "" {
		pool, err := authorities(at.CA)
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Secure(&tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}))
	}
	if (at.Cert == "") != (at.Key == "") {
		return nil, errors.New("a certificate needs its key, and a key its certificate")
	}
	if at.Cert != "" {
		pair, err := tls.LoadX509KeyPair(at.Cert, at.Key)
		if err != nil {
			return nil, fmt.Errorf("certificate: %w", err)
		}
		options = append(options, func(o *nats.Options) error {
			if o.TLSConfig == nil {
				o.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12}
			}
			o.TLSConfig.Certificates, o.Secure = []tls.Certificate{pair}, true
			return nil
		})
	}
	return options, nil
}

// place adds methods to jobs.Place.
type place struct{ jobs.Place }

// withVariables fills in what the environment says and the place does not.
func withVariables(at jobs.Place) place {
	p := place{at}
	p.Creds, p.NKey = cmp.Or(p.Creds, p.variable("NATS_CREDS")), cmp.Or(p.NKey, p.variable("NATS_NKEY"))
	p.CA, p.Cert, p.Key = cmp.Or(p.CA, p.variable("NATS_CA")), cmp.Or(p.Cert, p.variable("NATS_CERT")), cmp.Or(p.Key, p.variable("NATS_KEY"))
	return p
}

func (p place) variable(name string) string {
	if p.Lookup == nil {
		return ""
	}
	value, _ := p.Lookup(name)
	return value
}

// authorities reads certificates that sign others.
func authorities(file string) (*x509.CertPool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("certificates: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("certificates: %s has none", file)
	}
	return pool, nil
}
