package format

import "strings"

// List writes names as prose, with a word before the last one: "a, b or c".
func List(names []string, word string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}
