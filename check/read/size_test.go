package read

import (
	"math"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/search/size"
)

// TestReadsWhatSizeWrites reads the settings that size writes for nginx, Envoy and
// envoyproxy/ratelimit back to the limits that they are made of.
func TestReadsWhatSizeWrites(t *testing.T) {
	const second, minute = int64(1e9), int64(60e9)
	for _, limit := range []counting.Limit{{Count: 10, Window: second, Burst: 1}, {Count: 30, Window: minute, Burst: 39}, {Count: 7, Window: minute, Burst: 8}, {Count: 100, Window: second, Burst: 250}} {
		ask := size.Ask{Algorithm: "token-bucket", Limit: limit, Text: "the limit", Bucket: true, Per: "remote_addr", Window: limit.Window,
			Least: func(string, int64) int64 { return 70 }, Change: func(string, counting.Limit) string { return "" }}
		for _, p := range size.Policies(ask) {
			exact := float64(limit.Count) * 1e9 / float64(limit.Window)
			switch p.System {
			case "nginx limit_req":
				exact = math.Floor(exact*1000) / 1000
			case "Envoy local rate limit":
			case "envoyproxy/ratelimit":
				c, err := Files([]File{{Name: "f", Text: []byte(p.Text)}})
				if err != nil || len(c.Rules) != 1 || c.Rules[0].Limit != (counting.Limit{Count: 70, Window: limit.Window}) || len(c.Findings) > 0 {
					t.Errorf("%s: %s is read as %+v, %v; want 70 in %d ns", p.System, p.Text, c, err, limit.Window)
				}
				continue
			default:
				continue
			}
			c, err := Files([]File{{Name: "f", Text: []byte(p.Text)}})
			if err != nil || len(c.Rules) != 1 || c.Rules[0].AtOnce != limit.Burst || math.Abs(c.Rules[0].PerSecond-exact) > 1e-9 {
				t.Errorf("%s: %s is read as %+v, %v; want burst %d, %g a second", p.System, p.Text, c, err, limit.Burst, exact)
			}
		}
	}
}
