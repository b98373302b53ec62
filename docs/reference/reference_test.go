package reference

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestMain runs the tests in the module's root.
func TestMain(m *testing.M) {
	if err := os.Chdir(root); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// texts returns the texts of all pages by their paths.
func texts(t *testing.T) map[string]string {
	t.Helper()
	texts, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestReadmeIsShort checks that somebody in a hurry can read the README.
func TestReadmeIsShort(t *testing.T) {
	text := texts(t)["README.md"]
	words, lines := len(strings.Fields(text)), strings.Count(text, "\n")
	if words == 0 || words > 900 || lines > 120 {
		t.Errorf("README.md has %d words in %d lines", words, lines)
	}
}

// TestReadmeQuotes checks that what the README says check prints is in its page, whose
// example the program made.
func TestReadmeQuotes(t *testing.T) {
	texts := texts(t)
	_, answer, _ := strings.Cut(texts["README.md"], "**What do my limits really do?**")
	answer, _, _ = strings.Cut(answer, "\n## ")
	_, answer, _ = strings.Cut(answer, "for example, ")
	answer, _, _ = strings.Cut(answer, "\nWith ")
	quotes := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(answer, -1)
	if len(quotes) < 2 {
		t.Errorf("%d quotes in %q", len(quotes), answer)
	}
	page := strings.Join(strings.Fields(texts["docs/check.md"]), " ")
	for _, q := range quotes {
		if !strings.Contains(page, q[1]) {
			t.Errorf("docs/check.md has no answer with %q", q[1])
		}
	}
}

// TestCommandsAreWhole compares the commands and flags on the pages with those
// that the program offers for completion in a shell. None may be missing.
func TestCommandsAreWhole(t *testing.T) {
	texts, manuals := texts(t), manual()
	proposed := func(args ...string) (list []string) {
		out, _, err := run(append([]string{"__complete"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(out, "\n") {
			if word, _, _ := strings.Cut(line, "\t"); word != "" && !strings.HasPrefix(word, ":") {
				list = append(list, word)
			}
		}
		return list
	}
	flags := 0
	for _, name := range proposed("help", "") {
		manual := manuals["limitgauge-"+name+".1"] + manuals["limitgauge-"+name+".7"]
		_, section, _ := strings.Cut(texts["docs/commands.md"], "\n## "+name+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		if manual == "" || section == "" {
			t.Errorf("%s has no manual page or no section in docs/commands.md", name)
		}
		for _, f := range proposed(name, "--") {
			if f = strings.TrimSuffix(f, "="); f == "--help" {
				continue
			}
			flags++
			if !regexp.MustCompile("(?m)^\\| .*`"+f+"[ `]").MatchString(section) || !strings.Contains(manual, roff(f)+`\fR`) {
				t.Errorf("%s %s is missing in the manual page or in docs/commands.md", name, f)
			}
		}
	}
	if flags < 50 {
		t.Errorf("only %d flags", flags)
	}
}

// TestNothingIsLeftOut compares the pages with the catalog: they describe
// everything that a scenario can name, and nothing else.
func TestNothingIsLeftOut(t *testing.T) {
	texts := texts(t)
	parts := map[string][]string{} // pages by the generated part that they show
	var metrics []string
	for path, text := range texts {
		for _, m := range generated.FindAllStringSubmatch(text, -1) {
			parts[m[1]] = append(parts[m[1]], path)
			if globs, ok := strings.CutPrefix(m[1], "metrics "); ok {
				metrics = append(metrics, strings.Fields(globs)...)
			}
		}
	}
	shown := func(what, page string) {
		if !slices.Contains(parts[what], page) {
			t.Errorf("%s: missing %s%s -->", page, opening, what)
		}
	}
	pages := map[string]bool{}
	algorithm := func(name string) {
		page := "docs/algorithms/" + name + ".md"
		pages[page] = true
		shown("algorithm "+name, page)
	}
	for _, e := range all.Counters {
		algorithm(e.Name)
	}
	for _, e := range all.Enforcements {
		algorithm(e.Name)
	}
	for _, p := range all.Presets {
		algorithm(p.Name)
	}
	for path := range texts {
		if strings.HasPrefix(path, "docs/algorithms/") && !pages[path] {
			t.Errorf("%s describes no algorithm of the catalog", path)
		}
	}
	for _, e := range all.Patterns {
		shown("pattern "+e.Name, "docs/patterns.md")
	}
	for _, m := range all.Metrics {
		times := 0
		for _, g := range metrics {
			if matching([]string{g}, m.Name) == 0 {
				times++
			}
		}
		if times != 1 {
			t.Errorf("docs/metrics.md: metric %s is in %d lists, want 1", m.Name, times)
		}
	}
	for name := range declared {
		shown("fields "+name, "docs/scenarios.md")
	}
	for name := range unions {
		shown("kinds "+name, "docs/scenarios.md")
	}
	shown("commands", "docs/commands.md")
	required, err := requirements()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range required {
		shown("dependency "+r.Path, "docs/dependencies.md")
	}
	files, err := filepath.Glob("docs/examples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no example files: %v", err)
	}
	for _, f := range files {
		if name := filepath.Base(f); parts["scenario "+name] == nil {
			t.Errorf("docs/examples/%s is on no page", name)
		}
	}
}

var (
	link    = regexp.MustCompile(`\[[^\]]*\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
)

// anchors returns the link fragments of a page's headings.
func anchors(text string) []string {
	var list []string
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		var a strings.Builder
		for _, r := range strings.ToLower(m[1]) {
			switch {
			case r == ' ':
				a.WriteByte('-')
			case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
				a.WriteRune(r)
			}
		}
		list = append(list, a.String())
	}
	return list
}

// TestLinks follows every link from the pages, and from the Markdown files
// beside docs, to files and headings of this repository.
func TestLinks(t *testing.T) {
	texts := texts(t)
	for _, pattern := range []string{"*.md", ".github/*.md"} {
		beside, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range beside {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts[path] = string(raw)
		}
	}
	followed := 0
	for from, text := range texts {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			followed++
			file, fragment, _ := strings.Cut(m[1], "#")
			to := from
			if file != "" {
				to = filepath.ToSlash(filepath.Join(filepath.Dir(from), file))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: link to %s: no such file", from, m[1])
			} else if fragment != "" && !slices.Contains(anchors(texts[to]), fragment) {
				t.Errorf("%s: link to %s: no such heading", from, m[1])
			}
		}
	}
	if followed == 0 {
		t.Error("no links found")
	}
}

var (
	yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")
	topKey    = regexp.MustCompile(`(?m)^([a-z_]+):`)
)

// complete returns a scenario file around a fragment. The fragment is part of a
// file if all its keys are those of a file; otherwise it is part of a scenario.
// Missing fields get arbitrary values.
func complete(fragment string) string {
	// A list of these is a scenario's; a file names them in a mapping.
	listed := regexp.MustCompile(`^(traffic|faults|algorithms):\s*(\[|- )`)
	given := map[string]bool{}
	ofFile := true
	for _, at := range topKey.FindAllStringSubmatchIndex(fragment, -1) {
		name := fragment[at[2]:at[3]]
		given[name] = true
		ofFile = ofFile && !listed.MatchString(fragment[at[2]:]) && slices.ContainsFunc(declared["file"](), func(f catalog.Field) bool { return f.Name == name })
	}
	scenario := ""
	for key, value := range map[string]string{
		"name": "example", "policy": "{limit: 100/s}", "traffic": "[{pattern: constant, rate: 50/s}]", "algorithms": "[token-bucket]",
	} {
		if ofFile || !given[key] {
			scenario += "    " + key + ": " + value + "\n"
		}
	}
	head := ""
	if !ofFile || !given["version"] {
		head += "version: 1\n"
	}
	if !ofFile || !given["duration"] && !given["scenarios"] {
		head += "duration: 60s\n"
	}
	switch {
	case !ofFile && strings.Contains(fragment, "pattern: trace"):
		head = "version: 1\n" // the log decides the span
		fallthrough
	case !ofFile:
		return head + "scenarios:\n  -\n" + scenario + "    " + strings.ReplaceAll(strings.TrimRight(fragment, "\n"), "\n", "\n    ") + "\n"
	case given["scenarios"]:
		return head + fragment
	}
	return head + fragment + "scenarios:\n  -\n" + scenario
}

// TestYAML loads every YAML block of the pages.
func TestYAML(t *testing.T) {
	loaded := 0
	for path, text := range texts(t) {
		for _, m := range yamlBlock.FindAllStringSubmatch(text, -1) {
			loaded++
			whole := complete(m[1])
			if _, problems := scenarios.Load(path, []byte(whole), ".", all); len(problems) > 0 {
				t.Errorf("%s: %v\nin\n%s", path, problems, whole)
			}
		}
	}
	if loaded == 0 {
		t.Error("no examples found")
	}
}
