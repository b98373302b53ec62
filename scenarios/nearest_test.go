package scenarios

import (
	"fmt"
	"testing"
)

// TestNearest checks that an unknown name lists all others only if they are few, and else
// the three that are nearest.
func TestNearest(t *testing.T) {
	var many []string
	for i := range mostListed {
		many = append(many, fmt.Sprintf("counter-%d", i))
	}
	few := []string{"leaky-bucket", "gubernator-leaky", "local-leak"}
	for _, c := range []struct {
		known []string
		want  string
	}{
		{few, "no algorithm is called own-leaky (known: leaky-bucket, gubernator-leaky, local-leak)"},
		{append(many, few...), "no algorithm is called own-leaky (nearest of 27: gubernator-leaky, local-leak, leaky-bucket)"},
	} {
		if got := unknownName("algorithm", "own-leaky", c.known).Error(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
