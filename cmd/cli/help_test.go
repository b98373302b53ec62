package cli

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/scenarios"
)

// flagLines returns the flags of a help text in their order, without those of which it
// shows only the name.
func flagLines(help string) (flags []string) {
	for line := range strings.Lines(help) {
		if words := strings.Fields(line); len(words) > 1 && (strings.HasPrefix(line, "      --") || strings.HasPrefix(line, "  -")) && !strings.HasSuffix(words[0], ",") {
			flags = append(flags, words[0])
		} else if len(words) > 2 && strings.HasPrefix(line, "  -") {
			flags = append(flags, words[1])
		}
	}
	return flags
}

// helpOf returns what arguments print on a terminal of 72 columns.
func helpOf(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	code := Run(context.Background(), args, terminal.Host{In: strings.NewReader(""), Out: &out, Err: &errs, Lookup: func(name string) (string, bool) { return "72", name == "COLUMNS" }})
	if code != usage.ExitOK || errs.Len() > 0 {
		t.Fatalf("%v: exit code %d, %s", args, code, &errs)
	}
	return out.String()
}

// TestHelp checks that help shows the flags of each command in sections, no line of them
// wider than the terminal, and all with limitgauge help COMMAND all.
func TestHelp(t *testing.T) {
	for _, c := range usage.EveryCommand(Commands(terminal.Host{})) {
		if c.Hidden || !c.Runnable() || c.Name() == "help" {
			continue
		}
		words := strings.Fields(c.CommandPath())[1:]
		short, all := helpOf(t, append(words, "--help")...), helpOf(t, slices.Concat([]string{"help"}, words, []string{usage.All})...)
		_, flags, _ := strings.Cut(all, "\nFlags:\n")
		for line := range strings.Lines(flags) {
			if width := len([]rune(strings.TrimSuffix(line, "\n"))); width > 72 && len(strings.Fields(line)) > 1 { // a word is not broken
				t.Errorf("help %v all: %d columns: %s", words, width, line)
			}
		}
		shown := flagLines(all)
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			if !slices.Contains(shown, "--"+f.Name) {
				t.Errorf("help %v all does not show --%s", words, f.Name)
			}
			if !strings.Contains(short, "--"+f.Name) {
				t.Errorf("%v --help does not name --%s", words, f.Name)
			}
		})
	}
	help := helpOf(t, "replay", "--help")
	if shown := flagLines(help); len(shown) > 35 || shown[0] != "--limit" || slices.Contains(shown, "--regex") {
		t.Errorf("replay --help shows %d flags: %v", len(shown), shown)
	}
	for _, want := range []string{"\nHow the log is read:\n", "limitgauge help replay all\n"} {
		if !strings.Contains(help, want) {
			t.Errorf("replay --help lacks %q", want)
		}
	}
}

var namedScenario = regexp.MustCompile(` scenarios\.yaml .*--scenario "([^"]+)"`)

// TestExamplesOfHelp checks that examples with scenarios.yaml, a file that init writes and
// the repository has, ask of it no sweep and no scenario that it has not.
func TestExamplesOfHelp(t *testing.T) {
	shipped, err := os.ReadFile("../../scenarios.yaml")
	if err != nil {
		t.Fatal(err)
	}
	has := scenarios.Outline(shipped)
	for _, c := range usage.EveryCommand(Commands(terminal.Host{})) {
		for line := range strings.Lines(c.Example) {
			if strings.Contains(line, "limitgauge sweep scenarios.yaml") || strings.Contains(line, "limitgauge tune scenarios.yaml") {
				t.Errorf("the file has no axes: %s", line)
			}
			named := namedScenario.FindStringSubmatch(line)
			if named != nil && !slices.ContainsFunc(has, func(h scenarios.Heading) bool { return h.Name == named[1] }) {
				t.Errorf("the file has no such scenario: %s", line)
			}
		}
	}
}

// TestVersionFlag checks that --version prints what version does.
func TestVersionFlag(t *testing.T) {
	_, want, _ := try("version")
	if code, got, errs := try("--version"); code != 0 || got != want || errs != "" {
		t.Errorf("--version: exit code %d, %q, %s, want %q", code, got, errs, want)
	}
}
