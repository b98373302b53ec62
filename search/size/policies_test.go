package size

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// ask returns a bucket of count per window.
func ask(count int64, window time.Duration, burst int64, per string) Ask {
	return Ask{
		Algorithm: "counter", Limit: counting.Limit{Count: count, Window: int64(window), Burst: burst}, Text: "LIMIT", Bucket: true,
		Per: per, Address: per == "remote_addr", Window: int64(window),
		Least: func(algorithm string, window int64) int64 {
			switch {
			case window > int64(time.Hour):
				return 0
			case algorithm == "fixed-window":
				return 70
			}
			return 65
		},
		Change: func(_ string, other counting.Limit) string {
			return fmt.Sprintf("%d in %d s, %d at once", other.Count, other.Window/1e9, other.Burst)
		},
	}
}

// textOf returns the policy of a limiter, which must be the only one of that name.
func textOf(t *testing.T, list []Policy, system string) Policy {
	t.Helper()
	for _, p := range list {
		if strings.HasPrefix(p.System, system) {
			return p
		}
	}
	t.Fatalf("no policy of %s", system)
	return Policy{}
}

// A setting for some of the requests says so for every limiter that has one.
func TestPoliciesOfARoute(t *testing.T) {
	a := ask(300, time.Minute, 60, "remote_addr")
	a.Where = []string{"path=/login", "method=POST"}
	for _, p := range Policies(a)[1:] {
		if want := "that it is for path=/login, method=POST alone (put it where no other request comes)"; p.CannotSay[0] != want {
			t.Errorf("%s: %q, want %q first", p.System, p.CannotSay, want)
		}
	}
}

// TestPolicies checks what each limiter gets, and what it cannot say.
func TestPolicies(t *testing.T) {
	weighted := ask(300, time.Minute, 60, "remote_addr")
	weighted.Weighted = true
	for _, c := range []struct {
		ask          Ask
		system       string
		has, without string
	}{
		{ask(300, time.Minute, 60, "remote_addr"), "limitgauge", `{limit: LIMIT, burst: 60, per: "remote_addr"}`, ""},
		{ask(300, time.Minute, 60, ""), "limitgauge", "shared: true", "per:"},
		{ask(300, time.Minute, 60, "remote_addr"), "nginx", "rate=300r/m;\nlimit_req zone=sized burst=59 nodelay;", "thousandths"},
		{ask(100, time.Minute, 60, "remote_addr"), "nginx", "here 1666", ""},
		{ask(50, time.Second, 60, "remote_addr"), "nginx", "rate=50r/s;", ""},
		{ask(30, time.Hour, 5, "remote_addr"), "nginx", "rate=1r/m;", ""},
		{ask(250, time.Hour, 5, "remote_addr"), "nginx", "rate=4r/m;", ""},
		{ask(250, time.Hour, 5, "remote_addr"), "nginx", "LIMIT (rates are whole numbers per second or per minute, here 4r/m)", ""},
		{ask(270, time.Hour, 5, "remote_addr"), "nginx", "here 83): the lines above 83 in 1000 s, 5 at once", ""},
		{ask(1, time.Second, 1, "remote_addr"), "nginx", "limit_req zone=sized;", "burst"},
		{ask(5, 60*24*time.Hour, 9, "remote_addr"), "HAProxy", "12.4 days", "stick-table"},
		{ask(300, time.Minute, 60, "user"), "nginx", "# fill in for $key_of_your_own what holds the key, in the log \"user\"\nlimit_req_zone $key_of_your_own ", "remote_addr"},
		{ask(300, time.Minute, 60, "remote_addr"), "Envoy", "max_tokens: 60\n  tokens_per_fill: 1\n  fill_interval: 0.2s\n", ""},
		{ask(1000, time.Second, 60, "remote_addr"), "Envoy", "tokens_per_fill: 50\n  fill_interval: 0.05s\n", ""},
		{ask(1000, time.Second, 49, "remote_addr"), "Envoy", "a burst of 49 (the 50 tokens of a fill do not fit into it, and fills are at least 50 ms apart, here 50): the lines above 50 in 0 s, 50 at once", ""},
		{ask(1000, time.Second, 49, "remote_addr"), "Envoy", "max_tokens: 50\n  tokens_per_fill: 50\n", ""},
		{ask(1001, time.Hour, 26, "remote_addr"), "Envoy", "max_tokens: 26\n  tokens_per_fill: 1\n  fill_interval: 3.596403597s\nLIMIT (fills are whole ns apart, here 3.596403597 s): the lines above 1 in 3 s, 26 at once", ""},
		{ask(7, time.Second, 7, "remote_addr"), "Envoy", "tokens_per_fill: 7\n  fill_interval: 1s\na refill at every instant", "whole ns"},
		{ask(300, time.Minute, 60, "remote_addr"), "envoyproxy", "unit: minute\n      requests_per_unit: 70\n", ""},
		{ask(300, 2*time.Minute, 60, "remote_addr"), "envoyproxy", "unit: minute\n", ""},
		{ask(300, 30*time.Minute, 60, "remote_addr"), "envoyproxy", "unit: hour\n", ""},
		{ask(300, 90*24*time.Hour, 60, "remote_addr"), "envoyproxy", "the log cannot show what a day needs", "requests_per_unit"},
		{ask(300, time.Minute, 60, "remote_addr"), "AWS", `"Limit": 65, "EvaluationWindowSec": 60, "AggregateKeyType": "IP"}`, "at least"},
		{ask(300, 7*time.Minute, 60, "user"), "AWS", `"EvaluationWindowSec": 300, "AggregateKeyType": "CUSTOM_KEYS"`, ""},
		{ask(300, time.Minute, 60, ""), "AWS", "one limit for all requests", "Statement\":"},
		{ask(300, time.Minute, 60, "remote_addr"), "Google", "--rate-limit-threshold-count=65 --rate-limit-threshold-interval-sec=60 ", ""},
		{ask(300, 24*time.Hour, 60, ""), "Google", "--rate-limit-threshold-interval-sec=3600 ", "=IP"},
		{weighted, "Google", "costs", "gcloud"},
		{ask(300, time.Minute, 60, "remote_addr"), "HAProxy", "http_req_rate(60s)\nhttp-request track-sc0 src\nhttp-request deny deny_status 429 if { sc_http_req_rate(0) gt 65 }", ""},
		{weighted, "HAProxy", "costs", "stick-table"},
		{weighted, "nginx", "costs", "limit_req_zone"},
		{weighted, "Envoy local", "costs", "token_bucket"},
		{weighted, "envoyproxy", "hits_addend", "the least count"},
		{weighted, "limitgauge", "", "costs"},
	} {
		p := textOf(t, Policies(c.ask), c.system)
		text := p.Text + strings.Join(p.CannotSay, "\n")
		if !strings.Contains(text, c.has) || c.without != "" && strings.Contains(text, c.without) {
			t.Errorf("%s, %+v:\n%s\nwant %q, and not %q", c.system, c.ask.Limit, text, c.has, c.without)
		}
	}
}

// TestAWSIsJSON checks that rules of AWS WAF can be read.
func TestCloudWindow(t *testing.T) {
	for least := range int64(3) {
		a := ask(1, 4*time.Minute, 1, "ip") // 2 and 5 minutes are the nearest
		a.Least = func(algorithm string, window int64) int64 {
			if algorithm != exactSliding || window != int64(5*time.Minute) {
				t.Errorf("asked for %s of %d", algorithm, window)
			}
			return least
		}
		count, window, cannotSay := a.cloudWindow(awsWindows, "some")
		if said := least > 0; count != least || (window == 300) != said || len(cannotSay) != 1 || strings.Contains(cannotSay[0], "some") == said {
			t.Errorf("%d needed: %d in %d s, %q", least, count, window, cannotSay)
		}
	}
}

func TestAWSIsJSON(t *testing.T) {
	for _, per := range []string{"remote_addr", "user"} {
		if text := textOf(t, Policies(ask(300, time.Minute, 60, per)), "AWS").Text; !json.Valid([]byte(text)) {
			t.Errorf("no JSON:\n%s", text)
		}
	}
}

// TestNginxDecidesAlike compares nginx's own integers at the written setting with the
// bucket, at times in whole ms.
func TestNginxDecidesAlike(t *testing.T) {
	a := ask(300, time.Minute, 7, "remote_addr")
	var burst, perMinute int64
	text := textOf(t, Policies(a), "nginx").Text
	rate := text[strings.Index(text, "rate="):]
	if _, err := fmt.Sscanf(strings.Join(strings.Fields(rate), " "), "rate=%dr/m; limit_req zone=sized burst=%d", &perMinute, &burst); err != nil {
		t.Fatal(err)
	}
	nginx := counting.NewNginxLimitReqs(counting.Limit{Count: perMinute, Window: minute}, counting.LeakyBucketOptions{Burst: burst, Delay: burst}, 1)
	bucket := counting.NewTokenBucket(a.Limit, counting.TokenBucketOptions{Burst: a.Limit.Burst})
	draw := rand.New(rand.NewPCG(4, 9))
	now, refused := int64(1e9), 0
	for i := range 5000 {
		now += draw.Int64N(350) * 1e6
		want := bucket.Take(now, 1)
		got, _ := nginx.Take(0, now, 1)
		if got.Admitted() != want.Admitted() {
			t.Fatalf("request %d: nginx %v, bucket %v", i, got, want)
		}
		if !want.Admitted() {
			refused++
		}
	}
	if refused < 100 {
		t.Errorf("%d requests refused: the test shows too little", refused)
	}
}

// TestServersAcceptTheSettings lets nginx and HAProxy read what is written for them.
func TestServersAcceptTheSettings(t *testing.T) {
	for _, a := range []Ask{
		ask(300, time.Minute, 60, "remote_addr"), ask(300, time.Minute, 60, ""), ask(300, time.Minute, 60, "remote_user"),
		ask(1, time.Second, 1, "remote_addr"), ask(1<<31, 60*24*time.Hour, 60, "remote_addr"), ask(5, 20*24*time.Hour, 9, "remote_addr"),
	} {
		list := Policies(a)
		if text := textOf(t, list, "nginx").Text; text != "" {
			http, server, _ := strings.Cut(text, "\n")
			accepts(t, "nginx", "events {}\nhttp {\n"+http+"\nserver {\nlisten 127.0.0.1:8099;\n"+server+"}\n}\n", "-t", "-q", "-e", "stderr", "-c")
		}
		if text := textOf(t, list, "HAProxy").Text; text != "" {
			accepts(t, "haproxy", "defaults\n  mode http\n  timeout client 1s\n  timeout server 1s\n  timeout connect 1s\nfrontend f\n  bind 127.0.0.1:8099\n"+text, "-c", "-q", "-f")
		}
	}
}

// accepts runs a program that checks a file, if there is one.
func accepts(t *testing.T, program, text string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		if path, err = exec.LookPath("/usr/sbin/" + program); err != nil {
			t.Logf("no %s here", program)
			return
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "conf")
	if program == "nginx" {
		text = "pid " + filepath.Join(dir, "pid") + ";\n" + text
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(path, append(args, file)...).CombinedOutput(); err != nil {
		t.Errorf("%s does not accept this: %v\n%s\n%s", program, err, out, text)
	}
}

// TestWindowsAscend checks that the windows of clouds are in order, as nearest expects, and
// none is there twice.
func TestWindowsAscend(t *testing.T) {
	for _, windows := range [][]int64{awsWindows, armorWindows} {
		last := int64(0)
		for _, w := range windows {
			if w <= last {
				t.Errorf("%d follows %d", w, last)
			}
			last = w
		}
	}
}
