package describe

import "testing"

// TestWordsHaveOptions checks that every word names existing options.
func TestWordsHaveOptions(t *testing.T) {
	for _, word := range Words {
		for _, name := range word.options {
			optionNamed(name) // panics if there is none
		}
	}
}
