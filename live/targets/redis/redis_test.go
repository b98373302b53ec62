//go:build network && unix

package redis

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/limitgauge/limitgauge/internal/testing/redistest"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// setting returns the setting of a run against a server.
func setting(address string) *targets.Setting {
	return &targets.Setting{
		Addresses: []string{address}, Clients: 1, Run: "test",
		Policy: targets.Policy{Limit: 10, WindowNs: 60e9, Burst: 10},
		Lookup: func(string) (string, bool) { return "", false },
	}
}

// with returns values of options.
func with(options map[string]any) catalog.Values {
	v := catalog.Values{}
	for name, x := range options {
		v[name] = catalog.Value{V: x, Given: true}
	}
	return v
}

func start(t *testing.T, s *targets.Setting, options map[string]any) exchange.Target {
	t.Helper()
	to, err := Kind().Open(t.Context(), s, with(options))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { to.Close() })
	return to
}

// file returns the path of a script.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script.lua")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// ask sends one request of cost 1 and returns the answer.
func ask(t *testing.T, to exchange.Target, key string) exchange.Answer {
	t.Helper()
	a, err := to.Ask(t.Context(), &exchange.Request{Key: key, Cost: 1})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A connection that is lost after the script ran costs a verdict, and never runs the
// script again.
func TestServerLosesReplies(t *testing.T) {
	server := redistest.Start(t)
	to := start(t, setting(server.Dropping(t, 4)), map[string]any{
		"script": file(t, "return redis.call('INCR', KEYS[1])"), "keys": []any{"ran"}, "connections": int64(3),
	})
	const asked = 60
	failures := map[string]int{}
	var mutex sync.Mutex
	var wait sync.WaitGroup
	for range 6 {
		wait.Go(func() {
			for range asked / 6 {
				if _, err := to.Ask(t.Context(), &exchange.Request{Cost: 1}); err != nil {
					mutex.Lock()
					failures[err.Error()]++
					mutex.Unlock()
				}
			}
		})
	}
	wait.Wait()
	c, err := redis.Dial("tcp", server.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if ran, err := redis.Int(c.Do("GET", "ran")); ran != asked || err != nil {
		t.Errorf("%d requests ran the script %d times, %v", asked, ran, err)
	}
	lost := failures["connection closed"] + failures["connection reset"]
	delete(failures, "connection closed")
	delete(failures, "connection reset")
	if lost > asked/4 || lost < asked/4-3 || len(failures) > 0 { // of each connection, each fourth after SCRIPT LOAD
		t.Errorf("%d verdicts were lost, want about %d; other failures: %v", lost, asked/4, failures)
	}
}

// A silent server costs the requests of its silence alone, and does not hold a request
// beyond its deadline.
func TestServerIsSilent(t *testing.T) {
	server := redistest.Start(t)
	brief := start(t, setting(server.Address), map[string]any{"script": "fixed-window", "timeout": int64(500e6), "connections": int64(2)})
	patient := start(t, setting(server.Address), map[string]any{"script": "fixed-window", "timeout": int64(3600e9), "connections": int64(1)})
	resume := server.Pause(t)
	for range 5 {
		if _, err := brief.Ask(t.Context(), &exchange.Request{Cost: 1}); err == nil || err.Error() != "timeout" {
			t.Errorf("a silent server: %v, want timeout", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := patient.Ask(ctx, &exchange.Request{Cost: 1}); err == nil || err.Error() != "interrupted" {
		t.Errorf("an interrupted request: %v, want interrupted", err)
	}
	resume()
	if a := ask(t, patient, "later"); !a.Admit {
		t.Errorf("after the silence: %+v", a)
	}
}

// A server that has lost the script has no verdict once, and gets the script again.
func TestServerForgetsTheScript(t *testing.T) {
	server := redistest.Start(t)
	to := start(t, setting(server.Address), map[string]any{"script": "fixed-window", "connections": int64(1)})
	ask(t, to, "a")
	c, err := redis.Dial("tcp", server.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Do("SCRIPT", "FLUSH"); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Ask(t.Context(), &exchange.Request{Key: "a", Cost: 1}); err == nil || err.Error() != "redis error NOSCRIPT" {
		t.Errorf("without the script: %v", err)
	}
	if a := ask(t, to, "a"); a.Remaining != 8 {
		t.Errorf("with the script again: %+v, want 8 remaining", a)
	}
}

// Credentials come from the environment or a file, and no error contains one.
func TestServerNeedsAPassword(t *testing.T) {
	server := redistest.Start(t, "--requirepass", "hush")
	for _, c := range []struct {
		name, address, variable, file string
		opens                         bool
	}{
		{"variable", server.Address, "hush", "", true},
		{"file", "redis://" + server.Address + "/3", "", "hush\n", true},
		{"none", server.Address, "", "", false},
		{"wrong", server.Address, "hushhush", "", false},
		{"in the address", "redis://:hush@" + server.Address, "hush", "", false},
		{"elsewhere", "192.0.2.1:6379", "hush", "", false},
		{"no database", server.Address + "/hush", "hush", "", false},
	} {
		s := setting(c.address)
		s.Lookup = func(name string) (string, bool) { return c.variable, name == "REDISCLI_AUTH" && c.variable != "" }
		options := map[string]any{"script": "gcra"}
		if c.file != "" {
			options["password_file"] = file(t, c.file)
		}
		to, err := Kind().Open(t.Context(), s, with(options))
		if (err == nil) != c.opens || err != nil && strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v, want success: %v, and no password", c.name, err, c.opens)
		}
		if err == nil {
			ask(t, to, "a")
			to.Close()
		}
	}
}

// The time that is read lies between the call and its return.
func TestServerClock(t *testing.T) {
	to := start(t, setting(redistest.Start(t).Address), map[string]any{"script": "gcra"})
	before := time.Now().Truncate(time.Microsecond)
	at, err := to.(exchange.Clock).Now(t.Context())
	if now := time.Unix(0, at); err != nil || now.Before(before) || now.After(time.Now()) {
		t.Errorf("%v, %v: want a time after %v", now, err, before)
	}
}

// Wrong options are refused before anything is sent.
func TestRefusesOptions(t *testing.T) {
	for want, options := range map[string]map[string]any{
		"script: want fixed-window, first-hit-window": {"script": "leaky"},
		"unknown word {usr} at character 3":           {"script": "gcra", "keys": []any{"k", "a:{usr}"}},
		"keys, element 2":                             {"script": "gcra", "keys": []any{"k", "a:{usr}"}},
		"rejected_if: \"zero\": want =":               {"script": "gcra", "rejected_if": "zero"},
		"\"1.2.3\" is not a number":                   {"script": "gcra", "rejected_if": "> 1.2.3"},
		"reply: no element is the verdict":            {"script": "gcra", "reply": []any{"remaining"}},
	} {
		if _, err := Kind().Open(t.Context(), setting("127.0.0.1:1"), with(options)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", options, err, want)
		}
	}
}
