package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// proposals requests completions as a shell does. It returns the proposed words
// without their descriptions, and the directive for the shell.
func proposals(t *testing.T, args ...string) ([]string, cobra.ShellCompDirective) {
	t.Helper()
	code, out, errs := try(append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	directive, err := strconv.Atoi(strings.TrimPrefix(lines[len(lines)-1], ":"))
	if code != usage.ExitOK || err != nil {
		t.Fatalf("completing %q: exit code %d, %q, %s", args, code, out, errs)
	}
	var list []string
	for _, line := range lines[:len(lines)-1] {
		word, _, _ := strings.Cut(line, "\t")
		list = append(list, word)
	}
	return list, cobra.ShellCompDirective(directive)
}

// TestCompletion checks the proposals for command lines.
func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"blocks.yaml":    "policies: {strict: {}, loose: {}}\ntopologies: {near: {}}\nalgorithms: {mine: {}}\nscenarios: [{name: one, algorithms: [gcra, mine]}]\n",
		"mine.yaml":      "scenarios:\n- {name: one, about: the first, algorithms: [gcra, own]}\n- {name: 'two words'}\n- {nam: three}\n",
		"broken.yaml":    "scenarios: [",
		"scenarios.yaml": "scenarios: [{name: here}]\n",
		"empty.yaml":     "",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder.yaml", 0o777); err != nil {
		t.Fatal(err)
	}
	const (
		words = cobra.ShellCompDirectiveNoFileComp
		files = cobra.ShellCompDirectiveDefault
	)
	for _, c := range []struct {
		line      string // the last word is incomplete; _ is an empty word
		want      string // words that must be proposed
		not       string // words that must not be proposed
		directive cobra.ShellCompDirective
	}{
		{"run _", "basic fleet ci-gate", "token-bucket", files},
		{"run basic _", "", "basic", words},
		{"run mine.yaml --scenario _", "one|two words", "here three", words},
		{"run mine.yaml --scenario one --scenario _", "two words", "one", words},
		{"run --scenario _", "here", "one", words},
		{"run basic --scenario _", "light load", "here", words},
		{"run broken.yaml --scenario _", "", "here", words},
		{"run empty.yaml --scenario _", "", "here", words},
		{"run folder.yaml --scenario _", "", "here", words},
		{"run nowhere.yaml --scenario _", "", "here", words},
		{"run - --scenario _", "", "here", words},
		{"run --columns _", "over_limit_pct burst_excess", "token-bucket", words},
		{"run --columns over_limit_pct,b", "over_limit_pct,burst_excess", "over_limit_pct,over_limit_pct burst_excess", words},
		{"run --format _", "table markdown csv json", "junit", words},
		{"run --plots _", "", "basic", cobra.ShellCompDirectiveFilterDirs},
		{"run --decisions _", "", "basic", files},
		{"run --seed _", "", "basic", words},
		{"gate _", "basic fleet", "", files},
		{"gate --format _", "junit github", "", words},
		{"validate basic _", "basic fleet", "", files},
		{"init --template _", "basic fleet access-log guarded-backend ci-gate seastar sql databricks", "", words},
		{"init _", "", "basic", files},
		{"replay _", "", "basic", files},
		{"replay --algorithms token-bucket,_", "token-bucket,batch-debt", "token-bucket,token-bucket", words},
		{"replay --spread _", "even random hash sticky", "skewed", words},
		{"replay --reference _", "token-bucket sliding-log fixed-window", "gcra", words},
		{"replay --log-format _", "auto combined", "", words},
		{"replay --time-format _", "auto", "", words},
		{"replay --duration-unit _", "ms us", "", words},
		{"replay --limit _", "", "", words},
		{"report _", "json", "", cobra.ShellCompDirectiveFilterFileExt},
		{"report a.json _", "", "json", words},
		{"compare a.json _", "json", "", cobra.ShellCompDirectiveFilterFileExt},
		{"compare --metrics _", "over_limit_pct", "", words},
		{"step _", "token-bucket rover batch-reported rejection-rate", "remote", words},
		{"step batch-reported --set _", "", "algorithms.batch-reported.", words},
		{"run --reports _", "", "basic", files},
		{"conformance --as _", "token-bucket gcra nginx-limit-req", "rover remote", words},
		{"step rover _", "", "rover", files},
		{"explain _", "token-bucket batch-debt poisson over_limit_pct central store-down published", "", words},
		{"tune _", "basic batch-reported", "over_limit_pct", files},
		{"tune batch-reported _", "", "basic", words},
		{"attack mine.yaml --algorithm _", "gcra own", "token-bucket", words},
		{"live mine.yaml --predict _", "gcra own", "token-bucket", words},
		{"sweep blocks.yaml --vary _", "policy= topology= algorithms.gcra. algorithms.mine.", "faults= policy=strict", words | cobra.ShellCompDirectiveNoSpace},
		{"sweep blocks.yaml --vary policy=", "policy=strict policy=loose", "policy=near", words},
		{"tune blocks.yaml --vary topology=near,", "topology=near,near", "", words},
		{"sweep nowhere.yaml --vary _", "", "policy=", words},
		{"explain gcra _", "", "gcra", words},
		{"explain gcra --in mine.yaml --scenario _", "one|two words", "here", words},
		{"explain --in mine.yaml _", "gcra own", "token-bucket", words},
		{"explain --in mine.yaml --scenario one o", "own", "token-bucket", words},
		{"explain --in mine.yaml --scenario nothing _", "", "own", words},
		{"list _", "algorithms scenarios", "", words},
		{"list --format _", "table markdown", "csv", words},
		{"help _", "run units exit-codes", "__complete", words},
		{"help run _", "", "run", words},
		{"completion _", "bash zsh", "", words},
		{"version _", "", "", words},
		{"schema _", "", "", words},
	} {
		args := strings.Fields(c.line)
		args[len(args)-1] = strings.TrimSuffix(args[len(args)-1], "_")
		got, directive := proposals(t, args...)
		want := strings.Fields(c.want)
		if strings.Contains(c.want, "|") || c.want == "two words" || c.want == "light load" {
			want = strings.Split(c.want, "|")
		}
		for _, word := range want {
			if !slices.Contains(got, word) {
				t.Errorf("%s: %q is not proposed, but %q", c.line, word, got)
			}
		}
		for _, word := range strings.Fields(c.not) {
			if slices.Contains(got, word) {
				t.Errorf("%s: %q is proposed", c.line, word)
			}
		}
		if directive != c.directive {
			t.Errorf("%s: directive %d, want %d", c.line, directive, c.directive)
		}
		if slices.Sort(got); len(slices.Compact(got)) != len(got) {
			t.Errorf("%s: something is proposed twice: %q", c.line, got)
		}
	}
}

// TestFlagsComplete checks that files are proposed only for flags with the
// value word FILE, so that each new flag declares its values.
func TestFlagsComplete(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range Commands(terminal.Host{}).Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" || f.Hidden {
				return
			}
			words := []string{"--" + f.Name, ""}
			if f.NoOptDefVal != "" { // the next word is no value
				words = []string{"--" + f.Name + "="}
			}
			_, directive := proposals(t, append([]string{c.Name()}, words...)...)
			value, _ := pflag.UnquoteUsage(f)
			want := cobra.ShellCompDirectiveNoFileComp
			switch {
			case value == "FILE":
				want = cobra.ShellCompDirectiveDefault
			case value == "DIR":
				want = cobra.ShellCompDirectiveFilterDirs
			case strings.HasSuffix(value, ".json"):
				want = cobra.ShellCompDirectiveFilterFileExt
			}
			if directive != want {
				t.Errorf("%s --%s %s: directive %d, want %d", c.Name(), f.Name, value, directive, want)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(".", "limitgauge-out")); err == nil {
		t.Error("completing wrote something")
	}
}
