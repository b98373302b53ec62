package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/pairs"
)

// footnotes numbers the texts that cells refer to, each once.
type footnotes []string

// mark returns the number of a text in superscript digits.
func (f *footnotes) mark(text string) string {
	i := slices.Index(*f, text)
	if i < 0 {
		i = len(*f)
		*f = append(*f, text)
	}
	return superscript(i + 1)
}

func superscript(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	return strings.Map(func(d rune) rune { return digits[d-'0'] }, fmt.Sprint(n))
}

// list returns the notes by number. A single note needs no number: list removes
// its marks from the rows, except from their first cells, the labels.
func (f footnotes) list(rows [][]string, labels int) (notes []string) {
	if len(f) == 1 {
		for _, row := range rows {
			for i := labels; i < len(row); i++ {
				row[i] = strings.TrimSuffix(row[i], superscript(1))
			}
		}
		return f
	}
	for i, text := range f {
		notes = append(notes, superscript(i+1)+" "+text)
	}
	return notes
}

// legend returns notes that explain the cells of all tables.
func (c *comparison) legend() (notes []string) {
	if c.lettered {
		for i, name := range c.order[c.col] {
			notes = append(notes, letter(i)+": "+name)
		}
	}
	if !c.against {
		return notes
	}
	notes = append(notes, fmt.Sprintf("change, p: against %s; ~: p is above %v, so the change may be chance; =: the same in every replication",
		c.head(c.base).Header, alpha))
	if c.tested > 1 {
		notes = append(notes, fmt.Sprintf("each p is of one figure by itself: of the %d in these tables about %s would fall below %v by chance",
			c.tested, format.Number(float64(c.tested)*alpha), alpha))
	}
	return notes
}

// runs returns notes about differences between the documents in addition to
// their metrics.
func (c *comparison) runs() (notes []string) {
	for i, doc := range c.docs {
		if doc.Partial {
			notes = append(notes, c.names[i]+" is partial: its run was interrupted")
		}
		if i == 0 {
			continue
		}
		for _, d := range slices.Concat(pairs.Seeds(c.docs[0], doc), pairs.Scenarios(c.docs[0], doc), pairs.Programs(c.docs[0], doc)) {
			notes = append(notes, fmt.Sprintf("%s: %s in %s, %s in %s", d.What, d.Base, c.names[0], d.Now, c.names[i]))
		}
	}
	return notes
}
