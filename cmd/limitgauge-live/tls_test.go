//go:build network && unix

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"
)

// An embedded server encrypts its connections. Workers check its certificate, and a
// token that both sides have.
func TestDistributedTLS(t *testing.T) {
	f := newFleet(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	f.write("cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})))
	f.write("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private})))
	f.write("s.yaml", grid(1, 3, 1))
	t.Setenv("NATS_TOKEN", "secret")
	port := f.port()
	p := f.start("sweep", "s.yaml", "--no-plots", "--no-cache", "--on", "embedded:"+port, "--listen", "0.0.0.0", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
	f.says(p, "no worker is there")
	on := "tls://127.0.0.1:" + port
	distrustful := f.start("worker", "--on", on)
	if code := f.end(distrustful); code != 2 || !strings.Contains(distrustful.errs.String(), "unknown authority") {
		t.Errorf("a certificate that nobody has signed: exit code %d\n%s", code, distrustful.errs)
	}
	f.start("worker", "--on", on, "--tls-ca", "cert.pem")
	if code := f.end(p); code != 0 {
		t.Errorf("exit code %d\n%s", code, p.errs)
	}
}
