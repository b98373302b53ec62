package results_test

import (
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// TestAxisConditions tells what limiters meet from how they are set.
func TestAxisConditions(t *testing.T) {
	for of, want := range map[string]bool{
		"algorithms.batch.interval": false, "policy.burst": false, "policies.search.limit": false, "topology.servers": false,
		"topologies.fleet.servers": false, "topologies.my.fleet.servers": false, "topologies.policy.clients": true, "topologies.fleet.clients": true, "topology.network.constant": true, "traffic[0].rate": true, "duration": true,
	} {
		if got := (results.Axis{Of: of}).Condition(); got != want {
			t.Errorf("%s: condition %v", of, got)
		}
	}
}

// TestAxisConcerns tells the options of an algorithm from those of others, also if its
// name has dots.
func TestAxisConcerns(t *testing.T) {
	for _, c := range []struct {
		of, algorithm string
		want          bool
	}{
		{"algorithms.batch.interval", "batch", true}, {"algorithms.batch.interval", "other", false}, {"algorithms.batch.interval", "bat", false},
		{"algorithms.my batch.x.interval", "my batch.x", true}, {"policy.burst", "batch", true},
	} {
		if got := (results.Axis{Of: c.of}).Concerns(c.algorithm); got != c.want {
			t.Errorf("%s concerns %s: %v", c.of, c.algorithm, got)
		}
	}
}

// TestUnmoved finds the axes that change nothing, and none of which no two cells differ
// alone.
func TestUnmoved(t *testing.T) {
	axes := []results.Axis{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	at := [][]string{{"1", "1", "1", "x"}, {"1", "2", "1", "x"}, {"2", "1", "1", "x"}, {"2", "2", "1", "x"}, {"2", "2", "1", "y"}}
	if got := results.Unmoved(axes, at, []int{7, 7, 8, 8, 9}); !slices.Equal(got, []string{"b"}) {
		t.Errorf("%v change nothing, want b", got)
	}
}
