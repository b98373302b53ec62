package format

import (
	"fmt"
	"strings"
)

// Count writes a number with its noun: "1 row", "2 rows", "0 keys". The noun is
// given in the singular; one in -y becomes -ies, any other takes an s.
func Count[N ~int | ~int32 | ~int64](n N, noun string) string {
	return fmt.Sprintf("%d %s", n, Plural(n, noun))
}

// Amount writes a figure with its noun, as Number and Count do: "1 call", "2.73 calls".
func Amount(x float64, noun string) string {
	text := Number(x)
	if text == "1" {
		return text + " " + noun
	}
	return text + " " + Plural(2, noun)
}

// one has the units of which there can be one.
var one = strings.NewReplacer("requests", "request", "tokens", "token")

// InUnits writes a figure with its unit, which is in the plural.
func InUnits(x float64, unit string) string {
	text := Number(x)
	if text == "1" {
		unit = one.Replace(unit)
	}
	return text + " " + unit
}

// Plural returns the form of a noun that goes with a number.
func Plural[N ~int | ~int32 | ~int64](n N, noun string) string {
	if n == 1 {
		return noun
	}
	if last := len(noun) - 1; last > 0 && noun[last] == 'y' && !strings.ContainsRune("aeiou", rune(noun[last-1])) {
		return noun[:last] + "ies"
	}
	return noun + "s"
}

// Verb returns the form of a verb that goes with a number.
func Verb[N ~int | ~int32 | ~int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
