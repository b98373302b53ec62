package sim_test

import (
	"reflect"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
)

// TestDefaultsOfCounters checks that a program that makes a counter gets the defaults
// that a scenario file gets.
func TestDefaultsOfCounters(t *testing.T) {
	for _, c := range sim.Catalog().Counters {
		want, err := scenarios.Options(c.Fields, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := catalog.WithDefaults(c.Fields, nil); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: a program gets %v, a file %v", c.Name, got, want)
		}
	}
}
