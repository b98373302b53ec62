package format

import (
	"fmt"
	"strings"
)

// Slugs turns the names of items into file names, in order. It appends a number
// to a file name that an earlier item has already.
func Slugs[T any](items []T, name func(T) string) []string {
	slugs := make([]string, len(items))
	for i, item := range items {
		slugs[i] = slug(name(item))
	}
	return Distinct(slugs, "%s-%d")
}

// Distinct numbers names that repeat an earlier one, from 2. numbered is the format
// of a name with its number: "%s (%d)".
func Distinct(names []string, numbered string) []string {
	out := make([]string, len(names))
	used, last := map[string]bool{}, map[string]int{}
	for i, name := range names {
		one := name
		for used[one] {
			last[name]++
			one = fmt.Sprintf(numbered, name, last[name]+1)
		}
		used[one] = true
		out[i] = one
	}
	return out
}

// slug turns a name into a file name: lower-case letters, digits and single
// hyphens.
func slug(name string) string {
	const longest = 80
	var out []byte
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			out = append(out, byte(r))
		case len(out) > 0 && out[len(out)-1] != '-':
			out = append(out, '-')
		}
		if len(out) > longest {
			break
		}
	}
	text := strings.Trim(string(out[:min(len(out), longest)]), "-")
	if text == "" {
		return "scenario"
	}
	return text
}
