package measure

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/sim/results"
)

// plain is a trial of one key, tenant and client with exact times.
func plain(limit, window, burst, end int64) Config {
	return Config{Policy: Policy{Limit: limit, Window: window, Burst: burst, LargestCost: 1}, End: end,
		Keys: 1, Tenants: 1, Clients: 1, Full: true, Memory: 1 << 20}
}

// measureRows feeds rows to a recorder in one block and closes it.
func measureRows(t *testing.T, c Config, rows ...row) map[string]Value {
	t.Helper()
	r := NewRecorder(c)
	r.Flow(flow(rows))
	r.Close(c.End)
	return values(t, r)
}

func TestWindows(t *testing.T) {
	type window struct{ index, offered, admitted int64 }
	for _, test := range []struct {
		name   string
		limit  int64
		start  int64
		end    int64
		rows   []row
		closed []window // saturated ones
	}{
		{"half open", 2, 0, 20, []row{
			{time: 9, offered: 2, admitted: 2}, {time: 10, offered: 2, admitted: 2},
		}, []window{{0, 2, 2}, {1, 2, 2}}},
		{"below the limit is not saturated", 2, 0, 20, []row{
			{time: 9, offered: 1, admitted: 1}, {time: 10, offered: 3, admitted: 1, rejected: 2},
		}, []window{{1, 3, 1}}},
		{"the broken last window does not count", 2, 0, 15, []row{
			{time: 9, offered: 3, admitted: 3}, {time: 14, offered: 3, admitted: 3},
		}, []window{{0, 3, 3}}},
		{"warm-up does not count", 2, 10, 20, []row{
			{time: 9, offered: 3, admitted: 3}, {time: 10, offered: 2, admitted: 1, rejected: 1},
		}, []window{{1, 2, 1}}},
		{"what waits is demand of each window it waits through", 2, 0, 60, []row{
			{time: 5, offered: 3}, {time: 45, admitted: 2}, {time: 55, admitted: 1},
		}, []window{{0, 3, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 2}}},
		{"what waits until after the end", 2, 0, 40, []row{
			{time: 15, offered: 2}, {time: 55, admitted: 2},
		}, []window{{1, 2, 0}, {2, 0, 0}, {3, 0, 0}}},
		{"what waited before the span", 2, 20, 50, []row{
			{time: 5, offered: 2}, {time: 41, admitted: 2},
		}, []window{{2, 0, 0}, {3, 0, 0}, {4, 0, 2}}},
		{"what waits and gives up", 2, 0, 40, []row{
			{time: 5, offered: 2}, {time: 25, rejected: 1},
		}, []window{{0, 2, 0}, {1, 0, 0}, {2, 0, 0}}},
	} {
		c := plain(test.limit, 10, 2, test.end)
		c.Start = test.start
		var got []window
		c.OnWindow = func(w Window) {
			if w.Saturated {
				got = append(got, window{w.StartNs / 10, w.Offered, w.Admitted})
			}
		}
		v := measureRows(t, c, test.rows...)
		over := 0.0
		for i, w := range test.closed {
			if i >= len(got) || got[i] != w {
				t.Errorf("%s: saturated windows %v, want %v", test.name, got, test.closed)
				break
			}
			over += 100 * float64(max(0, w.admitted-test.limit)) / float64(test.limit)
		}
		if len(got) != len(test.closed) {
			t.Errorf("%s: saturated windows %v, want %v", test.name, got, test.closed)
		}
		if want := over / float64(len(test.closed)); v["over_limit_pct"].X != want {
			t.Errorf("%s: over_limit_pct %v, want %v", test.name, v["over_limit_pct"], want)
		}
	}
}

// A century of windows in which a key only has waiting requests needs neither
// time nor rows.
func TestIdleWindowsCostNothing(t *testing.T) {
	const year = 365 * 24 * 3600 * int64(1e9)
	c := plain(1, 1e6, 1, 100*year)
	v := measureRows(t, c, row{time: 0, offered: 1}, row{time: 100*year - 1, admitted: 1})
	windows := float64(c.End / c.Window)
	if got, want := v["window_error_mean_pct"].X, -100*(windows-1)/windows; math.Abs(got-want) > 1e-12*100 {
		t.Errorf("window_error_mean_pct %v, want %v", got, want)
	}
}

// A fixed window of L that is used up at the end of one window and at the start
// of the next admits 2L in nearly no time: L beyond rate and burst.
func TestBurstExcess(t *testing.T) {
	const s = int64(1e9)
	from := func(start int64, c Config) Config {
		c.Start = start
		return c
	}
	for _, test := range []struct {
		name  string
		c     Config
		rows  []row
		want  float64
		total float64 // accumulated
	}{
		{"the policy's own burst is no excess", plain(100, s, 100, s), []row{{time: 0, admitted: 100}}, 0, 0},
		{"straddle", plain(100, s, 100, 2*s), []row{{time: s - 1, admitted: 100}, {time: s, admitted: 100}}, 100 - 100.0/float64(s), 100 - 100.0/float64(s)},
		{"exactly at the rate", plain(3, 7, 3, 7e6), steady(1000, 7, 3), 0, 0},
		{"one more each window adds up", plain(3, 7, 3, 7e6), steady(1000, 7, 4), 2, 1000},
		{"an idle second pays back what it is worth", plain(100, s, 0, 9*s), []row{
			{time: 0, admitted: 150}, {time: s, admitted: 20}, {time: 5 * s, admitted: 30}}, 149, 149},
		{"the largest cost is within the bucket", Config{Policy: Policy{Limit: 10, Window: s, Burst: 5, LargestCost: 50}, End: s, Keys: 1, Tenants: 1, Clients: 1},
			[]row{{time: 0, admitted: 50}}, 0, 0},
		{"Unix times", Config{Policy: Policy{Limit: 10, Window: s, Burst: 5, LargestCost: 1}, Start: 1_700_000_000 * s, End: 1_700_000_009 * s, Keys: 1, Tenants: 1, Clients: 1},
			[]row{{time: 1_700_000_000 * s, admitted: 8}}, 3, 3},
		{"idle for years", plain(7e9, s, 5, 1<<62), []row{{time: 0, admitted: 10}, {time: 1 << 61, admitted: 9}}, 5, 5},
		{"an interval begins in the window before the span", from(2*s, plain(10, s, 10, 9*s)), []row{{time: 2*s - s/2, admitted: 10}, {time: 2 * s, admitted: 12}}, 7, 7},
		{"a burst before the span has drained in part when it begins", from(2*s, plain(10, s, 10, 9*s)), []row{{time: 2*s - s/2, admitted: 40}, {time: 8 * s, admitted: 1}}, 25, 25},
		{"no interval begins two windows before the span", from(2*s, plain(10, s, 10, 9*s)), []row{{time: s - 1, admitted: 90}, {time: 2 * s, admitted: 12}}, 2, 2},
		{"a window lies between two bursts", plain(10, s, 0, 9*s), []row{{time: s, admitted: 30}, {time: 3 * s, admitted: 25}}, 29, 34},
	} {
		for i := range test.rows {
			test.rows[i].offered = test.rows[i].admitted
		}
		v := measureRows(t, test.c, test.rows...)
		seconds := test.want * float64(test.c.Window) / float64(test.c.Limit) / 1e9
		for name, want := range map[string]float64{"burst_excess": test.want, "burst_excess_s": seconds, "accumulated_excess": test.total} {
			if got := v[name]; got.NoData != "" || math.Abs(got.X-want) > 1e-12*want {
				t.Errorf("%s: %s %+v, want %v", test.name, name, got, want)
			}
		}
	}
}

// TestBurstOfKinds checks that each kind of policy permits what its own reference
// admits, and no more.
func TestBurstOfKinds(t *testing.T) {
	const s = int64(1e9)
	straddle := []row{{time: s - 1, offered: 90, admitted: 90}, {time: s, offered: 95, admitted: 95}, {time: 3*s - 1, offered: 120, admitted: 120}}
	for _, full := range []bool{false, true} {
		for kind, want := range map[Kind]float64{SlidingLog: 85, FixedWindow: 20, TokenBucket: 85 - 100.0/float64(s)} {
			c := plain(100, s, 100, 4*s)
			c.Kind, c.Full = kind, full
			v := measureRows(t, c, straddle...)
			if got := v["burst_excess"]; got != Number(want) {
				t.Errorf("kind %d, full %t: burst_excess %+v, want %v", kind, full, got, want)
			}
			if got := v["burst_excess_s"]; math.Abs(got.X-want/100) > 1e-15 || got.NoData != "" {
				t.Errorf("kind %d, full %t: burst_excess_s %+v, want %v", kind, full, got, want/100)
			}
			if got := v["accumulated_excess"]; (kind == TokenBucket) != (got.NoData == "") {
				t.Errorf("kind %d, full %t: accumulated_excess %+v", kind, full, got)
			}
		}
	}
}

// TestBurstDoesNotGrow checks that a limiter that admits too much all the time has
// a burst of at most two windows, whatever the length of the run, and that the
// accumulated excess grows with the length.
func TestBurstDoesNotGrow(t *testing.T) {
	const s = int64(1e9)
	for _, windows := range []int64{2, 10, 1000} {
		c := plain(100, s, 100, windows*s)
		v := measureRows(t, c, steady(windows*100, s/100, 3)...) // three times the rate
		// Two windows minus the time from the last request to their end.
		if got, want := v["burst_excess"].X, 2*300-199.0-100; got != want {
			t.Errorf("%d windows: burst_excess %v, want %v", windows, got, want)
		}
		if got, want := v["accumulated_excess"].X, float64(200*windows+1-100); got != want {
			t.Errorf("%d windows: accumulated_excess %v, want %v", windows, got, want)
		}
	}
}

// steady admits cost at the start of each of n periods.
func steady(n, period, cost int64) []row {
	var rows []row
	for i := range n {
		rows = append(rows, row{time: i * period, admitted: cost})
	}
	return rows
}

// At a rate of one request in 60 s, a request is 6e10 units, so 1e9 requests
// overflow 64 bits. The excess in short spans may fit although the accumulated one
// does not.
func TestBurstOverflowIsNoData(t *testing.T) {
	for _, rows := range [][]row{
		{{time: 0, admitted: 1e9}},
		{{time: 0, admitted: 7e7}, {time: 1, admitted: 7e7}, {time: 2, admitted: 1}},
	} {
		v := measureRows(t, plain(1, 60e9, 1, 60e9), rows...)
		if got := v["burst_excess"]; !strings.Contains(got.NoData, "64 bits") {
			t.Errorf("%v: burst_excess %+v, want no data", rows, got)
		}
	}
	for _, keys := range []int{1, 2} {
		c := plain(1, 60e9, 1, 2000*60e9)
		c.Keys = keys
		v := measureRows(t, c, steady(2000, 60e9, 2e5)...)
		if got := v["accumulated_excess"]; !strings.Contains(got.NoData, "64 bits") {
			t.Errorf("%d keys: accumulated_excess %+v, want no data", keys, got)
		}
		if got := v["burst_excess"]; got != Number(2*2e5-2) {
			t.Errorf("%d keys: burst_excess %+v, want %v", keys, got, 2*2e5-2)
		}
	}
}

func TestFairLevel(t *testing.T) {
	for _, test := range []struct {
		demands  []int64
		total    int64
		num, den int64
	}{
		{[]int64{1000, 50, 10}, 120, 60, 1}, // Doorman's worked example: 60, 50, 10
		{[]int64{5, 7}, 5, 5, 2},
		{[]int64{3, 3, 3}, 9, 0, 0},
		{[]int64{1, 2}, 10, 0, 0},
		{[]int64{1, 2}, 0, 0, 2},
		{[]int64{math.MaxInt64, 1}, 100, 99, 1},
	} {
		var demands demandGroups
		demands.set(test.demands)
		if l := demands.level(test.total); l.num != test.num || l.den != test.den {
			t.Errorf("%v of %d: level %d/%d, want %d/%d", test.demands, test.total, l.num, l.den, test.num, test.den)
		}
	}
}

func TestJain(t *testing.T) {
	for _, test := range []struct {
		got  []int64 // each of four tenants demands 10
		jain float64
		low  float64
		high float64
	}{
		{[]int64{3, 3, 3, 3}, 1, 1, 1},
		{[]int64{8, 0, 0, 0}, 0.25, 0, 4},
		{[]int64{4, 4, 0, 0}, 0.5, 0, 2},
		{[]int64{10, 10, 10, 10}, 1, 1, 1},
	} {
		c := plain(100, 10, 1, 10)
		c.Tenants = 5 // the fifth asks for nothing and is left out
		var rows []row
		for id, a := range test.got {
			rows = append(rows, row{tenant: int32(id), offered: 10, admitted: a, rejected: 10 - a})
		}
		v := measureRows(t, c, rows...)
		if j, l, h := v["fairness_tenant_run_jain"].X, v["fairness_tenant_run_min"].X, v["fairness_tenant_run_max"].X; j != test.jain || l != test.low || h != test.high {
			t.Errorf("%v: jain %v min %v max %v, want %v %v %v", test.got, j, l, h, test.jain, test.low, test.high)
		}
	}
}

func TestShares(t *testing.T) {
	c := plain(100, 10, 1, 10)
	c.Tenants = 15
	var rows []row
	for id := int64(0); id < 15; id++ {
		rows = append(rows, row{tenant: int32(id), offered: 10 + id, admitted: 5, rejected: 5 + id})
	}
	r := NewRecorder(c)
	r.Flow(flow(rows))
	r.Close(10)
	shares := r.Shares(strconv.Itoa)
	if len(shares) != 13 {
		t.Fatalf("%d shares, want 12 and the others", len(shares))
	}
	if want := (results.Share{Tenant: "14", Offered: 24, Admitted: 5, Rejected: 19, Fair: 5}); shares[0] != want {
		t.Errorf("largest %+v, want %+v", shares[0], want)
	}
	if want := (results.Share{Tenant: results.Others, Offered: 10 + 11 + 12, Admitted: 15, Rejected: 18, Fair: 15}); shares[12] != want {
		t.Errorf("others %+v, want %+v", shares[12], want)
	}
}

func TestStep(t *testing.T) {
	const s = int64(1e9)
	c := plain(10_000, s, 1, 8*s) // tolerance 5 %
	c.Steps = []Step{{At: 2 * s, Target: 10_000}}
	rows := []row{
		{time: 1 * s, admitted: 3},
		{time: 2 * s, admitted: 5_000}, // at t0: in the window, not in (t0, t]
		{time: 2*s + s/2, admitted: 10_000},
		{time: 3 * s, admitted: 9_000},
		{time: 4 * s, admitted: 10_501},
		{time: 5 * s, admitted: 10_500},
		{time: 6 * s, admitted: 9_500},
		{time: 7 * s, admitted: 10_000},
	}
	v := measureRows(t, c, rows...)
	if got := v["settle_s"]; got != Number(3) {
		t.Errorf("settle_s %+v, want 3", got)
	}
	// A - r(t-t0) after each second: 5000 at 0.5 s, 9000 at 1 s, 9501, 10001,
	// 9501, 9501.
	if got := v["overshoot"]; got != Number(10_001) {
		t.Errorf("overshoot %+v, want 10001", got)
	}
	if got := v["payback"]; got != Number(10_001+499) {
		t.Errorf("payback %+v, want 10500", got)
	}
	// After two windows without admitted requests it is no longer settled.
	if got := measureRows(t, c, append(rows[:4:4], rows[7])...)["settle_s"]; got != Number(5) {
		t.Errorf("settle_s after a silence %+v, want 5", got)
	}
	c.Steps[0].Target = 12_000
	if got := measureRows(t, c, rows...)["settle_s"]; got != NoData("not settled when the step ended") {
		t.Errorf("settle_s %+v, want not settled", got)
	}
}

// If requests may wait in a limiter but none did, the queue is empty, and its
// metrics are 0 instead of no data.
func TestEmptyQueue(t *testing.T) {
	r := NewRecorder(plain(2, 10, 1, 10))
	r.Outcomes([]Outcome{{Verdict: counting.Admitted}})
	r.Close(10)
	if got := values(t, r)["waiting_max"]; got != Number(0) {
		t.Errorf("waiting_max %+v, want 0", got)
	}
}

func TestLoad(t *testing.T) {
	c := plain(10, 1e9, 10, 2e9)
	c.Servers = 4
	r := NewRecorder(c)
	verdicts := make([]counting.Verdict, 8)
	r.Immediate(immediate(make([]int64, 8), make([]int64, 8), verdicts))
	l := r.Load()
	for _, call := range []struct {
		at      int64
		server  int
		entries int64
	}{{5, 0, 3}, {1e7 - 1, 1, 1}, {1e7, 1, 1}, {999_999_999, 1, 2}, {1e9, 2, 10}, {2e9, 3, 3}} {
		l.Call(call.at, call.server, call.entries)
	}
	l.Staleness(0, 3e6)
	l.StalenessOf([]int64{0, 1, 1, 3e9}, []int64{0, 7e6, 14e6, 100e6}) // the last after the span
	l.Staleness(3e9, 100e6)
	l.ReportLatency(0, 1e6)
	for i, calls := range []int{1, 500, 3} {
		l.Fanout(int64(i), calls)
		l.StoreOp(int64(i), 1)
		l.StoreCommands(int64(i), 1)
		l.StoreWait(int64(i), int64(i)*3e6)
	}
	l.StoreOp(2e9, 1) // after the span
	l.StoreCommands(2e9, 2)
	r.Close(2e9)
	v := values(t, r)
	if got := r.ServerLoads(); !slices.Equal(got, []results.ServerLoad{
		{Server: 0, Calls: 1, Entries: 3, CallsPeak1s: 1}, {Server: 1, Calls: 3, Entries: 4, CallsPeak1s: 3},
		{Server: 2, Calls: 1, Entries: 10, CallsPeak1s: 1}, {Server: 3},
	}) {
		t.Errorf("loads of the servers %+v", got)
	}
	s := r.Series() // 400 bins of 5 ms
	if c := s.Calls; len(c) != len(s.Offered) || c[0] != 1 || c[1] != 1 || c[2] != 1 || c[199] != 1 || c[200] != 1 || c[201] != 0 {
		t.Errorf("series of calls in bins of %d ns: %v", s.BinNs, c)
	}
	for name, want := range map[string]Value{
		"server_calls_per_s": Number(2.5), "server_entries_per_s": Number(8.5),
		"server_calls_peak_1s": Number(4), "server_calls_peak_10ms": Number(2),
		"calls_per_decision": Number(5.0 / 8), "server_load_max_over_mean": Number(3 / 1.25), "server_calls_max_peak_1s": Number(3),
		"staleness_mean_ms": Number(6), "report_latency_mean_ms": Number(1),
		"cycle_latency_mean_ms": NoData("no reporting cycles"),
		"store_ops_per_s":       Number(1.5), "store_commands_per_s": Number(3), "store_wait_mean_ms": Number(3),
		"fanout_mean": Number(168), "fanout_max": Number(500), "fanout_p99": Number(500),
	} {
		if v[name] != want {
			t.Errorf("%s %+v, want %+v", name, v[name], want)
		}
	}
}

// TestJoiningServers checks that servers that join during a run count in the mean
// load once they are called.
func TestJoiningServers(t *testing.T) {
	for calls, want := range map[int]float64{1: 2.0 / (3.0 / 2), 0: 1} {
		c := plain(10, 1e9, 10, 2e9)
		c.Servers, c.JoiningServers = 3, 2
		r := NewRecorder(c)
		r.Load().Call(5, 0, 1)
		r.Load().Call(6, 0, 1)
		for range calls {
			r.Load().Call(7, 2, 1)
		}
		r.Close(2e9)
		if got := values(t, r)["server_load_max_over_mean"]; got != Number(want) {
			t.Errorf("%d calls to the last server: max/mean %+v, want %v", calls, got, want)
		}
	}
}

func TestGuardAndSeries(t *testing.T) {
	c := plain(10, 6, 10, 1200)
	c.Guarded = true
	r := NewRecorder(c)
	g := r.Guard()
	g.Inflight(3, 2)
	g.Inflight(10, 9) // replaced at once: held for no time
	g.Inflight(10, 4)
	g.Inflight(1190, 0)
	g.Latency(10, 7e6)
	r.Flow(flow([]row{{time: 9, offered: 3, admitted: 2, rejected: 1}, {time: 10, offered: 1}, {time: 1199, offered: 5, admitted: 1}}))
	r.Close(1200)
	v, s := values(t, r), r.Series()
	if got, want := v["guard_inflight_mean"].X, float64(2*7+4*1180)/1200; got != want {
		t.Errorf("guard_inflight_mean %v, want %v", got, want)
	}
	if v["guard_inflight_max"] != Number(4) || v["guard_latency_max_ms"] != Number(7) {
		t.Errorf("guard: %+v %+v", v["guard_inflight_max"], v["guard_latency_max_ms"])
	}
	if s.BinNs != 2 || len(s.Offered) != 600 || len(s.Inflight) != 600 {
		t.Fatalf("bins of %d ns, %d and %d of them", s.BinNs, len(s.Offered), len(s.Inflight))
	}
	if s.Offered[4] != 3 || s.Admitted[4] != 2 || s.Offered[5] != 1 || s.Offered[599] != 5 {
		t.Errorf("series: %v %v", s.Offered, s.Admitted)
	}
	if s.Inflight[0] != 0 || s.Inflight[1] != 2 || s.Inflight[4] != 2 || s.Inflight[5] != 4 || s.Inflight[599] != 0 {
		t.Errorf("inflight: %v", s.Inflight)
	}
}

func TestNoData(t *testing.T) {
	const s = int64(1e9)
	traffic := []row{{time: 0, offered: 5, admitted: 2, rejected: 3, reference: 5}, {time: s, offered: 1, admitted: 1, reference: 1}}
	coarse := plain(2, s/2, 1, 2*s)
	coarse.StampResolution = s
	late := coarse
	late.Guarded, late.Deadline = true, s-1
	small := plain(2, s, 1, 200*s)
	small.Memory = 1000
	sliding, coarseSliding := small, coarse
	sliding.Kind, coarseSliding.Kind = SlidingLog, SlidingLog
	for _, test := range []struct {
		name   string
		c      Config
		rows   []row
		metric string
		want   string
	}{
		{"no window reaches the limit", plain(9, s, 1, 2*s), traffic, "over_limit_pct_p99", "no saturated window"},
		{"stamps coarser than windows", coarse, traffic, "over_limit_pct", "stamps resolve to 1 s"},
		{"stamps coarser than windows", coarse, traffic, "under_admission_pct", "stamps resolve to 1 s"},
		{"stamps coarser than windows", coarse, traffic, "worst_sliding_pct", "stamps resolve to 1 s"},
		{"stamps coarser than the bucket", coarse, traffic, "burst_excess", "stamps resolve to 1 s"},
		{"stamps coarser than the deadline", late, traffic, "goodput_per_s", "stamps resolve to 1 s"},
		{"stamps coarser than the deadline", late, traffic, "goodput_lost_pct", "stamps resolve to 1 s"},
		{"one tenant", plain(2, s, 1, 2*s), traffic, "fairness_tenant_run_min", "one tenant"},
		{"one client", plain(2, s, 1, 2*s), traffic, "fairness_client_run_min", "one client"},
		{"no server", plain(2, s, 1, 2*s), traffic, "server_calls_per_s", "decides in place"},
		{"no backend", plain(2, s, 1, 2*s), traffic, "guard_inflight_max", "no backend"},
		{"no queue", plain(2, s, 1, 2*s), traffic, "waiting_max", "no queue: decides at arrival"},
		{"no steps", plain(2, s, 1, 2*s), traffic, "settle_s", "no steps declared"},
		{"out of memory", sliding, steady(2000, s/100, 1), "burst_excess", "needs up to 1 MiB of measure_memory"},
		{"stamps coarser than windows", coarseSliding, traffic, "burst_excess", "stamps resolve to 1 s"},
		{"no bucket", sliding, traffic, "accumulated_excess", "the policy's reference is no token bucket"},
		{"out of memory", small, steady(2000, s/100, 1), "worst_sliding_pct", "needs up to 1 MiB of measure_memory"},
	} {
		if got := measureRows(t, test.c, test.rows...)[test.metric]; got.NoData != test.want {
			t.Errorf("%s: %s is %+v, want no data (%s)", test.name, test.metric, got, test.want)
		}
	}
	// Coarse time stamps have no effect on metrics that do not need finer ones.
	Emit(func(name string, v Value) {
		if v.X != 0 || v.NoData != "" {
			t.Errorf("%s where nothing waits, with stamps of 1 s: %+v, want 0", name, v)
		}
	}).latencies("wait", &histogram{n: 3, zeros: 3}, latencyStatistics, s, "")
	waited := latencyMeter{cfg: &coarse}
	waited.Outcomes([]Outcome{
		{Dispatched: 3e8, Decided: 3e8, Waited: 3e8, Verdict: counting.Admitted},
		{Dispatched: 3e9, Decided: 3e9, Waited: 3e9, Verdict: counting.Admitted},
	})
	waited.Figures(func(name string, v Value) {
		switch name {
		case "wait_p50_ms":
			if v != NoData("stamps resolve to 1 s") {
				t.Errorf("%s of 300 ms with stamps of 1 s: %+v", name, v)
			}
		case "wait_max_ms":
			if v.X != 3000 || v.NoData != "" {
				t.Errorf("%s: %+v, want 3000", name, v)
			}
		}
	})
}
