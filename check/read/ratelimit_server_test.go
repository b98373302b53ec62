//go:build network && unix

package read

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/internal/testing/redistest"
	"github.com/limitgauge/limitgauge/internal/testing/rlstest"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/live/targets/rls"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestRateLimitServiceDecides compares the answers of envoyproxy/ratelimit with decisions
// about a log of the same requests. Windows are of a year, so that none ends meanwhile.
func TestRateLimitServiceDecides(t *testing.T) {
	const config = `domain: shop
descriptors:
- {key: user, rate_limit: {unit: year, requests_per_unit: 7}}
- {key: user, value: vip-2, rate_limit: {unit: year, requests_per_unit: 12}}
- {key: user, value: guest-*, rate_limit: {unit: year, requests_per_unit: 3}}
- {key: user, value: bot-*, share_threshold: true, rate_limit: {unit: year, requests_per_unit: 9}}
- {key: user, value: free}
- {key: user, value: shadow, shadow_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
`
	addresses := rlstest.Start(t, redistest.Start(t), 1, config)
	to, err := rls.Kind().Open(t.Context(), &targets.Setting{Addresses: addresses, Clients: 1},
		catalog.Values{"domain": {V: "shop"}, "timeout": {V: int64(60e9)}, "descriptors": {V: []any{"user={key}"}, Given: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	draw := rand.New(rand.NewPCG(8, 8))
	users := []string{"ann", "bob", "vip-1", "vip-2", "guest-1", "guest-2", "bot-1", "bot-2", "free", "shadow"}
	var lines []string
	refused := int64(0)
	for i := range 200 {
		user := users[draw.IntN(len(users))]
		a, err := to.Ask(t.Context(), &exchange.Request{Key: user, Cost: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !a.Admit {
			refused++
		}
		lines = append(lines, fmt.Sprintf(`{"ts":%d,"remote_addr":"x","user":"%s"}`, 1_700_000_000+i, user))
	}
	c, err := Files([]File{{Name: "limits.yaml", Text: []byte(config)}})
	if err != nil {
		t.Fatal(err)
	}
	o := logs.Options{Files: []string{foreground.Write(t, t.TempDir(), "log.json", strings.Join(lines, "\n"))}}
	fields := check.Ask(&o, map[string]string{"user": "user"}, c)
	r, err := logs.Read(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	l, err := c.OnLog(t.Context(), r, fields, check.Judging{Replicas: 1, Spread: "even"})
	if err != nil || l.Requests != 200 || l.Refused != refused || refused < 50 {
		t.Errorf("the service refuses %d, check %+v, %v", refused, l, err)
	}
}
