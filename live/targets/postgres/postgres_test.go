//go:build network && unix

package postgres

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/pgtest"
	"github.com/limitgauge/limitgauge/internal/testing/wait"
	"github.com/limitgauge/limitgauge/live/database/functions"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

func start(t *testing.T, dsn string, options map[string]any) exchange.Target {
	t.Helper()
	v := catalog.Values{}
	for name, x := range options {
		v[name] = catalog.Value{V: x, Given: true}
	}
	to, err := Kind().Open(t.Context(), &targets.Setting{Addresses: []string{dsn}, Clients: 1}, v)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { to.Close() })
	return to
}

// together sends n requests at once and returns their answers and failures.
func together(t *testing.T, to exchange.Target, n int) (answers []exchange.Answer, failures []string) {
	t.Helper()
	var mutex sync.Mutex
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() {
			a, err := to.Ask(t.Context(), &exchange.Request{Number: int64(i), Key: "k", Cost: 1})
			mutex.Lock()
			defer mutex.Unlock()
			answers = append(answers, a)
			if err != nil {
				failures = append(failures, err.Error())
			}
		})
	}
	wait.Wait()
	return answers, failures
}

// The tests share one server, which takes seconds to start.
func TestPostgres(t *testing.T) {
	server := pgtest.Start(t, "fsync=off")
	t.Run("token bucket", func(t *testing.T) { bucket(t, server) })
	t.Run("conflicts", func(t *testing.T) { conflicts(t, server) })
	t.Run("lost connections", func(t *testing.T) { lost(t, server) })
	t.Run("timeout", func(t *testing.T) { late(t, server) })
	t.Run("clock", func(t *testing.T) { clock(t, server) })
	t.Run("wrong options", func(t *testing.T) { wrong(t, server) })
}

// bucket asks the function that locks the row: 10 tokens, 1/s.
func bucket(t *testing.T, server *pgtest.Server) {
	script, err := functions.Install{Variant: "row-lock"}.Script()
	if err != nil {
		t.Fatal(err)
	}
	server.Do(t, script)
	to := start(t, server.DSN(), map[string]any{"query": "select take_token($1, 1, 10)"})
	began := time.Now()
	answers, failures := together(t, to, 60)
	most := 10 + int(time.Since(began).Seconds()) + 1
	admitted, least := 0, int64(99)
	for _, a := range answers {
		if a.Admit {
			admitted++
			least = min(least, a.Remaining)
		}
	}
	if len(failures) > 0 || admitted < 10 || admitted > most || least != 0 {
		t.Errorf("%d admitted with %d remaining at the end, failures %v: want 10 to %d with 0", admitted, least, failures, most)
	}
}

// conflicts holds a row until all requests wait for it. Then each of them fails once
// or more often, and counts once.
func conflicts(t *testing.T, server *pgtest.Server) {
	const asked = 6
	server.Do(t, `create table hits (n int); insert into hits values (0);
create function hit() returns boolean language plpgsql as $$ begin update hits set n = n + 1; return true; end $$;`)
	options := map[string]any{"query": "select hit()", "parameters": []any{}, "isolation": "repeatable read", "connections": int64(asked), "timeout": int64(60e9), "retries": int64(1000)}
	patient := start(t, server.DSN(), options)
	options["retries"] = int64(0)
	strict := start(t, server.DSN(), options)
	for _, c := range []struct {
		to       exchange.Target
		failures int
	}{{patient, 0}, {strict, asked}} {
		server.Do(t, "update hits set n = 0")
		holder := server.Command("-c", "begin", "-c", "update hits set n = n", "-c", fmt.Sprintf(`do $$ begin
  while (select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query = 'select hit()') < %d loop
    perform pg_sleep(0.01), pg_stat_clear_snapshot();
  end loop; end $$`, asked), "-c", "commit")
		if err := holder.Start(); err != nil {
			t.Fatal(err)
		}
		wait.Until(t, "the row is held", func() bool {
			return server.Do(t, "select count(*) from pg_locks where relation = 'hits'::regclass and mode = 'RowExclusiveLock' and granted")[0] != "0"
		})
		answers, failures := together(t, c.to, asked)
		if err := holder.Wait(); err != nil {
			t.Fatal(err)
		}
		retries := int64(0)
		for _, a := range answers {
			retries += a.Retries
		}
		hits := server.Do(t, "select n from hits")[0]
		if c.failures == 0 && (len(failures) > 0 || hits != strconv.Itoa(asked) || retries < asked) {
			t.Errorf("%d requests: %s hits, %d retries, failures %v", asked, hits, retries, failures)
		}
		if c.failures > 0 && (hits != "0" || retries != 0 || strings.Join(failures, ",") != strings.Repeat("SQLSTATE 40001,", asked-1)+"SQLSTATE 40001") {
			t.Errorf("without retries: %s hits, %d retries, failures %v", hits, retries, failures)
		}
	}
}

// lost ends each third connection after its query counted. Nothing counts twice.
func lost(t *testing.T, server *pgtest.Server) {
	server.Do(t, `create sequence ran;
create function run_and_end() returns int language plpgsql as $$ declare n int := nextval('ran'); begin
  if n % 3 = 0 then perform pg_terminate_backend(pg_backend_pid()); end if; return n; end $$;`)
	to := start(t, server.DSN(), map[string]any{"query": "select run_and_end()", "parameters": []any{}, "connections": int64(3), "timeout": int64(60e9)})
	_, failures := together(t, to, 30)
	if ran := server.Do(t, "select last_value from ran")[0]; ran != "30" || len(failures) != 10 {
		t.Errorf("30 requests ran %s queries, failures %v", ran, failures)
	}
}

// late gives requests up at their deadline and goes on with new connections.
func late(t *testing.T, server *pgtest.Server) {
	to := start(t, server.DSN(), map[string]any{"query": "select pg_sleep(60 * $1::int) is not null", "parameters": []any{"{i}"}, "connections": int64(1), "timeout": int64(2e9)})
	for range 2 {
		if _, err := to.Ask(t.Context(), &exchange.Request{Number: 1}); err == nil || err.Error() != "timeout" {
			t.Errorf("a query of a minute: %v, want timeout", err)
		}
	}
	wait.Until(t, "an answer after timeouts", func() bool { // a busy machine may need more than one request
		_, err := to.Ask(t.Context(), &exchange.Request{})
		return err == nil
	})
}

func clock(t *testing.T, server *pgtest.Server) {
	to := start(t, server.DSN(), map[string]any{"query": "select $1::text is not null"})
	before := time.Now().Truncate(time.Microsecond)
	at, err := to.(exchange.Clock).Now(t.Context())
	if now := time.Unix(0, at); err != nil || now.Before(before) || now.After(time.Now()) {
		t.Errorf("%v, %v: want a time after %v", now, err, before)
	}
}

func wrong(t *testing.T, server *pgtest.Server) {
	for _, c := range []struct{ dsn, query, want string }{
		{server.DSN(), "", "query is missing"},
		{server.DSN(), "select 1", "it has 0 parameters, and parameters lists 1"},
		{server.DSN(), "select nothing($1)", "query: pq: function nothing(unknown) does not exist"},
		{"postgres://u:hush@localhost/x", "select $1", "PGPASSWORD"},
		{"host=localhost password=hush", "select $1", "PGPASSWORD"},
		{"postgres://u@localhost/x?password=hush", "select $1", "PGPASSWORD"},
		{"postgres://u@192.0.2.1/x", "select $1", "192.0.2.1 is not on this machine: allow it with --allow 192.0.2.1"},
	} {
		v := catalog.Values{"query": {V: c.query}}
		_, err := Kind().Open(t.Context(), &targets.Setting{Addresses: []string{c.dsn}, Clients: 1}, v)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %q: %v, want %q", c.dsn, c.query, err, c.want)
		}
	}
}

// TestVerdict reads the first column.
func TestVerdict(t *testing.T) {
	left := func(admit bool, tokens int64) exchange.Answer {
		a := exchange.Plain(admit)
		a.Remaining = tokens
		return a
	}
	for value, want := range map[string]exchange.Answer{
		"true": exchange.Plain(true), "false": exchange.Plain(false),
		"0": left(true, 0), "12.75": left(true, 12), "-1": left(false, 0),
	} {
		if got, err := verdict(value); got != want || err != nil {
			t.Errorf("%s: %+v, %v", value, got, err)
		}
	}
	for _, value := range []string{"", "yes", "NaN", "t"} {
		if _, err := verdict(value); err == nil {
			t.Errorf("%q has no verdict", value)
		}
	}
}
