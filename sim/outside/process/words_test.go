package process

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// bare matches lines with a backquote or dollar that no backslash quotes, so that a shell obeys it.
var bare = regexp.MustCompile("(^|[^\\\\])(\\\\\\\\)*[`$]")

// Words are those that the shell of the machine gives a program. The drawn lines have
// no character that a shell would expand or obey, but behind a backslash.
func TestWordsAreThoseOfAShell(t *testing.T) {
	foreground.Need(t, "sh")
	pieces := []string{"a", "ü", " ", "\t", `\`, `\\`, `'`, `"`, `\"`, `\'`, `\$`, "\\`", `""`, `''`, "b c"}
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "line"), "")
		if bare.MatchString(line) {
			t.Skip("a backslash that is itself quoted quotes nothing")
		}
		got, err := Words(line)
		out, failed := exec.Command("sh", "-c", `printf '%s\1' - `+line).Output()
		want := strings.Split(strings.TrimSuffix(string(out), "\x01"), "\x01")[1:]
		switch {
		case err == nil && failed != nil:
			t.Fatalf("%q: %q, which a shell refuses: %v", line, got, failed)
		case err == nil && !slices.Equal(got, want):
			t.Fatalf("%q: %q, a shell makes %q of it", line, got, want)
		case err != nil && failed == nil && len(want) > 0 && !strings.HasSuffix(line, `\`): // which a shell takes as it is
			t.Fatalf("%q: %v, a shell makes %q of it", line, err, want)
		}
	})
}

func TestWordsOfSeveralLines(t *testing.T) {
	got, err := Words("a\\\nb \"c\\\nd\" 'e\\\nf'\ng")
	if want := []string{"ab", "cd", "e\\\nf", "g"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestWordsThatAreNone(t *testing.T) {
	for line, want := range map[string]string{
		"":         "names no program",
		" \t\n":    "names no program",
		`a 'b`:     "a quote ' is not closed",
		`a "b\"`:   `a quote " is not closed`,
		`a b\`:     "ends after a backslash",
		"a 'b' \\": "ends after a backslash",
	} {
		if words, err := Words(line); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %q, %v, want %s", line, words, err, want)
		}
	}
}
