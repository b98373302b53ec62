package batchreported

import (
	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/network"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// code is what clients run: the options of an algorithm that concern them, and
// its random streams.
type code struct {
	config batchreported.Config
	batchreported.Conditions
	link network.Link
	coin random.Stream
}

// addCode adds the clients that run an algorithm. In a rollout every gateway has
// two clients, one with the old and one with the new code, whose numbers differ by
// the number of gateways. Requests go to one of them. The other one, if the gateway
// has used it before, still reports what it has counted.
//
// The servers decide what answers contain. A client ignores a field that its
// algorithm does not have.
func (r *reported) addCode(t *engine.Trial, a *scenarios.Algorithm) {
	own := t.Part(len(r.codes), a)
	c := code{config: engine.Must(reportedConfig(t.Setting, a)), Conditions: batchreported.ConditionsFrom(a.Options), link: network.NewLink(own, faults.Servers, "reports"), coin: own.Stream("coin")}
	c.config.AsDuration = r.config.AsDuration
	phase := own.Stream("phase")
	r.phases = append(r.phases, c.config.Ticks(&phase)...)
	r.codes = append(r.codes, c)
}

// codeOf returns what a client runs.
func (r *reported) codeOf(client int32) *code {
	if int(client) < r.setting.Clients() {
		return &r.codes[0]
	}
	return &r.codes[1]
}

// gateway returns the number of the gateway that a client runs in.
func (r *reported) gateway(client int32) int32 {
	if n := int32(r.setting.Clients()); client >= n {
		return client - n
	}
	return client
}

// clientsOf returns the clients in a gateway.
func (r *reported) clientsOf(gateway int32) []int32 {
	return []int32{gateway, gateway + int32(r.setting.Clients())}[:len(r.codes)]
}

// understood removes what a client ignores from an answer to it.
func (r *reported) understood(client int32, a *batchreported.Answer) {
	if !r.config.RejectTil || r.codeOf(client).config.RejectTil {
		return
	}
	for i := range a.Rows {
		a.Rows[i].Reject = 0
	}
}

// converting decides for gateways that are converted from the old to the new code.
type converting struct {
	*reported
	at      engine.Conversion
	clients [traffic.BlockSize]int32
}

func (c *converting) Decide(a *engine.Arrivals, lo, hi int, verdicts []counting.Verdict) int {
	stage, n := c.at.Run(a.Time[lo:hi], a.Client[lo:hi])
	if stage == 0 {
		return c.reported.Decide(a, lo, lo+n, verdicts[:n])
	}
	converted := *a
	converted.Client = c.clients[:lo+n]
	for i := lo; i < lo+n; i++ {
		converted.Client[i] = c.reported.clientsOf(a.Client[i])[1]
	}
	return c.reported.Decide(&converted, lo, lo+n, verdicts[:n])
}

func (c *converting) Inspect(key, client int32, now, cost int64) (level, retryAt int64) {
	return c.reported.Inspect(key, c.reported.clientsOf(client)[c.at.Stage(client, now)], now, cost)
}
