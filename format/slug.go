package format

import (
	"fmt"
	"strings"
)

// Slugs turns the names of items into file names, in order. It appends a number
// to a file name that an earlier item has already.
func Slugs[T any](items []T, name func(T) string) []string {
	slugs := make([]string, len(items))
	used, next := map[string]bool{}, map[string]int{}
	for i, item := range items {
		first := slug(name(item))
		one := first
		for used[one] {
			next[first]++
			one = fmt.Sprintf("%s-%d", first, next[first]+1)
		}
		used[one] = true
		slugs[i] = one
	}
	return slugs
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
