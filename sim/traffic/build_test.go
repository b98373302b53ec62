package traffic

import (
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

const (
	millisecond = int64(1_000_000)
	second      = int64(1_000_000_000)
)

// The functions of this file build values as the loader binds them.

func entry(pattern string, options catalog.Values) scenarios.Traffic {
	return scenarios.Traffic{Name: "traffic[0]", Pattern: pattern, Options: options}
}

func value(v any) catalog.Value { return catalog.Value{V: v, Given: true} }

func rate(count, per int64) catalog.Value { return value(units.Rate{Count: count, Per: per}) }

func choice(name string, values catalog.Values) catalog.Choice {
	return catalog.Choice{Name: name, Values: values}
}

func named(name string) catalog.Choice { return choice("one", catalog.Values{"name": value(name)}) }

func uniform(count int64) catalog.Choice {
	return choice("uniform", catalog.Values{"count": value(count)})
}

func zipf(count int64, s float64) catalog.Choice {
	return choice("zipf", catalog.Values{"count": value(count), "s": value(s)})
}

func hot(count, num, den int64) catalog.Choice {
	return choice("hot", catalog.Values{"count": value(count), "share": value(units.Fraction{Num: num, Den: den})})
}

func prepare(t testing.TB, c Config) *Plan {
	t.Helper()
	p, err := Prepare(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// row is one arrival.
type row struct {
	time                int64
	key, tenant, client int32
	cost                int64
}

// collect reads a stream to its end, or at most most arrivals.
func collect(s Stream, most int) []row {
	var rows []row
	for b := NewBlock(); ; {
		s.Fill(b)
		if b.N == 0 {
			return rows
		}
		for i := range b.N {
			rows = append(rows, row{b.Time[i], b.Key[i], b.Tenant[i], b.Client[i], b.Cost[i]})
			if len(rows) == most {
				return rows
			}
		}
	}
}
