package check_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/check"
)

// compared decides a log by two configurations.
func compared(t *testing.T, old, new string, lines []string) *check.Difference {
	t.Helper()
	a, b := configured(t, old), configured(t, new)
	r, fields := recorded(t, lines, nil, a, b)
	_, d, err := a.Instead(t.Context(), b, r, fields, alone)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// zone returns a configuration with one limit on /.
func zone(key, rate, limit, more string) string {
	return fmt.Sprintf("limit_req_zone %s zone=a:1m rate=%s; %s server { location / { limit_req zone=a %s; } location /free { } }", key, rate, more, limit)
}

// TestReasons says of two systems only what differs: names of one key are no reason, and like
// numbers are counted in other windows.
func TestReasons(t *testing.T) {
	const service = "domain: d\ndescriptors: [{key: remote_address, rate_limit: {unit: minute, requests_per_unit: 3}}]\n"
	const proxy = "defaults\n mode http\nfrontend f\n bind :1\n stick-table type ip size 1m store http_req_rate(60s)\n http-request track-sc0 src\n http-request deny deny_status 429 if { sc_http_req_rate(0) gt %d }\n"
	var lines []string
	for i := range 12 {
		lines = append(lines, at(i*9000, "192.0.2.7", "/", ""))
	}
	for _, c := range []struct{ old, new, want string }{
		{fmt.Sprintf(proxy, 3), service, "window: 3 in 1m, in which refused requests count against 3 in each minute of the clock, in which refused requests count (up to 6 around the end of one)"},
		{"domain: d\ndescriptors: [{key: remote_address, rate_limit: {unit: hour, requests_per_unit: 180}}]\n", service, "rate: 180 an hour against 3 a minute"},
		{fmt.Sprintf(proxy, 2), service, "rate: 2 a minute against 3 a minute; burst: 2 in all against 3 in all (together)"},
	} {
		a, b := configured(t, c.old), configured(t, c.new)
		r, fields := recorded(t, lines, map[string]string{"remote_address": "client"}, a, b)
		_, d, err := a.Instead(t.Context(), b, r, fields, alone)
		if err != nil || d.First == nil || d.First.Reason != c.want {
			t.Errorf("%s against %s: %+v, %v\nwant %s", c.old, c.new, d.First, err, c.want)
		}
	}
}

// TestSameRate says of a rate in other words that it is none of the reasons.
func TestSameRate(t *testing.T) {
	var lines []string
	for i := range 9 {
		lines = append(lines, at(i, "x", "/", ""))
	}
	d := compared(t, zone("$binary_remote_addr", "180r/m", "burst=1 nodelay", ""), "http: {middlewares: {m: {rateLimit: {average: 3, burst: 4}}}}", lines)
	if want := "burst: 2 in all against 4 in all; delay: none waits against all above 1 wait (together)"; d.First.Reason != want {
		t.Errorf("%s\nwant %s", d.First.Reason, want)
	}
	const bucket = "http: {middlewares: {m: {rateLimit: {average: %d, period: 24h, burst: 1}}}}"
	lines = []string{at(0, "x", "/", ""), at(13*3600_000, "x", "/", "")}
	d = compared(t, fmt.Sprintf(bucket, 1), fmt.Sprintf(bucket, 2), lines)
	if want := "rate: 0.0417 an hour against 0.0833 an hour"; d.First.Reason != want {
		t.Errorf("%s\nwant %s", d.First.Reason, want)
	}
	lines = []string{at(0, "x", "/", ""), at(24*3600_000-500, "x", "/", "")}
	d = compared(t, fmt.Sprintf(bucket, 1), strings.Replace(fmt.Sprintf(bucket, 1), "24h", "86399s", 1), lines)
	if want := "rate: 1 in 24h0m0s against 1 in 23h59m59s"; d.First.Reason != want {
		t.Errorf("%s\nwant %s", d.First.Reason, want)
	}
	lines = nil
	for i := range 12 { // of 10r/m nginx counts 166 thousandths a second
		lines = append(lines, at(i*6010, "x", "/", ""))
	}
	d = compared(t, zone("$binary_remote_addr", "10r/m", "", ""), "http: {middlewares: {m: {rateLimit: {average: 10, period: 1m}}}}", lines)
	if want := "rate: 9.96 a minute against 10 a minute"; d.First.Reason != want {
		t.Errorf("%s\nwant %s", d.First.Reason, want)
	}
}

// TestInstead finds the first difference of small changes, and what explains it.
func TestInstead(t *testing.T) {
	const client = "$binary_remote_addr"
	old := zone(client, "1r/s", "burst=2 nodelay", "")
	lines := []string{at(0, "x", "/", ""), at(10, "x", "/", ""), at(20, "y", "/", ""), at(30, "x", "/", ""), at(40, "x", "/", ""), at(900, "x", "/", ""), at(1200, "x", "/", "")}
	for _, c := range []struct {
		name, new string
		want      string // differ, line, old and new status and wait, reason
	}{
		{"itself", old, "0"},
		{"comments", "# a comment\n" + strings.ReplaceAll(old, "burst=2", "'burst=2'"), "0"},
		{"burst", zone(client, "1r/s", "burst=1 nodelay", ""), "1: 4: 0 0: 503 0: burst: 2 against 1"},
		{"less", zone(client, "1r/s", "burst=3 nodelay", ""), "1: 5: 503 0: 0 0: burst: 2 against 3"},
		{"delay", zone(client, "1r/s", "burst=2", ""), "3: 2: 0 0: 0 990: delay: none waits against all above 1 wait"},
		{"rate", zone(client, "10r/s", "burst=2 nodelay", ""), "1: 6: 503 0: 0 0: rate: 1 a second against 10 a second"},
		{"key", zone("$server_name", "1r/s", "burst=2 nodelay", "server_names_hash_max_size 512;"), "2: 5: 503 0: 0 0: key: the request has none for the rules of the new configuration"},
		{"all", zone("all", "1r/s", "burst=2 nodelay", ""), "1: 4: 0 0: 503 0: key: each client address against all requests together"},
		{"scope", strings.ReplaceAll(old, "location / { limit_req zone=a burst=2 nodelay; }", "location / { }"), "2: 5: 503 0: 0 0: scope: no rule of the new configuration that is judged applies to this request"},
		{"status", strings.ReplaceAll(old, "server {", "server { limit_req_status 429;"), "2: 5: 503 0: 429 0: status: 503 against 429"},
		{"dry run", strings.ReplaceAll(old, "server {", "server { limit_req_dry_run on;"), "2: 5: 503 0: 0 0: scope: the new rules count only"},
		{"two", zone(client, "10r/s", "burst=1", ""), ""},
	} {
		d := compared(t, old, c.new, lines)
		got := fmt.Sprint(d.Differ)
		if f := d.First; f != nil {
			got += fmt.Sprintf(": %d: %d %d: %d %d: %s", f.Line, f.Old.Status, f.Old.WaitMs, f.New.Status, f.New.WaitMs, f.Reason)
		}
		if got != c.want && c.want != "" {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
	d := compared(t, old, zone(client, "1r/s", "burst=1 nodelay", ""), lines)
	if len(d.Gained) != 1 || d.Gained[0] != (check.KeyChange{Key: "x", Old: 2, New: 3}) || len(d.Lost) != 0 {
		t.Errorf("gained %v, lost %v", d.Gained, d.Lost)
	}
	if f := d.First; f.Old.Level != 1 || f.New.Level != 0 || f.Old.Key != "x" || f.TimeNs != 1_700_000_000_030_000_000 {
		t.Errorf("levels: %+v", f)
	}
}

// TestInsteadOfItself compares random configurations with themselves, on random requests
// and replicas.
func TestInsteadOfItself(t *testing.T) {
	draw := rand.New(rand.NewPCG(8, 1))
	for range 10 {
		text := zone([]string{"$binary_remote_addr", "$uri", "$binary_remote_addr$server_name"}[draw.IntN(3)], fmt.Sprint(1+draw.IntN(9), "r/s"), fmt.Sprint("burst=", 1+draw.IntN(5)), "")
		var lines []string
		now := 0
		for range 200 {
			now += draw.IntN(300)
			lines = append(lines, at(now, fmt.Sprint("c", draw.IntN(3)), fmt.Sprint("/", draw.IntN(3)), ""))
		}
		for _, spread := range []string{"even", "random", "hash"} {
			a, b := configured(t, text), configured(t, text)
			r, fields := recorded(t, lines, nil, a, b)
			l, d, err := a.Instead(t.Context(), b, r, fields, check.Judging{Replicas: 3, Spread: spread})
			if err != nil || d.Differ != 0 || d.First != nil || l.Requests != 200 || l.Totals != d.Log.Totals {
				t.Errorf("%s: %+v, %v", text, d, err)
			}
		}
	}
}
