package formats

import (
	"net/netip"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// IPv6 addresses are those of net/netip.
func TestIPv6(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`(::?)?([0-9a-fA-F]{1,4}::?){1,8}([0-9a-f]{0,5}|192\.0\.2\.1|192\.0\.2\.256)(%eth0)?`).Draw(t, "text")
		if addr, err := netip.ParseAddr(text); IsIP([]byte(text)) != (err == nil) && !(addr.Is4In6() || len(text) > 45) {
			t.Fatalf("%s: %v, netip says %v", text, IsIP([]byte(text)), err)
		}
	})
}

func TestNoAddresses(t *testing.T) {
	for _, text := range []string{"10:00:01", "10:00:01:250", "aa:bb:cc:dd:ee:01", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::ffff:1.2.3", ":::", ""} {
		if hasIP([]byte(text)) {
			t.Errorf("%s is taken for an address", text)
		}
	}
}
