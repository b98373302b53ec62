package sim

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestLargestReservation checks that a maximum that requests reserve is refused if it is
// below the largest cost or below the largest estimate.
func TestLargestReservation(t *testing.T) {
	for _, c := range []struct{ estimate, actual, maximum, largest int }{
		{500, 800, 800, 0}, {500, 800, 799, 800}, {900, 800, 900, 0}, {900, 800, 899, 900},
	} {
		_, problems, err := prepare(context.Background(), load(t, fmt.Sprintf(`
version: 1
duration: 2s
algorithms:
  tested: {enforcement: central, counter: token-bucket, settle: {reserve-maximum-then-refund: {maximum: %d}}}
scenarios:
  - name: tokens
    policy: {limit: 1000/s}
    traffic: [{pattern: constant, rate: 1/s, cost: {estimate: %d, actual: %d}, answer: 1s}]
    algorithms: [tested]
`, c.maximum, c.estimate, c.actual)), &logReader{})
		if err != nil {
			t.Fatal(err)
		}
		said := fmt.Sprint(problems)
		if want := fmt.Sprintf("is below the largest cost of the traffic, %d]", c.largest); (c.largest > 0) != strings.HasSuffix(said, want) || c.largest == 0 && len(problems) > 0 {
			t.Errorf("%+v: %s", c, said)
		}
	}
}
