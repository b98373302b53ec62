//go:build network && unix

package redis

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/testing/redistest"
	"github.com/limitgauge/limitgauge/live/exchange"
)

// clocked has a script read the time from its last two arguments.
const clocked = `local server = redis
local redis = setmetatable({call = function(command, ...)
  if command == 'TIME' then
    return {ARGV[#ARGV - 1], ARGV[#ARGV]}
  end
  return server.call(command, ...)
end}, {__index = server})
`

// TestServerScripts compares the scripts, with a clock that the test sets, with exact
// counters of the same limits. Two of them compute in floating point numbers, so they
// may differ within the microsecond at which the exact verdict changes.
func TestServerScripts(t *testing.T) {
	server := redistest.Start(t)
	limit := counting.Limit{Count: 10, Window: 60e9, Burst: 7}
	for name, toleranceNs := range map[string]int64{"fixed-window": 0, "sliding-log": 0, "token-bucket": 1000, "gcra": 1000} {
		t.Run(name, func(t *testing.T) {
			ships, err := find(name)
			if err != nil {
				t.Fatal(err)
			}
			s := setting(server.Address)
			s.Policy.Burst = limit.Burst
			to := start(t, s, map[string]any{
				"script": file(t, clocked+ships.text), "reply": ships.reply, "keys": []any{name + ":{key}"}, "connections": int64(1),
				"arguments": append(ships.arguments[:4:4], "{tenant}", "{client}"), // the clock: s and us
			})
			exact, err := counting.NewFollower(toleranceNs, func() (counting.Table, error) {
				return counting.New(map[string]string{"sliding-log": "sliding-window-log"}[name]+strings.TrimPrefix(name, "sliding-log"), limit, nil, 1)
			})
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			us := int64(1_700_000_000_000_000)
			verdicts := map[bool]int{}
			var waits int64 // until a promised retry
			for i := range 1500 {
				switch {
				case waits > 0 && r.IntN(3) == 0:
					us += waits // exactly as promised
				case waits > 1 && r.IntN(3) == 0:
					us += waits - 1 // just before
				default:
					us += r.Int64N(8_000_000)
				}
				cost := 1 + r.Int64N(3)
				a, err := to.Ask(t.Context(), &exchange.Request{Cost: cost, Tenant: fmt.Sprint(us / 1e6), Client: int32(us % 1e6)})
				if err != nil {
					t.Fatal(err)
				}
				verdicts[a.Admit]++
				if got := exact.Follow(0, us*1000, cost, a.Admit); got == counting.Differs {
					t.Fatalf("request %d, cost %d, at %d us: the script's verdict is %v, the exact one is not", i, cost, us, a.Admit)
				}
				if waits = (a.RetryAfterNs + 999) / 1000; a.Admit != (waits == 0) {
					t.Fatalf("request %d: %+v", i, a)
				}
			}
			if verdicts[true] < 300 || verdicts[false] < 300 {
				t.Errorf("the requests are no test: %v", verdicts)
			}
		})
	}
}

// The first request opens a window, which ends by itself.
func TestServerFirstHitWindow(t *testing.T) {
	s := setting(redistest.Start(t).Address)
	s.Policy.Limit, s.Policy.WindowNs = 3, 100e6
	to := start(t, s, map[string]any{"script": "first-hit-window"})
	for windows := 0; windows < 3; {
		a := ask(t, to, "k")
		if a.Admit && a.Remaining == 2 {
			windows++
		}
		if a.ResetNs <= 0 && a.Admit || a.ResetNs > 100e6 || !a.Admit && (a.RetryAfterNs != a.ResetNs || a.RetryUnitNs != 1e6) {
			t.Fatalf("%+v", a)
		}
	}
}
