package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSettingsOfAddresses checks that other limiters get the client's address as their
// key, whatever the log calls it, and that a sentence speaks of sliding windows where
// stamps are too coarse for them alone.
func TestSettingsOfAddresses(t *testing.T) {
	const w3c = "#Fields: date time c-ip cs-method\n2026-11-01 10:00:0"
	for text, want := range map[string]string{
		w3c + "0 192.0.2.1 GET\n2026-11-01 10:00:30 192.0.2.2 GET\n":                              "limit_req_zone $binary_remote_addr ",
		"time,client_ip\n2026-11-01T10:00:00Z,192.0.2.1\n2026-11-01T10:00:30Z,192.0.2.2\n":        "http-request track-sc0 src\n",
		"time,user\n2026-11-01T10:00:00Z,ann\n2026-11-01T10:00:30Z,bob\n":                         "limit_req_zone $key_of_your_own ",
		"time,xff\n2026-11-01T10:00:00Z,192.0.2.1\n2026-11-01T10:00:30Z,192.0.2.2\n":              "limit_req_zone $key_of_your_own ",
		w3c + "0 192.0.2.1 GET\n2026-11-01 10:00:01 192.0.2.2 GET\n2026-11-01 10:00:14 ::1 GET\n": "the log cannot show what a sliding window of 1s needs",
	} {
		name := filepath.Join(t.TempDir(), "a.log")
		// With milliseconds, a window of 1s can be sized.
		if !strings.Contains(want, "sliding") {
			text = strings.ReplaceAll(strings.ReplaceAll(text, ":30Z", ":30.001Z"), ":30 ", ":30.001 ")
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out := string(ran(t, "size", "-q", name)); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in\n%s", text, want, out)
		}
	}
}
