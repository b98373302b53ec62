package functions_test

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/live/database/functions"
)

// TestTiesOfEachVariant checks that a rule rounds ties to even exactly where its script
// computes in double precision.
func TestTiesOfEachVariant(t *testing.T) {
	even := 0
	for _, name := range functions.Names() {
		for _, ties := range []bool{false, true} {
			i := functions.Install{Variant: name, TiesToEven: ties}
			rule, err := i.Rule()
			if err != nil {
				t.Fatal(err)
			}
			script, err := i.Script()
			if err != nil {
				t.Fatal(err)
			}
			double := strings.Contains(script, "date_part('epoch'")
			if rule.TiesToEven != double {
				t.Errorf("%+v: the rule rounds ties to even: %t; the script computes in double precision: %t", i, rule.TiesToEven, double)
			}
			if double {
				even++
			}
		}
	}
	if even != len(functions.Names())-1 {
		t.Errorf("%d scripts compute in double precision, want all but that of the exact bucket, if they are asked to", even)
	}
}
