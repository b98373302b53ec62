// Reference rewrites the generated parts of the pages in docs: declarations of
// the catalog, scenario files of docs/examples, and outputs of commands. It also
// writes the files that are generated as a whole: the schema for editors and the
// manual pages. Run it by:
//
//	go generate ./docs/reference
//
// A generated part lies between two comments. The first one names its origin:
//
//	<!-- generated: counter token-bucket -->
//	...
//	<!-- end -->
//
// The tests of this package fail if a page or file differs from what this program
// would write. They run the commands of the pages only with the flag -commands,
// which takes minutes; .ci/nightly sets it. So the numbers on a page are those that
// the program prints today.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

//go:generate go run .

// root is the module's root as seen from this folder, in which go generate and
// go test run. Everything else here is relative to the root.
const root = "../.."

// all holds the declarations that the pages show.
var all = sim.Catalog()

func main() {
	if err := rewriteAll(); err != nil {
		fmt.Fprintf(os.Stderr, "reference: %v\n", err)
		os.Exit(1)
	}
}

func rewriteAll() error {
	if err := os.Chdir(root); err != nil {
		return err
	}
	texts, err := pages()
	if err != nil {
		return err
	}
	rewritten := files()
	for path, old := range texts {
		if rewritten[path], err = rewrite(path, old, nil); err != nil {
			return err
		}
	}
	for path, text := range rewritten {
		old, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if string(old) == text {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
		fmt.Printf("rewrote %s\n", path)
	}
	return nil
}

// pages returns the texts of the Markdown files in docs by their paths.
func pages() (map[string]string, error) {
	texts := map[string]string{}
	err := fs.WalkDir(os.DirFS("."), "docs", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)
		return err
	})
	return texts, err
}

// files returns the files that are generated as a whole, by their paths: the
// schema for editors and the manual pages.
func files() map[string]string {
	files := manual()
	files["docs/scenario.schema.json"] = string(scenarios.Schema(all))
	return files
}

const (
	opening = "<!-- generated: "
	closing = "<!-- end -->"
)

var generated = regexp.MustCompile(`(?ms)^` + opening + `([^\n]+) -->$.*?^` + closing + `$`)

// rewrite returns the text that a page should have. Generated parts whose
// comment keep accepts stay as they are; a nil keep accepts none.
func rewrite(path, old string, keep func(what string) bool) (string, error) {
	parts := generated.FindAllStringSubmatchIndex(old, -1)
	if opened := strings.Count("\n"+old, "\n"+opening); opened != len(parts) {
		return "", fmt.Errorf("%s: %d generated parts, of which %d end with %s on a line of its own", path, opened, len(parts), closing)
	}
	var out strings.Builder
	done := 0
	for _, at := range parts {
		what := old[at[2]:at[3]]
		if keep != nil && keep(what) {
			continue
		}
		text, err := section(what)
		if err != nil {
			return "", fmt.Errorf("%s:%d: %w", path, 1+strings.Count(old[:at[0]], "\n"), err)
		}
		fmt.Fprintf(&out, "%s%s%s -->\n%s\n%s", old[done:at[0]], opening, what, strings.TrimRight(text, "\n"), closing)
		done = at[1]
	}
	return out.String() + old[done:], nil
}
