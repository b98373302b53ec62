package sql

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/limiters/rover"
	"github.com/limitgauge/limitgauge/sim/network"
)

// unaffected returns why a fault cannot affect an algorithm.
func unaffected(_ *engine.Setting, a *scenarios.Algorithm, f *scenarios.Fault) string {
	overhead, service := engine.ServiceOf(a.Options.Choice("overhead"), random.Stream{}), engine.ServiceOf(a.Options.Choice("service_time"), random.Stream{})
	switch {
	case f.Kind == "slow-server" && overhead.TakesNone() && service.TakesNone() && (many(a) || noWork(a)):
		return "its database takes no time"
	case f.Kind == "store-latency" && hashed(a):
		return "its rows are on several servers, which server-latency delays"
	case f.Kind == "server-latency" && !hashed(a):
		return "its rows are on one server, which store-latency delays"
	case f.Kind == "store-down" && hashed(a):
		return "its rows have replicas on several servers, which server-crash and server-restart stop"
	case (f.Kind == "server-restart" || f.Kind == "server-crash") && !hashed(a):
		return "its rows are on one server, which store-down stops"
	}
	return ""
}

func checkSQL(s *engine.Setting, a *scenarios.Algorithm) error {
	if _, err := serverLatency(s, a); err != nil {
		return fmt.Errorf("server_network: %w", err)
	}
	return s.CheckTables(a, engine.Whole)
}

func sqlDraws(s *engine.Setting, a *scenarios.Algorithm) bool {
	latency, err := serverLatency(s, a)
	mixed := func(name string) bool {
		share := a.Options.Share(name)
		return share.Num > 0 && share.Num < share.Den
	}
	return err == nil && latency.Random() && servers(s, a) > 1 || jitters(a.Options.Choice("retry_delay")) || mixed("for_update") || mixed("single_row") ||
		a.Options.String("on_conflict") == "fail" && a.Options.String("isolation") == "serializable" || network.DrawsLatency(s, a) || a.Options.Choice("service_time").Name == "exponential" || a.Options.Choice("overhead").Name == "exponential" ||
		!many(a) && (randomWork(a) || mixed("head_start"))
}

func newSQL(t *engine.Trial) (engine.Executor, error) {
	o := t.Algorithm.Options
	s := &sqlCallers{
		executor: engine.NewEventExecutor(t.Sinks, t.Start), load: t.Load(), faults: t.Faults,
		waitInterval: o.Duration("wait_interval"), timeout: o.Duration("timeout"), backoff: newBackoff(o.Choice("retry_delay"), t.Stream("backoff")),
		retries: o.Int("retries"), byServer: o.String("retried_by") == "server", failOpen: o.String("on_failure") == "fail-open",
		clients: make([]sqlClient, t.Clients()),
	}
	responder := faults.TheStore
	if hashed(t.Algorithm) {
		responder = faults.Servers
	}
	s.network = network.NewHop(t, responder, t.Latency(), "network")
	if w := rover.Waits(t.Setting, t.Algorithm); w != nil {
		s.maxWait = w.Time
	}
	for i := range s.clients {
		s.clients[i].free = o.Int("connections")
	}
	s.database = sqlDatabase{
		callers: s, meter: t.Recorder.Conflicts(), cluster: newCluster(t),
		credited: o.Bool("lock_wait_credited"), refusalWrites: o.Bool("count_rejected"),
		overhead:  engine.ServiceOf(o.Choice("overhead"), t.Stream("overhead")),
		service:   engine.ServiceOf(o.Choice("service_time"), t.Stream("service")),
		work:      newWork(t),
		forUpdate: o.Share("for_update"), singleRow: o.Share("single_row"), statements: t.Stream("statements"), priorities: t.Stream("priorities"),
	}
	s.database.open(t)
	s.executor.Run(s)
	return s.executor, nil
}
