package reference

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
)

var (
	anyTable   = regexp.MustCompile(`(?m)(?:^\|.*\n)+`)
	anyBlock   = regexp.MustCompile("(?ms)^```.*?^```$")
	figures    = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)
	quoted     = regexp.MustCompile(`(^|[\s(])(\d[\d,]*\.\d+|\d[\d,]*(?:\.\d+)? %)`)
	elsewhere  = regexp.MustCompile(`<!-- (?:computed|measured|reported): ([\d., %]+) -->`)
	codeOrLink = regexp.MustCompile("`[^`\n]*`|\\]\\([^)]*\\)")
	runs       = regexp.MustCompile(`limitgauge (?:run|gate) ([a-z]+)\b`)
)

// numbers is a set of figures, without separators of thousands.
type numbers map[string]bool

// learn adds the figures of a text, and in seconds those of ms and ns.
func (known numbers) learn(text string) {
	for _, n := range figures.FindAllString(text, -1) {
		n = strings.ReplaceAll(n, ",", "")
		known[n] = true
		for _, unit := range []float64{1e3, 1e9} {
			if v, _, err := number(n); err == nil && v >= unit {
				known[strconv.FormatFloat(v/unit, 'f', -1, 64)] = true
			}
		}
	}
}

// chapter is a part of a page below a heading: its text without generated parts,
// held tables and blocks, and the figures of these.
type chapter struct {
	title, anchor, text string
	known               numbers
	results             bool // it has output of a run, or a held table
}

var stored = regexp.MustCompile(`\x00(\d+)\x00`)

// chapters divides a page at its headings. It also returns the blocks of output
// that are written by hand.
func chapters(page string) (list []chapter, byHand []string) {
	var parts []string
	store := func(text string) string {
		parts = append(parts, text)
		return fmt.Sprintf("\x00%d\x00", len(parts)-1)
	}
	page = generated.ReplaceAllStringFunc(page, store)
	page = heldTable.ReplaceAllStringFunc(page, func(text string) string { return store(text) + "\n" })
	page = anyBlock.ReplaceAllStringFunc(page, func(text string) string {
		if strings.HasPrefix(text, "```console") {
			byHand = append(byHand, text)
		}
		return ""
	})
	for _, text := range regexp.MustCompile(`(?m)^#+ `).Split(page, -1) {
		title, _, _ := strings.Cut(text, "\n")
		s := chapter{title: title, text: stored.ReplaceAllString(text, ""), known: numbers{}}
		if list := anchors("# " + title); len(list) > 0 {
			s.anchor = list[0]
		}
		for _, m := range stored.FindAllStringSubmatch(text, -1) {
			i, _ := strconv.Atoi(m[1])
			s.known.learn(parts[i])
			s.results = s.results || !strings.HasPrefix(parts[i], opening) || strings.HasPrefix(parts[i], opening+"$ ")
			for _, run := range runs.FindAllStringSubmatch(parts[i], -1) {
				if suite, err := scenarios.FindSuite(run[1]); err == nil {
					s.known.learn(string(suite.Source))
				}
			}
		}
		list = append(list, s)
	}
	return list, byHand
}

// loose returns what nothing holds on a page: blocks of output and tables of
// figures that are written by hand, and numbers of the text in sections with
// results. The output stands in the same section, or in one that the paragraph
// links to, on this page or another one of pages. Numbers that come from elsewhere
// stand in a comment of their section that says so: <!-- computed: 5.6 94.4 -->,
// measured or reported.
func loose(path string, pages map[string]string) (problems []string) {
	list, byHand := chapters(pages[path])
	for _, block := range byHand {
		first, _, _ := strings.Cut(strings.TrimPrefix(block, "```console\n"), "\n")
		problems = append(problems, fmt.Sprintf("a block of output that no command writes again: %s ...", first))
	}
	for _, s := range list {
		for _, table := range anyTable.FindAllString(s.text, -1) {
			head, _, _ := strings.Cut(table, "\n")
			if regexp.MustCompile(`\| (result|simulated|figure)s? `).MatchString(head) {
				problems = append(problems, "a table of figures without <!-- held by SUITE -->: "+head)
			}
		}
		if !s.results {
			continue
		}
		for _, m := range elsewhere.FindAllStringSubmatch(s.text, -1) {
			s.known.learn(m[1])
		}
		for _, paragraph := range strings.Split(anyTable.ReplaceAllString(elsewhere.ReplaceAllString(s.text, ""), ""), "\n\n") {
			prose := codeOrLink.ReplaceAllString(paragraph, "")
			for _, m := range quoted.FindAllStringSubmatch(prose, -1) {
				n := strings.ReplaceAll(strings.TrimSuffix(m[2], " %"), ",", "")
				if !rounded(s.known, n) && !rounded(linked(path, paragraph, pages), n) {
					problems = append(problems, fmt.Sprintf("section %q says %s, which is in no output of a command and in no held table of the section, nor of one that the paragraph links to", s.title, m[2]))
				}
			}
		}
	}
	return problems
}

// linked returns the figures of the sections, or whole pages, that a paragraph
// links to.
func linked(path, paragraph string, pages map[string]string) numbers {
	known := numbers{}
	for _, m := range link.FindAllStringSubmatch(paragraph, -1) {
		file, anchor, _ := strings.Cut(m[1], "#")
		to := path
		if file != "" {
			to = filepath.ToSlash(filepath.Join(filepath.Dir(path), file))
		}
		list, _ := chapters(pages[to])
		for _, s := range list {
			if anchor == "" || s.anchor == anchor {
				maps.Copy(known, s.known)
			}
		}
	}
	return known
}

// rounded reports whether a figure equals a known one, after rounding.
func rounded(known numbers, text string) bool {
	if known[text] {
		return true
	}
	value, digit, err := number(text)
	if err != nil {
		return false
	}
	for k := range known {
		if v, d, err := number(k); err == nil && d <= digit && math.Abs(v-value) <= digit/2*1.001 {
			return true
		}
	}
	return false
}
