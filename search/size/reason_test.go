package size

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/size/least"
)

// TestUnstopped checks that the document says so if the strictest setting that the log can
// decide lets more than half of the abusers' requests pass.
func TestUnstopped(t *testing.T) {
	for refused := range int64(12) {
		a := &answering{study: &least.Study{AbuserRequests: 10, AbuserKeys: 3}}
		want := fmt.Sprintf("no limit per key stops these abusers: of their 10 requests by 3 keys, these settings refuse at most %d (%d %% pass)", refused, 100-10*refused)
		if refused >= 5 {
			want = ""
		}
		if got := a.unstopped([]least.Outcome{{AbuserRequests: refused / 2}, {AbuserRequests: refused}, {AbuserRequests: 10, Short: true}}); got != want {
			t.Errorf("%d refused: %q, want %q", refused, got, want)
		}
		if got := a.unstopped(nil); got != "" {
			t.Errorf("without settings: %q", got)
		}
	}
}

// TestDropped checks what the document says that a log of 100 s with stamps of whole
// seconds cannot decide: windows and rates that it resolves or holds too seldom, and the
// slowest of the buckets that it does not fill.
func TestDropped(t *testing.T) {
	slow := []least.Dropped{{Limit: counting.Limit{Count: 3, Window: int64(time.Second)}, Allowance: 99}, {Limit: counting.Limit{Count: 2, Window: int64(time.Second)}, Allowance: 70}}
	for _, c := range []struct {
		algorithm least.Algorithm
		windows   []int64 // s
		rates     []units.Rate
		list      []least.Dropped
		want      []string // in this order
	}{
		{least.Algorithm{}, []int64{10, 11, 11}, nil, slow, []string{"windows of 11s: the log spans"}},
		{least.Algorithm{}, []int64{0}, nil, nil, []string{"windows of 500ms: stamps resolve to 1s"}},
		{least.Algorithm{Bucket: true}, []int64{0, 10, 11}, nil, nil, []string{"rates per 11s: the log spans"}},
		{least.Algorithm{Bucket: true}, []int64{11}, []units.Rate{{}}, nil, nil},
		{least.Algorithm{Bucket: true}, nil, nil, slow[:1], []string{"rates of 3/s: what they need"}},
		{least.Algorithm{Bucket: true}, []int64{11}, nil, slow, []string{"rates per 11s", "rates of 2/s and slower: what they need depends on how long the log is; a burst of at least 70, as 2/s needs,"}},
	} {
		a := &answering{Question: &Question{Algorithm: &c.algorithm, Rates: c.rates}, study: &least.Study{LastNs: 100e9}, log: &logs.Recording{Facts: logs.Facts{ResolutionNs: 1e9}}, d: &Document{}}
		for _, s := range c.windows {
			a.Windows = append(a.Windows, max(s*1e9, 5e8))
		}
		a.dropped(c.list)
		if !slices.EqualFunc(a.d.Unknown, c.want, strings.HasPrefix) {
			t.Errorf("%+v: %q, want %q", c, a.d.Unknown, c.want)
		}
	}
}
