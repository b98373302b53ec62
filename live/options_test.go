package live

import (
	"reflect"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/live/trial"
)

// TestOptions checks that each option sets what it is about, and nothing else.
func TestOptions(t *testing.T) {
	for name, c := range map[string]struct {
		option Option
		want   settings
	}{
		"Scenario":   {Scenario("s"), settings{scenario: "s"}},
		"Judge":      {Judge("bucket"), settings{trial: trial.Trial{Promise: "bucket"}}},
		"Predict":    {Predict("gcra"), settings{trial: trial.Trial{Predict: "gcra"}}},
		"OwnNetwork": {OwnNetwork(), settings{trial: trial.Trial{OwnNetwork: true}}},
		"Tolerance":  {Tolerance(3), settings{trial: trial.Trial{Tolerance: 3}}},
		"Resolution": {Resolution(time.Second), settings{trial: trial.Trial{ResolutionNs: 1e9}}},
		"Unused":     {Unused(), settings{trial: trial.Trial{Unused: true}}},
		"Timeout":    {Timeout(time.Minute), settings{trial: trial.Trial{Timeout: time.Minute}}},
		"Caps":       {Caps(1, 2, 3), settings{trial: trial.Trial{Caps: send.Caps{PerSecond: 1, Requests: 2, InFlight: 3}}}},
	} {
		var got settings
		if c.option(&got); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
