package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// TestSweepFullCache sweeps with a cache in whose folder nothing can be written: the
// document is that of a sweep without a cache, and a note says why nothing is kept.
func TestSweepFullCache(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		if err := os.WriteFile(in(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("s.yaml", `version: 1
scenarios:
  - name: one
    duration: 5s
    policy: {limit: 100/s}
    traffic: [{pattern: constant, rate: 50/s}]
    algorithms: [fixed-window]
    vary:
      demand: {of: "traffic[0].rate", values: [50/s, 200/s]}
`)
	if err := os.Mkdir(in("cache"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range 256 { // files where folders would be made
		write(fmt.Sprintf("cache/%02x", i), "")
	}
	for notes, args := range [][]string{{"--no-cache", "-o", in("want.json")}, {"--cache", in("cache"), "-o", in("got.json"), "-q"}} {
		code, _, errs := try(append([]string{"sweep", in("s.yaml"), "--no-plots"}, args...)...)
		if code != usage.ExitOK || notes == 0 && !strings.Contains(errs, "2 cells: 0 from the cache, 2 run in") {
			t.Fatalf("%v: exit code %d\n%s", args, code, errs)
		}
		if said := strings.Count(errs, "note: documents that the cache cannot take stay in memory until the end of the sweep: cache: "); said != notes {
			t.Errorf("%v: %d notes of the cache, want %d\n%s", args, said, notes, errs)
		}
	}
	want, _ := os.ReadFile(in("want.json"))
	if got, _ := os.ReadFile(in("got.json")); !bytes.Equal(got, want) || len(got) == 0 {
		t.Errorf("the documents have %d and %d bytes and differ", len(got), len(want))
	}
}
