package report

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// drawnName is the file in which a folder of plots remembers what was drawn into it: a line
// for each picture, with the slug of its scenario and the name of the file.
const drawnName = ".pictures"

// retire removes the pictures of an earlier run that the pictures of this one replace: those
// of the same scenarios that were not drawn again. Files that no run drew stay, and so do
// pictures of scenarios that this run does not have.
func retire(pictures []*picture) error {
	folders := lists.Distinct(lists.Map(pictures, func(p *picture) string { return filepath.Dir(p.prefix + "x") }))
	for _, dir := range folders {
		var slugs, lines []string
		for _, p := range pictures {
			if filepath.Dir(p.prefix+"x") != dir {
				continue
			}
			slug := filepath.Base(p.prefix + "x")
			slugs = append(slugs, slug)
			if p.path != "" {
				lines = append(lines, slug+"\t"+filepath.Base(p.path))
			}
		}
		earlier, _ := os.ReadFile(filepath.Join(dir, drawnName)) // none of a first run
		for line := range strings.Lines(string(earlier)) {
			line = strings.TrimSuffix(line, "\n")
			slug, name, ok := strings.Cut(line, "\t")
			switch {
			case !ok || slices.Contains(lines, line) || name != filepath.Base(name) || filepath.Ext(name) != ".png":
			case slices.Contains(slugs, slug):
				os.Remove(filepath.Join(dir, name)) // it may be gone already
			default:
				lines = append(lines, line)
			}
		}
		if len(lines) == 0 {
			continue
		}
		err := WriteFile(filepath.Join(dir, drawnName), func(w io.Writer) error {
			_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
