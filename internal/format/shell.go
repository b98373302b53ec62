package format

import (
	"regexp"
	"strings"
)

var plainWord = regexp.MustCompile(`^[\w./:=,@+%-]+$`)

// ShellQuote quotes a word for a POSIX shell if necessary.
func ShellQuote(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
