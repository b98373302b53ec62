package scenarios

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// attempt draws a text that resembles a notation, or any text of the notation's
// parts.
func attempt(t *rapid.T, notation string) string {
	one := func(of string) string {
		return strings.ReplaceAll(rapid.SampledFrom(strings.Split(of, " ")).Draw(t, "piece"), "_", "")
	}
	some := func(least, most int, piece func() string) (text string) {
		for range rapid.IntRange(least, most).Draw(t, "pieces") {
			text += piece()
		}
		return text
	}
	const units = "d h min m s ms us µs μs ns"
	amount := func() string { return one("0 1 12 007 1.0 1.5 0.25 .5 5. -3 1e3") + one("_ _ k M") }
	span := func() string { return one("1 30 1.5 0") + one(units) }
	if rapid.Bool().Draw(t, "soup") {
		return some(0, 8, func() string {
			return one("0 1 5 12 60 .0 .5 . - + e3 k M / / % B KiB MiB GiB TiB <= == > " + units)
		})
	}
	switch notation {
	case "duration":
		return some(1, 4, span)
	case "rate", "limit":
		return amount() + "/" + one(units+" _") + some(0, 2, span)
	case "share":
		return amount() + one("_ % /3 /0 /1.5")
	case "size":
		return amount() + one("B KiB MiB GiB TiB KB M")
	case "margin":
		return some(0, 1, func() string { return " " }) + one("_ + - .") + amount() + one("_ % _%")
	case "threshold", "percentage":
		return some(0, 1, func() string { return " " }) + one("<= < >= > == =") + some(0, 1, func() string { return " " }) + amount() + one("_ %")
	}
	return amount()
}

// TestTextsAreWhatIsRead compares the patterns of the schema with the readers
// of the language. A pattern must match every text that a reader accepts. If it
// matches a text that the reader rejects, the reason must be the value, not the
// notation.
func TestTextsAreWhatIsRead(t *testing.T) {
	fails := func(_ any, err error) error { return err }
	readers := map[string]func(string) error{
		"count":      func(s string) error { return fails(units.ParseCount(s)) },
		"decimal":    func(s string) error { return fails(units.ParseDecimal(s)) },
		"share":      func(s string) error { return fails(units.ParseFraction(s)) },
		"duration":   func(s string) error { return fails(units.ParseDuration(s)) },
		"rate":       func(s string) error { return fails(units.ParseRate(s)) },
		"limit":      func(s string) error { return fails(units.ParseLimit(s)) },
		"size":       func(s string) error { return fails(units.ParseSize(s)) },
		"threshold":  func(s string) error { _, _, err := ParseThreshold(s); return err },
		"percentage": func(s string) error { _, _, err := ParseThreshold(s); return err },
		"margin":     func(s string) error { _, _, err := ParseMargin(s); return err },
	}
	// Errors that a pattern cannot detect.
	arithmetic := []string{"too large", "too fine", "finer than", "not a whole number", "divided by zero", "period is zero", "too many decimals", "whole number of requests", "out of the range"}
	for name, read := range readers {
		pattern := regexp.MustCompile(texts[name].schema()["pattern"].(string))
		for _, e := range texts[name].examples {
			if err := read(e); err != nil || !pattern.MatchString(e) {
				t.Errorf("%s: its own example %q: %v", name, e, err)
			}
		}
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			text := attempt(t, name)
			err := read(text)
			switch matches := pattern.MatchString(text); {
			case err == nil && !matches && strings.HasSuffix(text, "%") && name == "threshold": // of a figure that is none in %
			case err == nil && !matches:
				t.Errorf("%q is read, but the schema refuses it", text)
			case err != nil && matches && !slices.ContainsFunc(arithmetic, func(s string) bool { return strings.Contains(err.Error(), s) }):
				t.Errorf("%q matches, but: %v", text, err)
			}
		}))
	}
	if len(readers) != len(texts) {
		t.Errorf("%d of %d notations are tested", len(readers), len(texts))
	}
}
