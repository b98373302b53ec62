package reporting_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/reporting"
)

// config allows each key 1,000 requests per second over all gateways.
var config = reporting.Config{
	Limit: 1000, Window: time.Second, Interval: 100 * time.Millisecond,
	Debt: true, Burst: 100, Local: true,
}

// serve answers reports. clock is the server's clock: time.Now in a program.
func serve(server *reporting.Server, clock func() time.Time) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var report reporting.Report
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&report); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer, err := server.Receive(clock(), report)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		json.NewEncoder(w).Encode(answer)
	}
}

// gateway is one process that limits requests.
type gateway struct {
	client *reporting.Client
	clock  func() time.Time // the gateway's own: time.Now in a program
	url    string           // of the server
}

// tick reports. A program calls it every config.Interval, at a phase of its own.
func (g *gateway) tick() error {
	report, ok := g.client.Flush(g.clock())
	if !ok {
		return nil
	}
	answer, err := g.post(report)
	if err != nil {
		return fmt.Errorf("%w (%v)", err, g.client.Resend(report))
	}
	return g.client.Apply(g.clock(), answer)
}

func (g *gateway) post(report reporting.Report) (answer reporting.Answer, err error) {
	body, err := json.Marshal(report)
	if err != nil {
		return answer, err
	}
	response, err := http.Post(g.url, "application/json", bytes.NewReader(body))
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return answer, fmt.Errorf("the server answers %s", response.Status)
	}
	return answer, json.NewDecoder(response.Body).Decode(&answer)
}

// Two gateways and a server limit the tenants of a service over HTTP. Their clocks
// need not agree: here they differ by hours, and stand still between two steps of 1 ms.
func Example() {
	elapsed := time.Duration(0)
	clock := func(ahead time.Duration) func() time.Time {
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(ahead)
		return func() time.Time { return start.Add(elapsed) }
	}
	server, err := reporting.NewServer(config, clock(0)())
	if err != nil {
		panic(err)
	}
	s := httptest.NewServer(serve(server, clock(0)))
	defer s.Close()
	var gateways []*gateway
	for i := range 2 {
		g := &gateway{clock: clock(time.Duration(5*i) * time.Hour), url: s.URL}
		if g.client, err = reporting.NewClient(config, g.clock()); err != nil {
			panic(err)
		}
		gateways = append(gateways, g)
	}

	admitted := map[string]int{}
	for ; elapsed < 10*time.Second; elapsed += time.Millisecond {
		for i, g := range gateways {
			for _, tenant := range []string{"busy", "busy", "quiet"} { // busy: 4,000/s of both gateways
				if tenant == "quiet" && elapsed%(10*time.Millisecond) > 0 { // 200/s of both gateways
					continue
				}
				ok, err := g.client.Decide(g.clock(), tenant, 1)
				if err != nil {
					panic(err)
				}
				if ok {
					admitted[tenant]++
				}
			}
			if elapsed%config.Interval == time.Duration(i)*config.Interval/2 {
				if err := g.tick(); err != nil {
					panic(err)
				}
			}
		}
	}
	fmt.Println("admitted in 10s:", admitted)
	// Output:
	// admitted in 10s: map[busy:10324 quiet:2000]
}
