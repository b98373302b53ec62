package check

import (
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
)

// TestChargeTakesRoom checks that each request that is charged takes the room of one, in
// every system, until there is none.
func TestChargeTakesRoom(t *testing.T) {
	const most = 5
	limit := counting.Limit{Count: most, Window: 1e9, Burst: most}
	for _, system := range []string{"nginx", "ingress-nginx", "HAProxy", "envoyproxy/ratelimit", "Envoy", "Traefik", "Traefik with Redis"} {
		l, err := newLimiter(&Rule{System: system, Limit: limit, AtOnce: most, Options: counting.LeakyBucketOptions{Burst: most - 1, NoDelay: true}})
		if err != nil {
			t.Fatal(err)
		}
		l.reach(0)
		const now = 1e9
		for room := int64(most); room >= 0; room-- {
			if got := l.level(0, now); got != room {
				t.Errorf("%s: room for %d after %d of %d, want %d", system, got, most-room, most, room)
			}
			if room > 0 {
				l.charge(0, now, 1)
			}
		}
	}
}
