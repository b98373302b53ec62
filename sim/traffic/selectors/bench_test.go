package selectors

import (
	"fmt"
	"testing"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// BenchmarkIds measures the time of one draw among few ids and many.
func BenchmarkIds(b *testing.B) {
	for _, count := range []int64{1_000, 1_000_000} {
		for _, name := range []string{"uniform", "zipf"} {
			b.Run(fmt.Sprint(name, "-", count), func(b *testing.B) {
				ids, err := NewIds(catalog.Choice{Name: name, Values: catalog.Values{"count": value(count), "s": value(1.1)}}, 1024)
				if err != nil {
					b.Fatal(err)
				}
				s, column := random.New(1, 0, "bench"), make([]int32, 1024)
				for b.Loop() {
					ids.Fill(&s, column)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/draw")
			})
		}
	}
}

// BenchmarkNewZipf builds the table of a million ids.
func BenchmarkNewZipf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newZipf(1_000_000, 1.1)
	}
}
