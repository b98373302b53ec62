package rover

import (
	"math"
	"strings"
	"testing"
	"time"
)

const (
	ms = int64(1e6)
	s  = int64(1e9)

	topRate = 2_562_047_788_015_215 // MaxRate of one second
)

func must(t testing.TB, cfg Config) *Bucket {
	t.Helper()
	b, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// step is one call and the expected result; want is the ticket of a grab, the
// deficiency, the duration, the rate, or the new head of a replenish.
type step struct {
	op   string
	arg  int64
	want int64
}

func run(t *testing.T, b *Bucket, steps []step) {
	t.Helper()
	for i, st := range steps {
		n := uint64(st.arg)
		var got int64
		switch st.op {
		case "grab":
			got = int64(b.Grab(n))
		case "deficiency":
			got = int64(b.Deficiency(n))
		case "replenish":
			b.Replenish(st.arg)
			got = int64(b.State().Head)
		case "release":
			b.Release(n)
			got = int64(b.State().Ceil)
		case "refund":
			b.Refund(n)
			got = int64(b.State().Head)
		case "duration":
			d, ok := b.DurationFor(n)
			if got = int64(d); ok != (got < math.MaxInt64) {
				t.Fatalf("step %d: duration(%d) = %v, %v", i, st.arg, d, ok)
			}
		case "update":
			b.UpdateRate(n)
			got = int64(b.Rate())
		case "stamp":
			got = b.State().Stamp
		default:
			t.Fatalf("step %d: unknown op %q", i, st.op)
		}
		if got != st.want {
			t.Fatalf("step %d: %s(%d) = %d, want %d; state %+v", i, st.op, st.arg, got, st.want, b.State())
		}
	}
}

func TestSteps(t *testing.T) {
	base := Config{Rate: 100, Limit: 50}
	with := func(f func(*Config)) Config { c := base; f(&c); return c }
	for _, tt := range []struct {
		name   string
		cfg    Config
		preset *State
		steps  []step
	}{
		{"exact, full at the start", with(func(c *Config) { c.Full = true }), nil, []step{
			{"grab", 50, 50}, {"deficiency", 50, 0}, {"grab", 1, 51}, {"deficiency", 51, 1},
			{"replenish", 10*ms - 1, 50}, {"replenish", 10 * ms, 51}, {"deficiency", 51, 0},
			{"replenish", 10 * s, 101}, // 999 earned, room for 50
			{"stamp", 0, 10 * s},
		}},
		{"exact, empty at the start, keeps the remainder", with(func(c *Config) { c.Rate = 3; c.Start = s }), nil, []step{
			{"grab", 10, 10}, {"replenish", s, 0}, {"replenish", s + 333_333_333, 0}, {"replenish", s + 333_333_334, 1},
			{"stamp", 0, s + 333_333_334}, {"replenish", s + 666_666_666, 1}, {"replenish", s + 666_666_667, 2},
			{"replenish", 2*s - 1, 2}, {"replenish", 2 * s, 3}, {"stamp", 0, 2 * s},
			{"replenish", s, 3}, // time going back does nothing
			{"duration", 1, 333_333_334}, {"duration", 3, s}, {"duration", 0, 0},
		}},
		{"exact, threshold", with(func(c *Config) { c.Threshold = 10 }), nil, []step{
			{"grab", 100, 100}, {"replenish", 99 * ms, 0}, {"stamp", 0, 0}, {"replenish", 105 * ms, 10}, {"stamp", 0, 100 * ms},
			{"replenish", 199 * ms, 10}, {"replenish", 200 * ms, 20},
		}},
		{"exact, a gap of any length is credited once", with(func(c *Config) { c.Rate = 1; c.Limit = 1e6 }), nil, []step{
			{"grab", 1e9, 1e9}, {"replenish", 24 * 3600 * s, 86400}, {"stamp", 0, 24 * 3600 * s},
			{"replenish", 24*3600*s + s, 86401}, {"replenish", 25*3600*s + s, 90001}, {"replenish", math.MaxInt64, 1e9 + 1e6},
		}},
		{"exact, seven a day", with(func(c *Config) { c.Rate = 7; c.Per = 24 * time.Hour }), nil, []step{
			{"grab", 100, 100}, {"replenish", 3600 * s, 0}, {"replenish", 86400 * s / 7, 0}, {"replenish", 86400*s/7 + 1, 1},
			{"replenish", 86400 * s, 7},
		}},
		{"exact, rate changes re-price the open gap", base, nil, []step{
			{"grab", 1000, 1000}, {"update", 0, 0}, {"replenish", s, 0}, {"duration", 1, math.MaxInt64},
			{"update", 10, 10}, {"replenish", s, 10}, {"stamp", 0, s}, {"update", 3, 3}, {"replenish", s + 400*ms, 11},
			{"update", 1000, 1000}, {"stamp", 0, s + 333_333_334}, {"replenish", s + 400*ms, 77}, {"replenish", s + 400*ms + 333_334, 78},
			{"update", -1, topRate}, {"update", topRate - 1, topRate - 1},
		}},
		{"faithful, full at the start by a stamp 24 h back", with(func(c *Config) { c.Stamp = Faithful; c.Full = true; c.Start = s }), nil, []step{
			{"stamp", 0, s - 24*3600*s}, {"grab", 1, 1}, {"deficiency", 1, 1}, {"replenish", s, 51}, {"stamp", 0, s},
			{"replenish", s, 51}, {"replenish", s - 1, 51}, {"duration", 50, 500 * ms},
		}},
		{"faithful, rounds half away and moves the stamp to now", with(func(c *Config) { c.Stamp = Faithful }), nil, []step{
			{"grab", 1000, 1000}, {"replenish", 5*ms - 1, 0}, {"stamp", 0, 0}, {"replenish", 5 * ms, 1}, {"stamp", 0, 5 * ms},
			{"replenish", 19 * ms, 2}, {"stamp", 0, 19 * ms}, {"replenish", 44 * ms, 5}, {"replenish", 2*3600*s + 44*ms, 1050}, // an hour, cut by the room
			{"duration", 3, 30 * ms}, {"update", 0, 0}, {"replenish", 3 * 3600 * s, 1050}, {"duration", 1, math.MaxInt64},
			{"update", 1, 1}, {"stamp", 0, 2*3600*s + 44*ms}, {"update", -1, topRate},
		}},
		{"faithful, an hour is the longest gap", with(func(c *Config) { c.Stamp = Faithful; c.Rate = 1; c.Limit = 1e6 }), nil, []step{
			{"grab", 1e9, 1e9}, {"replenish", 24 * 3600 * s, 3600}, {"replenish", 24*3600*s + s, 3601},
		}},
		{"faithful, at the largest rate an hour fills the range", with(func(c *Config) { c.Stamp = Faithful; c.Rate = topRate; c.Limit = 1 << 62 }), nil, []step{
			{"update", -1, topRate}, {"replenish", 2 * 3600 * s, 1 << 62}, {"replenish", 2*3600*s + 1, 1 << 62},
		}},
		{"exact, at the largest rate an hour fills the range", with(func(c *Config) { c.Rate = topRate; c.Limit = 1 << 62 }), nil, []step{
			{"replenish", 2 * 3600 * s, 1 << 62}, {"grab", 5e6, 5e6}, {"replenish", 2*3600*s + 1, 1<<62 + 2_562_047}, {"replenish", 4 * 3600 * s, 1<<62 + 5e6},
			{"grab", 5e6, 1e7}, {"replenish", 4*3600*s + 1, 1<<62 + 7_562_047},
		}},
		{"capped", with(func(c *Config) { c.Capped = true; c.Full = true; c.Limit = 4 }), nil, []step{
			{"grab", 4, 4}, {"deficiency", 4, 0}, {"grab", 2, 6}, {"replenish", s, 4}, {"deficiency", 6, 2},
			{"release", 1, 5}, {"deficiency", 6, 2}, {"replenish", 2 * s, 5}, {"release", 3, 8}, {"replenish", 2*s + 10*ms, 6},
			{"deficiency", 6, 0}, {"refund", 1, 7},
		}},
		{"capped, a refund over ceil leaves no room", with(func(c *Config) { c.Capped = true; c.Full = true; c.Limit = 4 }), nil, []step{
			{"refund", 3, 7}, {"replenish", s, 7}, {"release", 2, 6}, {"replenish", 2 * s, 7}, {"release", 2, 8}, {"replenish", 3 * s, 8},
		}},
		{"uncapped, refunds may pass the cap", with(func(c *Config) { c.Full = true }), nil, []step{
			{"refund", 10, 60}, {"replenish", s, 60}, {"grab", 60, 60}, {"deficiency", 60, 0}, {"replenish", 2 * s, 110},
		}},
		{"uncapped, wrapping", base, &State{Tail: math.MaxUint64 - 4, Head: math.MaxUint64 - 9}, []step{
			{"grab", 10, 5}, {"deficiency", 5, 15}, {"deficiency", -15, 0}, {"replenish", 100 * ms, 0}, {"deficiency", 5, 5}, {"replenish", s, 55},
		}},
		{"capped, wrapping", with(func(c *Config) { c.Capped = true; c.Stamp = Faithful }), &State{Tail: math.MaxUint64, Head: math.MaxUint64 - 1, Ceil: math.MaxUint64}, []step{
			{"grab", 3, 2}, {"deficiency", 2, 4}, {"replenish", s, -1}, {"release", 2, 1}, {"replenish", 2 * s, 1}, {"deficiency", 2, 1},
		}},
		{"a head 2^63 behind reads as none missing", base, &State{Head: 1 << 63}, []step{
			{"deficiency", 0, 0}, {"deficiency", -1, math.MaxInt64},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := must(t, tt.cfg)
			if tt.preset != nil {
				b.Preset(*tt.preset)
			}
			run(t, b, tt.steps)
		})
	}
}

func TestNewRefuses(t *testing.T) {
	for _, tt := range []struct {
		cfg  Config
		want string
	}{
		{Config{}, "limit of 0"},
		{Config{Limit: 1<<62 + 1}, "at most 2^62"},
		{Config{Limit: 1, Per: -1}, "period of -1ns"},
		{Config{Limit: 1, Rate: topRate + 1}, "per 1s: want at most 2562047788015215"},
		{Config{Limit: 1, Rate: 1<<62 + 1, Per: math.MaxInt64}, "want at most 4611686018427387904"},
		{Config{Limit: 5, Threshold: 6}, "at most the limit, 5"},
		{Config{Limit: 1, Stamp: 7}, "stamp mode 7"},
		{Config{Limit: 1, Start: math.MinInt64}, "out of range"},
	} {
		if _, err := New(tt.cfg); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("New(%+v): error %v, want one with %q", tt.cfg, err, tt.want)
		}
	}
}

// A number of tokens above MaxLimit, such as a negative one that was converted, changes
// nothing, and its claim is not served.
func TestAbsurdNumbersChangeNothing(t *testing.T) {
	for _, capped := range []bool{false, true} {
		b := must(t, Config{Rate: 100, Limit: 50, Capped: capped, Full: true})
		before := b.State()
		for _, n := range []uint64{MaxLimit + 1, 1 << 63, math.MaxUint64} {
			if d := b.Deficiency(b.Grab(n)); d != math.MaxInt64 {
				t.Errorf("grab(%d): %d missing", n, d)
			}
			b.Refund(n)
			b.Release(n)
			b.GiveBack(n)
			if got := b.TryGrab(n, math.MaxUint64) + b.TryGrab(n, 1); got != 0 {
				t.Errorf("tryGrab from %d: %d", n, got)
			}
		}
		if !capped {
			b.Release(1)
		}
		if got := b.State(); got != before {
			t.Errorf("state %+v, want %+v", got, before)
		}
	}
}

func TestMaxRateFillsTheRangeInAnHour(t *testing.T) {
	for _, tt := range []struct {
		per  time.Duration
		want uint64
	}{{time.Second, topRate}, {1, 2_562_047}, {time.Minute, 153_722_867_280_912_928}, {24 * time.Hour, 1 << 62}, {math.MaxInt64, 1 << 62},
		{0, 0}, {-1, 0}, {math.MinInt64, 0}} {
		if got := MaxRate(tt.per); got != tt.want {
			t.Errorf("MaxRate(%d) = %d, want %d", tt.per, got, tt.want)
		}
	}
}

// A preset of the present state changes nothing, including the remainder.
func TestPresetKeepsTheRemainder(t *testing.T) {
	b := must(t, Config{Rate: 3, Limit: 10})
	b.Grab(10)
	b.Replenish(500 * ms)
	b.Preset(b.State())
	run(t, b, []step{{"replenish", 666_666_667, 2}, {"replenish", s, 3}})
	st := b.State()
	st.Stamp = 500 * ms
	b.Preset(st)
	run(t, b, []step{{"stamp", 0, 500 * ms}, {"replenish", s, 4}})
}

// A full bucket keeps the remainder, so it gives up to a threshold more than Limit + rate*t.
func TestFullBucketKeepsTheRemainder(t *testing.T) {
	for _, threshold := range []uint64{0, 1, 2, 10} {
		b := must(t, Config{Rate: 1, Limit: 10, Threshold: threshold, Full: true})
		got, due := uint64(0), int64(max(threshold, 1))*s
		for _, now := range []int64{due - 1, due} {
			b.Replenish(now)
			got += b.TryGrab(1, 10)
		}
		if want := 10 + max(threshold, 1); got != want {
			t.Errorf("%d tokens within 1 ns, want %d: those that it held and those that were nearly earned", got, want)
		}
	}
}
