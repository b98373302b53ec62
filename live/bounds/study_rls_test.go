//go:build network && unix

package bounds

import (
	"bufio"
	"cmp"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/internal/testing/redistest"
	"github.com/limitgauge/limitgauge/internal/testing/rlstest"
	"github.com/limitgauge/limitgauge/internal/testing/wait"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/live/targets/rls"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

const perSecond = `
domain: shop
descriptors:
  - key: user
    rate_limit: {unit: second, requests_per_unit: 100}
`

// increment is what the service sends to Redis for a request. The key ends with the
// second of the window, by the clock of the service.
var increment = regexp.MustCompile(`^(\d+)\.(\d{6}) .*"INCRBY" ".*_(\d+)" "1"`)

// monitor reads all commands of a Redis server. The function that it returns ends that,
// and returns the decisions of the service by wall time, in ns.
func monitor(t *testing.T, address string) (decisions func() []decision) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	fmt.Fprint(c, "MONITOR\r\n")
	in := bufio.NewScanner(c)
	in.Scan() // +OK
	var log []decision
	held := map[string]int64{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for in.Scan() && !strings.HasSuffix(in.Text(), `"ECHO" "end"`) {
			m := increment.FindStringSubmatch(in.Text()[1:])
			if m == nil {
				continue
			}
			seconds, _ := strconv.ParseInt(m[1], 10, 64)
			micros, _ := strconv.ParseInt(m[2], 10, 64)
			window, _ := strconv.ParseInt(m[3], 10, 64)
			held[m[3]]++
			// The service has read its clock in the window before Redis counts.
			at := min(seconds*1e9+micros*1e3, window*1e9+1e9-1)
			log = append(log, decision{at: at, cost: 1, admitted: held[m[3]] <= 100})
		}
	}()
	return func() []decision {
		end, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer end.Close()
		fmt.Fprint(end, "ECHO end\r\n")
		select {
		case <-ended:
		case <-wait.End(t):
			t.Fatal("the log of Redis does not end")
		}
		return log
	}
}

// TestTruthOfRateLimitServices judges two replicas of envoyproxy/ratelimit, whose Redis
// server stands still once and logs what they count. Faulty ones have a server each.
func TestTruthOfRateLimitServices(t *testing.T) {
	for seed, fault := range []string{"none", "two copies", "none", "two copies"} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			stores := []*redistest.Server{redistest.Start(t)}
			replicas := 2
			if fault != "none" {
				stores, replicas = append(stores, redistest.Start(t)), 1
			}
			var addresses []string
			var logs []func() []decision
			for _, s := range stores {
				addresses = append(addresses, rlstest.Start(t, s, replicas, perSecond)...)
				logs = append(logs, monitor(t, s.Address))
			}
			s := &studied{setup: setup{
				algorithm: "fixed-window", fault: fault, limit: counting.Limit{Count: 100, Window: 1e9, Burst: 100},
				ratePct: 200, windows: 6, maxCost: 1, even: seed < 2, seed: uint64(seed),
			}}
			stream := random.New(s.seed, 0, "rls")
			for i, at := range s.arrivals(&stream) {
				e := exchange.Exchange{Answer: exchange.Plain(false), SentNs: exchange.Unstated, AnsweredNs: exchange.Unstated}
				e.Request = exchange.Request{Number: int64(i), IntendedNs: at, Client: int32(i % 2), Cost: 1, Key: "ann"}
				s.planned = append(s.planned, e)
			}
			target, err := rls.Kind().Open(t.Context(), &targets.Setting{Addresses: addresses, Clients: 2}, catalog.Values{
				"domain": {V: "shop"}, "descriptors": {V: []any{"user={key}"}}, "timeout": {V: int64(1e9)},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer target.Close()
			var stall sync.WaitGroup
			stall.Go(func() {
				time.Sleep(3300 * time.Millisecond)
				resume := stores[0].Pause(t)
				time.Sleep(stallFor)
				resume()
			})
			r, err := s.send(t.Context(), target)
			stall.Wait()
			if err != nil {
				t.Fatal(err)
			}
			v := virtual{exchanges: r.Exchanges, phase: (1e9 - r.Start.UnixNano()%1e9) % 1e9}
			for _, log := range logs {
				v.decisions = append(v.decisions, log()...)
			}
			for i := range v.decisions {
				v.decisions[i].at -= r.Start.UnixNano()
			}
			slices.SortStableFunc(v.decisions, func(a, b decision) int { return cmp.Compare(a.at, b.at) })
			if len(v.decisions) > len(r.Exchanges) {
				t.Errorf("%d decisions of %d requests", len(v.decisions), len(r.Exchanges))
			}
			rep, err := s.judgeAll(v)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s; %s; phase: %+v", rep.Judgement.Text, rep.Under.Text, rep.Phase)
		})
	}
}
