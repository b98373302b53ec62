package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// hashedNames are the keys of the logs of these tests. No other text holds them, and pictures
// hold none of them by chance: shorter ones stood in the bytes of one.
var hashedNames = []string{"zebra@example.org", "198.51.100.77", "yak-of-tibet", "quagga-the-worst", "2001:db8::77"}

// hashLog returns a log in JSON with each name often, and with malformed records
// that hold names.
func hashLog() string {
	var s strings.Builder
	for i := range 440 {
		fmt.Fprintf(&s, `{"time":%d.%03d,"user":%q,"status":%d}`+"\n", 1_700_000_000+i/40, i%40*25, hashedNames[i%7%len(hashedNames)], 200+229*(i%2))
	}
	for _, name := range hashedNames {
		fmt.Fprintf(&s, `{"time":"never","user":%q,"status":200}`+"\n{%q\n"+`{"time":1700000000,"user":[%q],"status":200}`+"\n", name, name, name)
	}
	return s.String()
}

// written runs a command in a folder of its own and returns all that it writes: its
// output, and the files with their names.
func written(t *testing.T, code int, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	var stdout, stderr bytes.Buffer
	if got := Run(context.Background(), args, terminal.Host{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Lookup: os.LookupEnv}); got != code {
		t.Fatalf("%v: exit code %d, want %d: %s", args, got, code, &stderr)
	}
	all := stdout.String() + stderr.String()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all += "\n" + path + "\n" + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestHashKeys looks for the name of each key in all that a replay writes, also if
// it fails.
func TestHashKeys(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	log := file("log.json", hashLog())
	broken := file("broken.json", strings.ReplaceAll(hashLog(), `"time"`, `"when"`))
	named := file("named.yaml", "version: 1\nscenarios:\n  - name: file\n    policy: {limit: 2/s}\n    traffic: [{pattern: trace, file: '"+log+"', key_field: user}]\n    algorithms: [gcra]\n")
	secret := file("secret", "a secret of some length\n")
	abusers := file("abusers", "yak-of-tibet\nzebra@example.org\nnot in the log\n")
	strangers := file("strangers", "not in the log\n")
	replay := []string{"replay", log, "--limit", "2/s", "--per", "user", "--algorithms", "gcra,fixed-window", "--verdict-field", "status", "--key", "yak-of-tibet", "--full"}
	files := []string{"-o", "r.json", "--html", "r.html", "--decisions", "d.csv", "--keys", "k.jsonl", "--windows", "w.csv"}
	for _, c := range []struct {
		code int
		args []string
	}{
		{usage.ExitOK, slices.Concat(replay, files)},
		{usage.ExitOK, slices.Concat(replay, []string{"--no-plots", "-o", "r.md", "--decisions", "d.jsonl"})},
		{usage.ExitOK, slices.Concat(replay, []string{"--no-plots", "--format", "csv", "--decisions", "d.csv"})},
		{usage.ExitOK, slices.Concat(replay, []string{"--no-plots", "--rejected", "no"})},
		{usage.ExitOK, append([]string{"run", named, "--no-plots", "--key", "yak-of-tibet"}, files...)},
		{usage.ExitOK, []string{"replay", log, "--limit", "2/s", "--no-plots"}},
		{usage.ExitOK, []string{"size", log, "--per", "user", "--abusers", abusers, "--plots", "p"}},
		{usage.ExitOK, []string{"size", log, "--per", "user", "--format", "json", "-o", "s.md"}},
		{usage.ExitOK, []string{"size", log, "--per", "user", "--refuse-at-most", "20%", "--format", "csv"}},
		{usage.ExitUsage, []string{"size", log, "--per", "user", "--abusers", strangers}},
		{usage.ExitUsage, []string{"replay", broken, "--limit", "2/s"}},
		{usage.ExitUsage, []string{"replay", "--explain-format", broken}},
	} {
		plain := written(t, c.code, c.args...)
		hashed := written(t, c.code, append(slices.Clone(c.args), "--hash-keys")...)
		if !slices.ContainsFunc(hashedNames, func(name string) bool { return strings.Contains(plain, name) }) {
			t.Errorf("%v: no name is in the output without --hash-keys either", c.args)
		}
		for _, name := range hashedNames {
			if i := strings.Index(hashed, name); i >= 0 {
				t.Errorf("%v: the output has %s: ...%s...", c.args, name, hashed[max(0, i-80):min(len(hashed), i+80)])
			}
		}
	}
	// Hashes differ from run to run unless they share a secret, and figures do not.
	totals := func(args ...string) (hashes, figures string) {
		all := written(t, usage.ExitOK, append(slices.Clone(replay), append(args, "-q", "--no-plots", "--keys", "k.csv")...)...)
		_, rows, _ := strings.Cut(all, "\nk.csv\n")
		found := regexp.MustCompile(`(?m)^replay,gcra,([^,]+)(,.*)$`).FindAllStringSubmatch(rows, -1)
		for _, f := range found {
			hashes, figures = hashes+" "+f[1], figures+f[2]+"\n"
		}
		return hashes, figures
	}
	_, want := totals()
	one, figures := totals("--hash-keys")
	other, _ := totals("--hash-keys")
	with, _ := totals("--hash-keys", "--hash-secret", secret)
	again, _ := totals("--hash-keys", "--hash-secret", secret)
	if want == "" || figures != want || one == other || with != again || with == one || !regexp.MustCompile(`^( [0-9a-f]{12}){5}$`).MatchString(with) {
		t.Errorf("hashes %s, %s and %s, %s; figures\n%s, want\n%s", one, other, with, again, figures, want)
	}
	for _, args := range [][]string{
		slices.Concat(replay, []string{"--hash-secret", secret}),
		slices.Concat(replay, []string{"--hash-keys", "--hash-secret", file("short", "x\n")}),
		{"replay", log, "--limit", "2/s", "--per", "file", "--hash-keys"},
		{"size", log, "--per", "file", "--hash-keys"},
	} {
		written(t, usage.ExitUsage, args...)
	}
}
