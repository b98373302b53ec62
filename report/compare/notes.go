package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/report/pairing"
	"github.com/limitgauge/limitgauge/sim/results"
)

// footnotes numbers the texts that cells refer to, each once.
type footnotes struct {
	texts []string
}

// mark is the number of a text, raised.
func (f *footnotes) mark(text string) string {
	for i, known := range f.texts {
		if known == text {
			return raised(i + 1)
		}
	}
	f.texts = append(f.texts, text)
	return raised(len(f.texts))
}

// raised writes a number in superscript digits.
func raised(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	var out []rune
	for _, d := range fmt.Sprint(n) {
		out = append(out, digits[d-'0'])
	}
	return string(out)
}

// list is the notes by number. A single one needs no number: the marks are
// taken off the rows again, but for the labels that they start with.
func (f *footnotes) list(rows [][]string, labels int) (notes []string) {
	if len(f.texts) == 1 {
		for _, row := range rows {
			for i := labels; i < len(row); i++ {
				row[i] = strings.TrimSuffix(row[i], raised(1))
			}
		}
		return f.texts
	}
	for i, text := range f.texts {
		notes = append(notes, raised(i+1)+" "+text)
	}
	return notes
}

// legend says what the cells of all tables mean.
func (t *tabulation) legend() (notes []string) {
	if t.lettered() {
		for i, name := range t.order[t.o.Col[0]] {
			notes = append(notes, message(i)+": "+name)
		}
	}
	if t.against == "" {
		return notes
	}
	notes = append(notes, fmt.Sprintf("change, p: against %s; ~: p is above %v, so the change may be chance; =: the same in every replication", t.against, t.o.Alpha))
	if t.tested > 1 {
		notes = append(notes, fmt.Sprintf("each p is of one figure by itself: of the %d in these tables about %s would fall below %v by chance",
			t.tested, format.Number(float64(t.tested)*t.o.Alpha), t.o.Alpha))
	}
	return notes
}

// runs say in what the documents differ from the first, besides figures.
func (t *tabulation) runs() (notes []string) {
	for i, doc := range t.docs {
		if doc.Partial {
			notes = append(notes, t.names[i]+" is partial: its run was interrupted")
		}
		if i == 0 {
			continue
		}
		differences := append(slices.Clone(t.differences(0, i)), pairing.Algorithms(t.docs[0], doc)...)
		if a, b := version(t.docs[0].Stamp), version(doc.Stamp); a != b {
			differences = append(differences, pairing.Difference{What: "version", Base: a, Now: b})
		}
		for _, d := range differences {
			notes = append(notes, fmt.Sprintf("%s: %s in %s, %s in %s", d.What, d.Base, t.names[0], d.Now, t.names[i]))
		}
	}
	return notes
}

func version(s results.Stamp) string {
	text := strings.TrimSpace(s.Version + " " + s.Commit[:min(12, len(s.Commit))])
	if text == "" {
		return "unknown"
	}
	return text
}
