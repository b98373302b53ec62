package format

import "fmt"

// Distinct numbers names that repeat an earlier one, from 2. numbered is the format
// of a name with its number: "%s (%d)".
func Distinct(names []string, numbered string) []string {
	return DistinctBy(names, numbered, func(name string) string { return name })
}

// DistinctBy is Distinct for names that are equal if their keys are.
func DistinctBy(names []string, numbered string, key func(name string) string) []string {
	out := make([]string, len(names))
	used, last := map[string]bool{}, map[string]int{}
	for i, name := range names {
		one := name
		for used[key(one)] {
			last[key(name)]++
			one = fmt.Sprintf(numbered, name, last[key(name)]+1)
		}
		used[key(one)] = true
		out[i] = one
	}
	return out
}
