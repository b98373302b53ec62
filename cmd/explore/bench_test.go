package explore

import (
	"context"
	"testing"

	"github.com/limitgauge/limitgauge/report/html"
)

// BenchmarkAnswer measures the parts of an answer for each scenario of the default suite:
// reading the settings, previews after the first ones, and drawing.
func BenchmarkAnswer(b *testing.B) {
	e := explorerOf(b, "../../scenarios.yaml", "../..")
	for _, name := range e.base.Names() {
		v := View{Scenario: name}
		b.Run(name+"/settings", func(b *testing.B) {
			for range b.N {
				if _, err := e.load(v); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/preview", func(b *testing.B) {
			for i := range b.N {
				if _, err := e.Answer(context.Background(), Question{View: v.with([2]string{"seed", string(rune('2' + i%8))}), Preview: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
		d, err := e.document(context.Background(), v)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/drawing", func(b *testing.B) {
			for range b.N {
				if _, err := html.PartsOf(d.PerScenario()[0], nil, "", e.o.Metrics, func(string) bool { return true }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
