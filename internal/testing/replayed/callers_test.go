//go:build linux

// Package replayed drives real servers with limits on loopback and judges the logs
// that they write. It holds tests alone.
package replayed

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// caller sends requests from one loopback address, each so long after the start.
type caller struct {
	address string
	at      []time.Duration
}

// every returns the instants from 0 to end that are step apart.
func every(step, end time.Duration) (at []time.Duration) {
	for t := time.Duration(0); t < end; t += step {
		at = append(at, t)
	}
	return at
}

// bursts returns n requests at each instant.
func bursts(n int, instants ...time.Duration) (at []time.Duration) {
	for _, t := range instants {
		for range n {
			at = append(at, t)
		}
	}
	return at
}

// callers are what each server is driven with, at limits of 50/s: constant rates
// above and below the limit, and bursts.
var callers = []caller{
	{"127.0.0.11", every(10*time.Millisecond, 1300*time.Millisecond)},
	{"127.0.0.12", every(45*time.Millisecond, 1300*time.Millisecond)},
	{"127.0.0.13", bursts(40, 0, 500*time.Millisecond, 1100*time.Millisecond)},
}

// counts are the requests of a caller by their outcome.
type counts struct{ admitted, rejected int64 }

// drive sends the requests of the callers to a server. It returns what they saw, and by
// how much the latest request was late.
func drive(t *testing.T, server string, callers []caller) (seen map[string]counts, late time.Duration) {
	t.Helper()
	seen = map[string]counts{}
	var mutex sync.Mutex
	var wait sync.WaitGroup
	start := time.Now().Add(20 * time.Millisecond)
	for _, c := range callers {
		for _, at := range c.at {
			wait.Go(func() {
				time.Sleep(time.Until(start.Add(at)))
				status, sent, err := get(c.address, server)
				mutex.Lock()
				defer mutex.Unlock()
				late = max(late, sent.Sub(start.Add(at)))
				n := seen[c.address]
				switch {
				case err != nil:
					t.Errorf("%s: %v", c.address, err)
				case status == http.StatusOK:
					n.admitted++
				case status == http.StatusTooManyRequests:
					n.rejected++
				default:
					t.Errorf("%s: status %d", c.address, status)
				}
				seen[c.address] = n
			})
		}
	}
	wait.Wait()
	return seen, late
}

// get sends one request from an address on a connection of its own.
func get(from, server string) (status int, sent time.Time, err error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: time.Minute}
	c, err := d.Dial("tcp", server)
	if err != nil {
		return 0, time.Now(), err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	_, err = fmt.Fprintf(c, "GET /page HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
	if sent = time.Now(); err != nil {
		return 0, sent, err
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, sent, err
	}
	return r.StatusCode, sent, r.Body.Close()
}
