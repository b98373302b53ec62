package formats

import "testing"

func TestNoAddresses(t *testing.T) {
	for _, text := range []string{"10:00:01", "10:00:01:250", "aa:bb:cc:dd:ee:01", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::ffff:1.2.3", ":::", ""} {
		if hasIP([]byte(text)) {
			t.Errorf("%s is taken for an address", text)
		}
	}
}

// TestKeyOfAnAddress checks that an address is one key however it is written, and that other
// text stays as it is.
func TestKeyOfAnAddress(t *testing.T) {
	for text, want := range map[string]string{
		"2001:db8::1":                 "2001:db8::1",
		"2001:DB8:0:0::1":             "2001:db8::1",
		"[2001:0db8:0:0:0:0:0:1]:443": "2001:db8::1",
		"2001:db8:0:1::1":             "2001:db8:0:1::1",
		"::ffff:192.0.2.1":            "192.0.2.1",
		"0:0:0:0:0:ffff:c000:201":     "192.0.2.1",
		"fe80::0:1%eth0":              "fe80::1%eth0",
		"192.0.2.1:80":                "192.0.2.1",
		"Web.example:0x":              "Web.example:0x",
		"10:00:01":                    "10:00:01",
	} {
		if got := string(address.Key([]byte(text))); got != want {
			t.Errorf("%s: key %s, want %s", text, got, want)
		}
	}
	if got := string(plain.Key([]byte("2001:DB8::1"))); got != "2001:DB8::1" {
		t.Errorf("text is read as an address: %s", got)
	}
}
