package size

import (
	"fmt"
	"testing"

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
