//go:build unix

package check

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/pgtest"
	"github.com/limitgauge/limitgauge/live/database/functions"
	"github.com/limitgauge/limitgauge/live/database/postgres"
)

// TestPostgresFunctions compares each function with its rule on a real server, and
// with another rule, from which it must differ.
func TestPostgresFunctions(t *testing.T) {
	p := pgtest.Start(t, "fsync=off")
	server, err := postgres.Parse(p.DSN(), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range functions.Variants() {
		for _, even := range []bool{false, true} {
			i := functions.Install{Variant: v.Name, TiesToEven: even}
			o, err := Check(t.Context(), server, i)
			if err != nil || o.Difference != "" || o.Calls != sequences*length {
				t.Errorf("%+v: %v, %+v, want no difference in %d calls", i, err, o, sequences*length)
			}
		}
	}
	scratch, err := server.NewScratch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer scratch.Drop()
	session, err := scratch.Connect(t.Context(), "read committed")
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	script, _ := functions.Install{Variant: "published"}.Script()
	if err := session.Exec(t.Context(), clock+script); err != nil {
		t.Fatal(err)
	}
	for _, other := range []functions.Install{{Variant: "published", TiesToEven: true}, {Variant: "call-stamp"}, {Variant: "exact"}} {
		if o, err := compare(t.Context(), session, other); err != nil || o.Difference == "" {
			t.Errorf("published compared with %+v: %v, %+v, want a difference", other, err, o)
		}
		if err := session.Exec(t.Context(), "truncate rate_limits"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPostgresCleanUp checks that no schema remains, also after an interrupt.
func TestPostgresCleanUp(t *testing.T) {
	p := pgtest.Start(t, "fsync=off")
	server, err := postgres.Parse(p.DSN(), false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	scratch, err := server.NewScratch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	go cancel()
	if _, err := scratch.Value(ctx, "select pg_sleep(5)"); err == nil {
		t.Error("a statement went on after its context was cancelled")
	}
	if err := scratch.Drop(); err != nil {
		t.Error(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, server, functions.Install{Variant: "published"}); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted check ends with %v", err)
	}
	p.Do(t, "create role single login connection limit 1; grant create on database postgres to single")
	single, err := postgres.Parse(strings.Replace(p.DSN(), "user=limitgauge", "user=single", 1), false)
	if err != nil {
		t.Fatal(err)
	}
	if o, err := Check(t.Context(), single, functions.Install{Variant: "published"}); err == nil || !strings.Contains(err.Error(), "too many connections") {
		t.Errorf("a check of a server that accepts one connection: %+v, %v", o, err)
	}
	if left := p.Do(t, "select nspname from pg_namespace where nspname like 'limitgauge%'"); len(left) > 0 {
		t.Errorf("schemas remain: %v", left)
	}
}
