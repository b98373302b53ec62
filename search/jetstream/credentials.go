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
	user, password, token := variable(at, "NATS_USER"), variable(at, "NATS_PASSWORD"), variable(at, "NATS_TOKEN")
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

// withVariables fills in what the environment says and the place does not.
func withVariables(at jobs.Place) jobs.Place {
	at.Creds, at.NKey = cmp.Or(at.Creds, variable(at, "NATS_CREDS")), cmp.Or(at.NKey, variable(at, "NATS_NKEY"))
	at.CA, at.Cert, at.Key = cmp.Or(at.CA, variable(at, "NATS_CA")), cmp.Or(at.Cert, variable(at, "NATS_CERT")), cmp.Or(at.Key, variable(at, "NATS_KEY"))
	return at
}

func variable(at jobs.Place, name string) string {
	if at.Lookup == nil {
		return ""
	}
	value, _ := at.Lookup(name)
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
