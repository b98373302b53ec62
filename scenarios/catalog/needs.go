package catalog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Needs holds the conditions under which an option has an effect. All of them
// must hold; none means always. A condition is one or more alternatives, joined by
// " or ". These are the alternatives:
//
//	NAME: WORD | WORD   the option, the kind of its value, or one of a list, is one of the words
//	NAME: not WORD      it is another one
//	NAME: above N       its number is above the whole number N
//	NAME: set           it has a value
//
// NAME is another option of the same mapping, of a mapping around it, or inside it.
// It can also be a property of the scenario: counter, enforcement, clients,
// servers, network, policies (the number of keys that a request can have), faults
// (any, or a kind), algorithms (the words of Entry.With), estimates (of costs that become
// known with the answer), metrics, guard, retries, workers or
// Repeats.
type Needs []string

// Repeats is true if a fault or a herd occurs a second time before its end.
const Repeats = "time for a second occurrence"

// Unmet returns the conditions that do not hold. value returns the value of a
// name, or nil if it has none.
func (n Needs) Unmet(value func(name string) any) (unmet Needs) {
	for _, condition := range n {
		holds := func(alternative string) bool {
			name, want, _ := strings.Cut(alternative, ": ")
			return meets(value(name), want)
		}
		if !slices.ContainsFunc(strings.Split(condition, " or "), holds) {
			unmet = append(unmet, condition)
		}
	}
	return unmet
}

// Names returns the names in the conditions.
func (n Needs) Names() (names []string) {
	for _, condition := range n {
		for _, alternative := range strings.Split(condition, " or ") {
			name, _, _ := strings.Cut(alternative, ": ")
			names = append(names, name)
		}
	}
	return names
}

// String returns the conditions as the end of a sentence, such as "reject_til:
// true and clients above 1".
func (n Needs) String() string {
	shown := strings.NewReplacer(": above ", " above ", ": not ", " other than ", ": with ", " with ", Repeats+": true", Repeats, ": set", "", ": any", "", " | ", " or ")
	return shown.Replace(strings.Join(n, " and "))
}

// Text returns the documentation of a field and the conditions under which it has
// an effect.
func (f *Field) Text() string {
	if len(f.Needs) == 0 {
		return f.Doc
	}
	return f.Doc + " (only with " + f.Needs.String() + ")"
}

func meets(v any, want string) bool {
	if word, ok := strings.CutPrefix(want, "not "); ok {
		return v != nil && !meets(v, word)
	}
	if least, ok := strings.CutPrefix(want, "above "); ok {
		n, err := strconv.ParseInt(least, 10, 64)
		return err == nil && above(v, n)
	}
	if want == "set" {
		return v != nil
	}
	words := strings.Split(want, " | ")
	switch v := v.(type) {
	case bool:
		return slices.Contains(words, strconv.FormatBool(v))
	case string:
		return slices.Contains(words, v)
	case Choice:
		return slices.Contains(words, v.Name)
	case int64:
		return slices.Contains(words, strconv.FormatInt(v, 10))
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return meets(x, want) })
	case []string:
		return want == "any" && len(v) > 0 || slices.ContainsFunc(v, func(s string) bool { return slices.Contains(words, s) })
	}
	return false
}

// above reports whether a number exceeds n. A distribution does so if it is not
// constant.
func above(v any, n int64) bool {
	switch v := v.(type) {
	case int64:
		return v > n
	case units.Fraction:
		return v.Num/v.Den > n || v.Num/v.Den == n && v.Num%v.Den > 0
	case Choice:
		if v.Name == "constant" {
			return v.Values.Duration("time") > n
		}
		return true
	}
	return false
}
