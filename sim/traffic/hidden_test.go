package traffic

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/logs"
)

// TestHide checks that equal hashes of two names are an error, and that a
// missing name stays one.
func TestHide(t *testing.T) {
	names := newNames("key-", 0)
	for _, name := range []string{"a", logs.NoKey, "b"} {
		names.id(name)
	}
	p := &Plan{keys: names, tenants: names, keySpaces: []*keySpace{{names: names}}}
	if err := p.Hide(func(string) string { return "0123" }); err == nil || !strings.Contains(err.Error(), "two keys have the hash 0123") {
		t.Error(err)
	}
	names.hidden = nil
	if err := p.Hide(func(name string) string { return "hash of " + name }); err != nil {
		t.Fatal(err)
	}
	if got := p.KeyName(0) + p.KeyName(1) + p.TenantName(2); got != "hash of a-hash of b" {
		t.Errorf("shown as %s", got)
	}
	for _, name := range []string{"b", "hash of b"} {
		if key, ok := p.KeyCalled(name); key != 2 || !ok {
			t.Errorf("%s is key %d (%v), want 2", name, key, ok)
		}
	}
}
