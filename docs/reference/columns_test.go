package reference

import (
	"os"
	"slices"
	"strings"
	"testing"

	tables "github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// TestColumnsOfPagesAreShown checks that a run of a scenario shows the columns
// that a page selects for its lesson, without --columns: the reader of the table
// need not guess them.
func TestColumnsOfPagesAreShown(t *testing.T) {
	files := map[string]*scenarios.File{}
	checked := 0
	for path, text := range texts(t) {
		for _, m := range generated.FindAllStringSubmatch(text, -1) {
			words := word.FindAllString(m[1], -1)
			if len(words) < 4 || words[0] != "$" || words[2] != "run" || strings.HasPrefix(words[3], "docs/examples/") {
				continue // the page shows the examples themselves
			}
			var columns, only []string
			for i, w := range words[:len(words)-1] {
				switch w {
				case "--columns":
					columns = strings.Split(words[i+1], ",")
				case "--scenario":
					only = append(only, strings.Trim(words[i+1], `"'`))
				}
			}
			f := loaded(t, files, words[3])
			for i := range f.Scenarios {
				s := &f.Scenarios[i]
				if len(only) > 0 && !slices.Contains(only, s.Name) {
					continue
				}
				shown := append(catalog.Headline(), s.Columns...)
				for _, e := range s.Expect {
					shown = append(shown, e.Metric)
				}
				if len(s.Columns) == 0 {
					shown = append(shown, tables.DefaultColumns()...)
				}
				for _, c := range columns {
					checked++
					if !slices.Contains(shown, c) && !strings.HasPrefix(c, "guard_") { // shown wherever there is a guard
						t.Errorf("%s shows %s of %s in %s, which a run shows only with --columns: add it to the scenario's columns", path, c, s.Name, words[3])
					}
				}
			}
		}
	}
	if checked < 90 {
		t.Errorf("only %d columns", checked)
	}
}

// loaded returns a shipped suite or a file by its path, and keeps it in files.
func loaded(t *testing.T, files map[string]*scenarios.File, name string) *scenarios.File {
	t.Helper()
	if files[name] == nil {
		source, err := os.ReadFile(name)
		if err != nil {
			files[name] = suite(t, name)
			return files[name]
		}
		f, problems := scenarios.Load(name, source, "docs/examples", all)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		files[name] = f
	}
	return files[name]
}
