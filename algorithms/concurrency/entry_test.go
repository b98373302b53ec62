package concurrency

import (
	"reflect"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// zeros is a source of random bits.
type zeros struct{}

func (zeros) Uint64() uint64 { return 0 }

// values returns bound options with their defaults.
func values(given map[string]any) catalog.Values {
	v := catalog.Values{}
	for name, x := range given {
		v[name] = catalog.Value{V: x, Given: true}
	}
	return catalog.WithDefaults(Entry().Fields, v)
}

// Each law begins as its options say, and otherwise as its source does.
func TestNew(t *testing.T) {
	window := catalog.Values{"time": {V: int64(7)}, "samples": {V: int64(3)}}
	for _, c := range []struct {
		options map[string]any
		want    Law
	}{
		{map[string]any{"limit": int64(9)}, Fixed(9)},
		{map[string]any{"law": "aimd"}, NewAIMD(Range{20, 20, 200}, 5e9)},
		{map[string]any{"law": "aimd", "initial": int64(5), "min": int64(4), "max": int64(30), "timeout": int64(8)}, NewAIMD(Range{5, 4, 30}, 8)},
		{map[string]any{"law": "aimd", "min": int64(3), "max": int64(10), "window": window}, NewWindow(NewAIMD(Range{10, 3, 10}, 5e9), 7, 3)},
		{map[string]any{"law": "aimd-dialogue"}, NewDialogueAIMD(Range{20, 1, 1e6}, false)},
		{map[string]any{"law": "aimd-dialogue", "ramp": true, "min": int64(25)}, NewDialogueAIMD(Range{25, 25, 1e6}, true)},
		{map[string]any{"law": "vegas", "max": int64(50)}, NewVegas(Range{20, 1, 50}, zeros{})},
		{map[string]any{"law": "gradient2", "initial": int64(40)}, NewGradient2(Range{40, 20, 200})},
		{map[string]any{"law": "envoy"}, NewEnvoy(Gradient{Range{3, 3, 1000}, 3, 50, 1e8, 60e9, 0.15, 0.25}, 11, zeros{})},
		{map[string]any{"law": "envoy", "window": window}, NewEnvoy(Gradient{Range{3, 3, 1000}, 3, 50, 1e8, 60e9, 0.15, 0.25}, 11, zeros{})},
		{map[string]any{"law": "envoy", "probe": int64(5), "requests": int64(6), "update": int64(2e6), "interval": int64(4e6),
			"jitter": units.Fraction{Num: 1, Den: 8}, "buffer": units.Fraction{Num: 3, Den: 4}, "min": int64(2), "max": int64(60), "initial": int64(20)},
			NewEnvoy(Gradient{Range{20, 2, 60}, 5, 6, 2e6, 4e6, 0.125, 0.75}, 11, zeros{})},
	} {
		got, err := New(values(c.options), 11, zeros{})
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %+v, %v, want %+v", c.options, got, err, c.want)
		}
	}
}

// Options that contradict each other are refused.
func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		options map[string]any
		want    string
	}{
		{map[string]any{}, "needs a limit"},
		{map[string]any{"law": "aimd", "max": int64(19)}, "min of 20, which is that of the law, is above max of 19"},
		{map[string]any{"law": "aimd", "initial": int64(19)}, "initial of 19 is outside"},
		{map[string]any{"law": "vegas", "initial": int64(1001)}, "initial of 1001 is outside"},
		{map[string]any{"law": "envoy", "probe": int64(1001)}, "probe of 1001 is above max of 1000"},
		{map[string]any{"law": "envoy", "interval": int64(99e6)}, "interval is shorter than update"},
	} {
		if _, err := New(values(c.options), 0, zeros{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.options, err, c.want)
		}
	}
	for _, right := range []map[string]any{{"law": "aimd", "max": int64(20)}, {"law": "aimd", "initial": int64(200)}, {"law": "envoy", "probe": int64(1000)}, {"law": "envoy", "interval": int64(100e6)}} {
		if _, err := New(values(right), 0, zeros{}); err != nil {
			t.Errorf("%v: %v", right, err)
		}
	}
}
