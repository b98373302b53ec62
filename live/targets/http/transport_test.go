package http

import (
	"encoding/binary"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
)

// TestVersions checks which version of HTTP a server is asked with, and that the
// certificates of servers are verified before a request is sent.
func TestVersions(t *testing.T) {
	var proto atomic.Value
	start := func(encrypted, http2 bool) (url, ca string) {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { proto.Store(r.Proto) }))
		t.Cleanup(s.Close)
		s.EnableHTTP2 = http2
		s.Config.Protocols = new(http.Protocols)
		s.Config.Protocols.SetHTTP1(true)
		s.Config.Protocols.SetHTTP2(http2)
		s.Config.Protocols.SetUnencryptedHTTP2(http2)
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		if !encrypted {
			s.Start()
			return s.URL, ""
		}
		s.StartTLS()
		ca = filepath.Join(t.TempDir(), "ca.pem")
		if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
			t.Fatal(err)
		}
		return s.URL, ca
	}
	plain, _ := start(false, true)
	both, ca := start(true, true)
	old, _ := start(true, false)
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		url     string
		options map[string]any
		want    string // the version, or the error
	}{
		{plain, nil, "HTTP/1.1"},
		{plain, map[string]any{"http": "2"}, "HTTP/2.0"},
		{both, map[string]any{"ca": ca}, "HTTP/1.1"},
		{both, map[string]any{"ca": ca, "http": "2"}, "HTTP/2.0"},
		{both, map[string]any{"insecure": true, "http": "2"}, "HTTP/2.0"},
		{old, map[string]any{"insecure": true}, "HTTP/1.1"},
		{both, nil, "certificate"},
		{old, map[string]any{"insecure": true, "http": "2"}, "no application protocol"},
		{plain, map[string]any{"insecure": true}, "need a URL that begins with https://"},
		{both, map[string]any{"insecure": true, "ca": ca}, "exclude each other"},
		{both, map[string]any{"ca": empty}, "contains no certificate"},
		{both, map[string]any{"ca": "none.pem"}, "ca: open none.pem"},
	} {
		proto.Store("no request")
		target, err := Kind().Open(t.Context(), setting(c.url), values(c.options))
		if err == nil {
			_, err = target.Ask(t.Context(), &exchange.Request{})
			target.Close()
		}
		got := proto.Load().(string)
		if err != nil {
			got += ": " + err.Error()
		}
		if got != c.want && (err == nil || !strings.HasPrefix(got, "no request: ") || !strings.Contains(got, c.want)) {
			t.Errorf("%v: %s, want %s", c.options, got, c.want)
		}
	}
}

// refusing starts an HTTP/2 server that counts the requests. Of three, it refuses the
// stream of the first, answers the second, and closes the connection to the third
// while it states that it has not looked at it. HTTP/2 permits to repeat the first and
// the third.
func refusing(t *testing.T) (url string, seen *atomic.Int64) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	seen = new(atomic.Int64)
	const (
		headers, reset, settings, goAway = 1, 3, 4, 7
		ack, endOfStream, endOfHeaders   = 1, 1, 4
		refusedStream, statusOK          = 7, 0x88
	)
	serve := func(c net.Conn) {
		defer c.Close()
		frame := func(kind, flags byte, stream uint32, payload ...byte) {
			head := []byte{0, 0, byte(len(payload)), kind, flags}
			c.Write(append(binary.BigEndian.AppendUint32(head, stream), payload...))
		}
		if _, err := io.CopyN(io.Discard, c, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))); err != nil {
			return
		}
		frame(settings, 0, 0)
		for {
			var head [9]byte
			if _, err := io.ReadFull(c, head[:]); err != nil {
				return
			}
			io.CopyN(io.Discard, c, int64(head[0])<<16|int64(head[1])<<8|int64(head[2]))
			stream := binary.BigEndian.Uint32(head[5:])
			switch {
			case head[3] == settings && head[4]&ack == 0:
				frame(settings, ack, 0)
			case head[3] != headers:
			case seen.Add(1)%3 == 1:
				frame(reset, 0, stream, 0, 0, 0, refusedStream)
			case seen.Load()%3 == 2:
				frame(headers, endOfStream|endOfHeaders, stream, statusOK)
			default:
				frame(goAway, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
				return
			}
		}
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	return "http://" + l.Addr().String(), seen
}

// TestNothingIsRepeatedByHTTP2 sends requests, with and without a body, to a server
// that lets net/http repeat those that are sent in the usual way.
func TestNothingIsRepeatedByHTTP2(t *testing.T) {
	const n = 60
	for _, options := range []map[string]any{{}, {"method": "HEAD"}, {"method": "POST"}, {"method": "POST", "body": "{}"}} {
		options["http"] = "2"
		url, seen := refusing(t)
		target := opened(t, setting(url), options)
		r, err := send.Run(t.Context(), planned(n, time.Millisecond), target, send.Options{Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if seen.Load() > n || count(r, exchange.Admitted) == 0 || count(r, exchange.Admitted)+count(r, exchange.Failed) != n {
			t.Errorf("%v: the server saw %d requests of %d, %d were admitted", options, seen.Load(), n, count(r, exchange.Admitted))
		}
	}
	url, seen := refusing(t)
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	client := &http.Client{Transport: &http.Transport{Protocols: p}}
	defer client.CloseIdleConnections()
	for range 3 {
		if r, err := client.Get(url); err == nil {
			r.Body.Close()
		}
	}
	if seen.Load() <= 3 {
		t.Errorf("the server saw %d requests of 3, none was repeated", seen.Load())
	}
}

func count(r *send.Result, v exchange.Verdict) (n int) {
	for i := range r.Exchanges {
		if r.Exchanges[i].Verdict == v {
			n++
		}
	}
	return n
}
