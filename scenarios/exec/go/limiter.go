// Limiter is a rate limiter for limitgauge: change tokenBucket into your own.
//
// limitgauge starts this program and simulates the time. Each line of standard
// input is a JSON object. The first one is the policy:
//
//	{"policy":{"limit":100,"window_ns":1000000000,"burst":20},"client":0,"clients":1,"seed":1}
//
// Each other one is a request; the program answers it with a line, in the same
// order:
//
//	{"i":0,"at_ns":0,"key":"a","cost":1}
//	{"i":0,"admit":true}
//
// Print nothing else to standard output; standard error is free for messages.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
)

type first struct {
	Policy policy `json:"policy"`
}

type policy struct {
	Limit    int64  `json:"limit"`
	WindowNs int64  `json:"window_ns"`
	Burst    *int64 `json:"burst"` // nil: the limit
}

type request struct {
	I    int64  `json:"i"`
	AtNs int64  `json:"at_ns"`
	Key  string `json:"key"`
	Cost int64  `json:"cost"`
}

// tokenBucket has a bucket for each key, which refills at the limit's rate.
//
// Levels are integers in units of 1/WindowNs of a token, divided by what Limit and
// WindowNs have in common. A nanosecond refills rate units and a token is token
// units, so no level is ever rounded.
type tokenBucket struct {
	rate, token, burst int64
	buckets            map[string]*bucket
}

type bucket struct {
	level, last int64 // units; time of the last request
}

func newTokenBucket(p policy) *tokenBucket {
	common, b := p.Limit, p.WindowNs
	for b != 0 {
		common, b = b, common%b
	}
	t := &tokenBucket{p.Limit / common, p.WindowNs / common, p.Limit, map[string]*bucket{}}
	if p.Burst != nil {
		t.burst = *p.Burst
	}
	return t
}

// take decides a request. Use atNs, not the clock.
func (t *tokenBucket) take(atNs int64, key string, cost int64) (admit bool) {
	full := t.burst * t.token
	b := t.buckets[key]
	if b == nil {
		b = &bucket{full, atNs}
		t.buckets[key] = b
	}
	if elapsed := atNs - b.last; elapsed > 0 {
		b.last = atNs
		if elapsed > (full-b.level)/t.rate { // asked first, because a product could overflow
			b.level = full
		} else {
			b.level += elapsed * t.rate
		}
	}
	if cost > t.burst || cost*t.token > b.level {
		return false
	}
	b.level -= cost * t.token
	return true
}

// serve answers requests until the input ends.
func serve(in *bufio.Reader, out *bufio.Writer) error {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return err
	}
	var f first
	if err := json.Unmarshal(line, &f); err != nil {
		return err
	}
	limiter := newTokenBucket(f.Policy)
	for {
		// Flush before waiting for more: several times as fast as after each line.
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		fmt.Fprintf(out, "{\"i\":%d,\"admit\":%t}\n", r.I, limiter.take(r.AtNs, r.Key, r.Cost))
	}
}

func main() {
	if err := serve(bufio.NewReaderSize(os.Stdin, 1<<16), bufio.NewWriterSize(os.Stdout, 1<<16)); err != nil {
		log.Fatal(err)
	}
}
