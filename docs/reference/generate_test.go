// Package reference generates parts of the pages in docs, and tests all pages. It
// generates declarations of the catalog, scenario files of docs/examples, and outputs
// of commands, and as a whole file the schema for editors. To rewrite what is out of
// date, run:
//
//	go generate ./docs/reference
//
// A generated part lies between two comments. The first one names its origin:
//
//	<!-- generated: counter token-bucket -->
//	...
//	<!-- end -->
//
// The tests of this package fail if a page or file differs from what the generator
// would write; with the flag -update they rewrite it. They run the commands of the
// pages only with the flag -commands, which takes minutes; .ci/nightly sets it, and so
// does go generate. So the numbers on a page are those that the program prints today.
// Without it they run only what a page lacks: the command of an empty part, and the
// attacks on a new preset.
package reference

import (
	"errors"
	stdflag "flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

//go:generate go test -count 1 -timeout 0 -run ^Test(PagesAre|SchemaIs)Current$ -update -commands

// root is the module's root as seen from this folder, in which go generate and
// go test run. Everything else here is relative to the root.
const root = "../.."

// all holds the declarations that the pages show.
var all = sim.Catalog()

var (
	update      = stdflag.Bool("update", false, "rewrite pages and files that are out of date")
	runCommands = stdflag.Bool("commands", false, "run the commands whose output the pages show")
)

// TestPagesAreCurrent compares every generated part with a new one: declarations,
// scenario files and, with -commands, the output of every command.
func TestPagesAreCurrent(t *testing.T) {
	keep := func(what string) bool { return !*runCommands && strings.HasPrefix(what, "$ ") }
	pages := texts(t)
	paths := slices.Sorted(maps.Keys(pages))
	for i, path := range paths {
		if *update && *runCommands {
			fmt.Printf("page %d of %d: %s\n", i+1, len(paths), path)
		}
		text, err := rewrite(path, pages[path], keep)
		if err != nil {
			t.Error(err)
			continue
		}
		compare(t, path, text)
	}
}

// TestSchemaIsCurrent compares the schema for editors with a new one.
func TestSchemaIsCurrent(t *testing.T) {
	compare(t, "docs/scenario.schema.json", string(scenarios.Schema(all)))
}

// compare reports an error if the file at path has another text. With -update it
// rewrites the file instead.
func compare(t *testing.T, path, text string) {
	t.Helper()
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	switch {
	case err == nil && string(old) == text:
	case !*update:
		t.Errorf("%s is stale: run go generate ./docs/reference, then compare the page's text with the new figures\n-file +generated:\n%s", path, cmp.Diff(string(old), text))
	default:
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("rewrote %s\n", path)
	}
}

// pages returns the texts of the README and of the Markdown files in docs by their paths.
func pages() (map[string]string, error) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		return nil, err
	}
	texts := map[string]string{"README.md": string(readme)}
	err = fs.WalkDir(os.DirFS("."), "docs", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)
		return err
	})
	return texts, err
}

const (
	opening = "<!-- generated: "
	closing = "<!-- end -->"
)

var generated = regexp.MustCompile(`(?ms)^` + opening + `([^\n]+) -->$.*?^` + closing + `$`)

// rewrite returns the text that a page should have. Generated parts whose
// comment keep accepts stay as they are, but for rows of presets that are new.
func rewrite(path, old string, keep func(what string) bool) (string, error) {
	parts := generated.FindAllStringSubmatchIndex(old, -1)
	if opened := strings.Count("\n"+old, "\n"+opening); opened != len(parts) {
		return "", fmt.Errorf("%s: %d generated parts, of which %d end with %s on a line of its own", path, opened, len(parts), closing)
	}
	var out strings.Builder
	done := 0
	for _, at := range parts {
		what := old[at[2]:at[3]]
		kept := ""
		if keep(what) {
			kept = old[at[0]:at[1]]
			if empty := strings.HasSuffix(kept, "-->\n"+closing); !empty && !strings.HasPrefix(what, attackEach) {
				continue
			}
		}
		text, err := section(what, kept)
		if err != nil {
			return "", fmt.Errorf("%s:%d: %w", path, 1+strings.Count(old[:at[0]], "\n"), err)
		}
		fmt.Fprintf(&out, "%s%s%s -->\n%s\n%s", old[done:at[0]], opening, what, strings.TrimRight(text, "\n"), closing)
		done = at[1]
	}
	return out.String() + old[done:], nil
}
