package logs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var token = regexp.MustCompile(`[^ \t,;]+[ \t,;]*`)

// mutations lists texts that damage each line in the same way: cut short, a
// field left out or given twice, something in front.
func mutations(line string) map[string]string {
	all := map[string]string{}
	for i := range 24 {
		all[fmt.Sprintf("cut at %d/24", i)] = line[:len(line)*i/24]
	}
	for i, at := range token.FindAllStringIndex(line, 40) {
		all[fmt.Sprintf("without field %d", i)] = line[:at[0]] + line[at[1]:]
		all[fmt.Sprintf("field %d twice", i)] = line[:at[1]] + " " + line[at[0]:]
	}
	for _, prefix := range []string{"x ", "x | ", "10.9.9.9 ", "10.9.9.9:80 ", "www.example.com ", "- ", "- - ", `"`, "2026-11-01T10:00:00Z ", "[x] ", "<13>", "\t"} {
		all["after "+prefix] = prefix + line
	}
	return all
}

// A damaged sample is refused, or its lines are malformed, or they have the keys
// of the sample: nothing else becomes a key.
func TestMutatedSamples(t *testing.T) {
	for _, c := range formatCases(t) {
		for n, s := range c.samples() {
			lines := strings.Split(strings.TrimSuffix(s[0], "\n"), "\n")
			good, err := readText(s[0], Options{})
			if err != nil {
				t.Fatal(c.name, err)
			}
			first := 0
			if c.name == "csv" {
				first = 1 // the header
			}
			texts := map[string][]string{}
			for i, line := range lines {
				if i < first || strings.HasPrefix(line, "#") || len(line) < 24 {
					continue
				}
				for name, text := range mutations(line) {
					if texts[name] == nil {
						texts[name] = slices.Clone(lines)
					}
					texts[name][i] = text
				}
			}
			for name, text := range texts {
				r, err := readText(strings.Join(text, "\n")+"\n", Options{})
				if err != nil {
					continue
				}
				for _, key := range r.KeyNames {
					if !slices.Contains(good.KeyNames, key) {
						t.Errorf("%s %d, %s: read as %s with key %q\n%s", c.name, n, name, r.Facts.Format, key, text[first])
						break
					}
				}
			}
		}
	}
}
