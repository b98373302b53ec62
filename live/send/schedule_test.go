package send

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// scenario loads a scenario with a limit of 100/s for three clients.
func scenario(t *testing.T, rest string) *scenarios.Scenario {
	t.Helper()
	text := "version: 1\nscenarios:\n- name: s\n  algorithms: [token-bucket]\n  topology: {clients: 3}\n"
	if !strings.Contains(rest, "policies:") {
		text += "  policy: {limit: 100/s}\n"
	}
	f, problems := scenarios.Load("s.yaml", []byte(text+rest), ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return &f.Scenarios[0]
}

func TestSchedule(t *testing.T) {
	s := scenario(t, `
  duration: 2s
  traffic:
  - {pattern: constant, rate: 2/s, keys: {one: a}, cost: 3}
  - pattern: list
    events: [{at: 0s, key: b, client: 2, count: 2}, {at: 1s, key: c, client: 1, cost: 7}]
`)
	all, err := Schedule(s, nil, 0, Caps{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, e := range all {
		if e.Number != int64(i) || e.SentNs != exchange.Unstated || e.AnsweredNs != exchange.Unstated || e.Verdict != exchange.NotSent {
			t.Errorf("%+v", e)
		}
		got = append(got, fmt.Sprintf("%s of %s from %d, cost %d, at %d ms", e.Key, e.Tenant, e.Client, e.Cost, e.IntendedNs/1e6))
	}
	want := []string{
		"a of a from 0, cost 3, at 0 ms", "b of b from 2, cost 1, at 0 ms", "b of b from 2, cost 1, at 0 ms",
		"a of a from 1, cost 3, at 500 ms", "a of a from 2, cost 3, at 1000 ms", "c of c from 1, cost 7, at 1000 ms",
		"a of a from 0, cost 3, at 1500 ms",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if size := unsafe.Sizeof(exchange.Exchange{}); size != 184 {
		t.Errorf("the memory per request is stated as 184 bytes, it is %d", size)
	}
}

// TestScheduleOfLog checks that a recording begins in its first window.
func TestScheduleOfLog(t *testing.T) {
	recording, err := logs.Read(t.Context(), logs.Options{
		Files: []string{"-"}, Stdin: strings.NewReader("time,key\n1700000000.25,a\n1700000001.5,b\n"), Asked: logs.Asked{TimeFormat: "epoch-s"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	s := scenario(t, "  traffic: [{pattern: trace, file: x.csv}]\n")
	all, err := Schedule(s, map[int]*logs.Recording{0: recording}, 0, Caps{})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].IntendedNs != 250e6 || all[1].IntendedNs != 1500e6 || all[1].Key != "b" {
		t.Errorf("%+v", all)
	}
}

func TestScheduleErrors(t *testing.T) {
	const steady = "  duration: 3s\n  traffic: [{pattern: constant, rate: 50/s}]\n"
	for _, c := range []struct {
		rest string
		caps Caps
		want string
	}{
		{steady, Caps{Requests: 149}, "more than 149 requests, the cap"},
		{steady, Caps{PerSecond: 49}, "more than 49 requests within the second from 0s"},
		{steady, Caps{InFlight: -1}, "the cap on requests in flight is -1"},
		{steady, Caps{InFlight: 2_000_000}, "at most 1000000"},
		{steady, Caps{Requests: 150, PerSecond: 50}, ""},
		{"  duration: 3s\n  traffic: [{pattern: constant, rate: 50/s, cost: {estimated: {estimate: 5, actual: 6}}}]\n", Caps{}, "becomes known with the answer"},
		{steady + "  callers: {retry: {attempts: 1}, budget: grpc}\n", Caps{}, "without a budget"},
		{"  duration: 3s\n  policies:\n  - {limit: 1/s}\n  - {limit: 5/s, shared: true}\n  traffic: [{pattern: constant, rate: 50/s}]\n", Caps{}, "several policies"},
	} {
		_, err := Schedule(scenario(t, c.rest), nil, 0, c.caps)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("caps %+v: error is %v, want %q", c.caps, err, c.want)
		}
	}
}
